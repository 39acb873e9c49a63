/* table_source.c: see table_source.h. */
#include "generator/words/table_source.h"

#include <stdarg.h>
#include <string.h>

#include "generator/base/hash.h"
#include "generator/base/input.h"
#include "generator/base/name_set.h"
#include "common/did_you_mean.h"
#include "generator/base/text.h"
#include "generator/base/value_types.h"
#include "generator/clang/c_definitions.h"

#define PRELUDE "templates/prelude"

typedef struct helper {
    sg_c_definition definition;
    const char *type;            /* NULL: for all */
    bool is_own;                 /* not of an included file */
    bool is_used;                /* by a helper below it */
    sg_word word;
} helper;

typedef struct source {
    sg_arena *arena;
    sg_diags *diags;
    const char *root, *folder;
    helper *helpers;             /* in the order of their definitions */
    size_t helper_count;
    sg_table_source *out;
    bool failed;
} source;

__attribute__((format(printf, 3, 4)))
static void fail(source *s, sg_loc loc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    sg_diag(s->diags, SG_ERROR, loc, "%s", sg_arena_vprintf(s->arena, format, args));
    va_end(args);
    s->failed = true;
}

/* ---- the files ------------------------------------------------------------------------------- */

/* The value type that a definition is for; NULL for all. */
static const char *type_of(source *s, const sg_c_definition *d)
{
    sg_text all = sg_text_in(s->arena);

    if (!d->condition)
        return NULL;
    for (size_t i = 0; i < SG_VALUE_TYPES; i++) {
        const sg_type *type = &sg_value_types[i];
        if (!strcmp(type->condition, d->condition))
            return type->name;
        sg_text_printf(&all, "%s%s", i ? " or " : "", type->condition);
    }
    fail(s, d->condition_loc, "expected #ifdef %s, found #ifdef %s", all.data, d->condition);
    return NULL;
}

static void read_file(source *s, const char *file, sg_loc named_at);

static void add_file(source *s, const sg_c_file *content, bool is_own)
{
    for (size_t i = 0; i < content->include_count; i++)
        if (!sg_ends_with(content->includes[i].name, ".h"))
            read_file(s, sg_path_join(s->arena, s->folder, content->includes[i].name),
                      content->includes[i].loc);
    const size_t count = s->helper_count + content->definition_count;
    s->helpers = sg_arena_grow(s->arena, s->helpers, s->helper_count, count, sizeof *s->helpers);
    for (size_t i = 0; i < content->definition_count; i++) {
        const sg_c_definition *d = &content->definitions[i];
        s->helpers[s->helper_count++] = (helper){
            .definition = *d,
            .type = type_of(s, d),
            .is_own = is_own,
            .word = { .name = d->name, .form = SG_WORD_HELPER, .text = d->text, .loc = d->begin },
        };
    }
}

static void read_file(source *s, const char *file, sg_loc named_at)
{
    sg_table_source *out = s->out;
    const char *text;
    size_t length;
    sg_c_file content;

    for (size_t i = 0; i < out->page_count; i++)
        if (!strcmp(out->pages[i].file, file))
            return;
    if (out->page_count == SG_MOST_SOURCES) {
        fail(s, named_at, "a table has at most %d C files", SG_MOST_SOURCES);
        return;
    }
    const int error = sg_read_file(s->arena, sg_path_join(s->arena, s->root, file),
                                   SG_LARGEST_INPUT, &text, &length);
    if (error) {
        fail(s, named_at, "cannot read %s: %s", file, sg_read_error(error));
        return;
    }
    const bool is_own = out->page_count == 0;
    out->pages[out->page_count++] = (sg_input){ file, sg_hash_bytes(text, length) };
    if (sg_c_definitions_read(s->arena, s->diags, file, text, length, &content))
        add_file(s, &content, is_own);
    else
        s->failed = true;
}

/* ---- needs of helpers ------------------------------------------------------------------------ */

static bool are_for_one_type(const helper *a, const helper *b)
{
    return !a->type || !b->type || !strcmp(a->type, b->type);
}

/* Fills in needs, in the order of the definitions. */
static void find_needs(source *s, helper *below)
{
    bool *is_needed = sg_arena_alloc(s->arena, s->helper_count * sizeof *is_needed);
    const char **needs = sg_arena_alloc(s->arena, (s->helper_count + 1) * sizeof *needs);
    size_t count = 0;

    for (const char *const *name = below->definition.words; *name; name++)
        for (helper *h = s->helpers; h < below; h++)
            if (!strcmp(h->word.name, *name) && are_for_one_type(h, below))
                h->is_used = is_needed[h - s->helpers] = true;
    for (size_t i = 0; i < s->helper_count; i++)
        if (is_needed[i])
            needs[count++] = s->helpers[i].word.name;
    below->word.needs = needs;
}

static void check_twice(source *s, const helper *again)
{
    for (const helper *h = s->helpers; h < again; h++)
        if (!strcmp(h->word.name, again->word.name) && are_for_one_type(h, again)) {
            fail(s, again->definition.loc, "'%s' is defined twice for the same value type",
                 again->word.name);
            sg_diag(s->diags, SG_NOTE, h->definition.loc, "the first definition is here");
            return;
        }
}

/* ---- words ----------------------------------------------------------------------------------- */

static sg_name_set read_prelude(source *s)
{
    const char *folder = sg_path_join(s->arena, s->root, PRELUDE);
    const char *const *files = NULL, *text;
    size_t file_count = 0, length;
    sg_name_set all = { 0 };

    if (sg_list_dir(s->arena, folder, &files, &file_count))
        return all;
    for (size_t i = 0; i < file_count; i++) {
        if (sg_read_file(s->arena, sg_path_join(s->arena, folder, files[i]), SG_LARGEST_INPUT,
                         &text, &length))
            continue;
        const char *file = sg_path_join(s->arena, PRELUDE, files[i]);
        const char *const *names = sg_c_declared_names(s->arena, s->diags, file, text);
        s->failed = s->failed || !names;
        for (; names && *names; names++)
            sg_name_set_add(s->arena, &all, *names);
    }
    return all;
}

/* Reports a misspelt word, which would go unnoticed: the prelude's own body would be emitted. */
static void check_words(source *s)
{
    const sg_name_set words = read_prelude(s);
    char hint[100];

    for (const helper *h = s->helpers; h < s->helpers + s->helper_count; h++)
        if (h->is_own && !h->is_used && !sg_name_set_has(&words, h->word.name))
            fail(s, h->definition.loc, "'%s' is no word of " PRELUDE "/, and no helper below uses "
                 "it%s", h->word.name, sg_did_you_mean(hint, sizeof hint, h->word.name, words.name,
                                                       words.count));
}

bool sg_table_source_read(sg_arena *arena, sg_diags *diags, const char *root, const char *file,
                          const char *type, sg_loc named_at, sg_table_source *out)
{
    source s = { .arena = arena, .diags = diags, .root = root, .out = out,
                 .folder = sg_path_dir(arena, file) };

    *out = (sg_table_source){ .words = NULL };
    read_file(&s, file, named_at);
    for (helper *h = s.helpers; h < s.helpers + s.helper_count; h++) {
        check_twice(&s, h);
        find_needs(&s, h);
    }
    if (!s.failed)
        check_words(&s);

    sg_word *words = sg_arena_alloc(arena, (s.helper_count + 1) * sizeof *words);
    for (size_t i = 0; i < s.helper_count; i++)
        if (!s.helpers[i].type || !strcmp(s.helpers[i].type, type))
            words[out->word_count++] = s.helpers[i].word;
    out->words = words;
    return !s.failed;
}
