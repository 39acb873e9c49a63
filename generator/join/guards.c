/* guards.c: see guards.h. Pure functions; all memory is the arena's. */
#include "generator/join/guards.h"

#include <ctype.h>
#include <string.h>

const char *sg_guard_macro(sg_arena *arena, const char *c_name)
{
    char *macro = sg_arena_printf(arena, "FOR_%s", c_name);

    for (char *at = macro; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return macro;
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* Appends a directive whose condition is that one of the listed targets is compiled, or is_not:
 * none of them. */
static void add_condition(sg_text *out, const sg_guards *guards, const char *directive,
                          const bool *is_listed, bool is_not)
{
    size_t column = strlen(directive);
    const char *operator = " ";

    sg_text_append(out, directive);
    for (size_t m = 0; m < guards->count; m++) {
        if (!is_listed[m])
            continue;
        const char *term = sg_arena_printf(out->arena, "%sdefined(%s)", is_not ? "!" : "",
                                           guards->macros[m]);
        const size_t length = strlen(operator) + strlen(term);
        if (column + length + strlen(" || \\") > SG_COLUMNS) {
            sg_text_printf(out, "%s\\\n    %s", operator, term);
            column = strlen("    ") + strlen(term);
        } else {
            sg_text_printf(out, "%s%s", operator, term);
            column += length;
        }
        operator = is_not ? " && " : " || ";
    }
    sg_text_append(out, "\n");
}

void sg_guards_none(sg_text *out, const sg_guards *guards)
{
    bool *all = sg_arena_alloc(out->arena, guards->count * sizeof *all);

    for (size_t m = 0; m < guards->count; m++)
        all[m] = true;
    add_condition(out, guards, "#if", all, true);
}

/* Opens the text of the targets whose text is texts[first]: they are listed, or the others if these
 * are fewer. */
static void open_guard(sg_text *out, const sg_guards *guards, const char *const *texts,
                       size_t first, const char *directive)
{
    bool *is_listed = sg_arena_alloc(out->arena, guards->count * sizeof *is_listed);
    size_t same = 0;

    for (size_t m = 0; m < guards->count; m++)
        same += is_same(texts[m], texts[first]);
    const bool is_not = same > guards->count - same;
    for (size_t m = 0; m < guards->count; m++)
        is_listed[m] = is_same(texts[m], texts[first]) != is_not;
    add_condition(out, guards, directive, is_listed, is_not);
}

void sg_guarded(sg_text *out, const sg_guards *guards, const char *const *texts,
                void (*print)(sg_text *out, const char *text))
{
    bool is_open = false, is_for_all = true;

    for (size_t m = 1; m < guards->count; m++)
        is_for_all = is_for_all && is_same(texts[m], texts[0]);
    if (is_for_all) {
        if (texts[guards->target])
            print(out, texts[guards->target]);
        return;
    }
    for (size_t m = 0; m < guards->count; m++) {
        bool again = !texts[m];
        for (size_t k = 0; k < m; k++)
            again = again || is_same(texts[k], texts[m]);
        if (again)
            continue;
        open_guard(out, guards, texts, m, is_open ? "#elif" : "#if");
        print(out, texts[m]);
        is_open = true;
    }
    if (is_open)
        sg_text_append(out, "#endif\n");
}

void sg_guarded_section(sg_text *out, const sg_guards *guards, const sg_section *section,
                        void (*print)(sg_text *out, const char *text))
{
    for (size_t k = 0; k < section->entry_count; k++) {
        if (k && !section->entries[k].is_tight)
            print(out, "\n");
        sg_guarded(out, guards, section->entries[k].text, print);
    }
}
