/* c_conditions.c: see c_conditions.h. */
#include "generator/amalgam/c_conditions.h"

#include "generator/base/text.h"
#include "generator/amalgam/c_scan.h"

#include <ctype.h>
#include <string.h>

#define DECIDED "SPMV_BUNDLE"

/* One #if ... #endif. */
typedef struct level {
    int line;                    /* of its #if */
    const char *guard_define;    /* the #define of an include guard; NULL: it is none */
    bool outer;                  /* the text around it is kept */
    bool live;                   /* the text of the current branch is kept */
    bool done;                   /* later branches are not taken */
    bool open;                   /* its #if was written, so its #endif must be */
    bool has_else;
} level;

typedef struct decider {
    sg_arena *arena;
    sg_diags *diags;
    const char *file;
    const char *text;
    const sg_amalgam_macro *macros;
    size_t macro_count;
    level *levels;
    size_t level_count;
    int line;                    /* of the text that is being read */
    sg_text written;
    int *lines;
    size_t line_count, line_capacity;
    bool failed;
} decider;

static bool fail(decider *d, int line, const char *message)
{
    sg_diag(d->diags, SG_ERROR, (sg_loc){ d->file, line, 0 }, "%s", message);
    d->failed = true;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void add_line_number(decider *d, int line)
{
    if (d->line_count == d->line_capacity) {
        const size_t capacity = d->line_capacity * 2 + 64;
        d->lines = sg_arena_grow(d->arena, d->lines, d->line_count, capacity, sizeof *d->lines);
        d->line_capacity = capacity;
    }
    d->lines[d->line_count++] = line;
}

/* Writes whole lines, of which the first has number `line`. */
static void write_lines(decider *d, const char *begin, const char *end, int line)
{
    sg_text_append_bytes(&d->written, begin, (size_t)(end - begin));
    for (const char *at = begin; at < end; at++)
        if (*at == '\n')
            add_line_number(d, line++);
    if (end > begin && end[-1] != '\n') {
        sg_text_append(&d->written, "\n");
        add_line_number(d, line);
    }
}

static void write_directive(decider *d, const char *name, const char *rest, const char *end)
{
    sg_text line = sg_text_in(d->arena);

    sg_text_printf(&line, "#%s", name);
    if (rest < end) {
        sg_text_append(&line, " ");
        sg_text_append_bytes(&line, rest, (size_t)(end - rest));
    }
    sg_text_append(&line, "\n");
    write_lines(d, line.data, line.data + line.length, d->line);
}

/* ---- conditions ---------------------------------------------------------------------------- */

static bool is_decided_name(const char *word, size_t length)
{
    const size_t known = strlen(DECIDED);

    return length >= known && !memcmp(word, DECIDED, known) &&
           (length == known || word[known] == '_');
}

static const sg_amalgam_macro *find_macro(const decider *d, const char *word, size_t length)
{
    for (size_t i = 0; i < d->macro_count; i++)
        if (sg_c_word_is(word, length, d->macros[i].name))
            return &d->macros[i];
    return NULL;
}

/* A condition without comments, read from left to right. */
typedef struct reader {
    const decider *decider;
    const char *at;
    bool failed;
} reader;

static bool accept(reader *r, const char *token)
{
    r->at += strspn(r->at, " \t\n\\");
    if (strncmp(r->at, token, strlen(token)))
        return false;
    r->at += strlen(token);
    return true;
}

static bool read_any(reader *r);

static bool read_operand(reader *r)
{
    if (accept(r, "!"))
        return !read_operand(r);
    if (accept(r, "(")) {
        const bool value = read_any(r);
        r->failed = r->failed || !accept(r, ")");
        return value;
    }
    r->at += strspn(r->at, " \t\n\\");
    size_t length = sg_c_word_length(r->at);
    const bool is_test = sg_c_word_is(r->at, length, "defined");
    bool has_bracket = false;
    if (is_test) {
        r->at += length;
        has_bracket = accept(r, "(");
        r->at += strspn(r->at, " \t");
        length = sg_c_word_length(r->at);
    }
    const sg_amalgam_macro *macro = find_macro(r->decider, r->at, length);
    const bool is_number = isdigit((unsigned char)*r->at);
    const bool value = is_number ? *r->at != '0' : macro && (is_test || macro->value != 0);
    r->failed = r->failed || length == 0 || (is_number && (is_test || length > 1));
    r->at += length;
    if (has_bracket)
        r->failed = r->failed || !accept(r, ")");
    return value;
}

static bool read_all(reader *r)
{
    bool value = read_operand(r);

    while (!r->failed && accept(r, "&&")) {
        const bool next = read_operand(r);
        value = value && next;
    }
    return value;
}

static bool read_any(reader *r)
{
    bool value = read_all(r);

    while (!r->failed && accept(r, "||")) {
        const bool next = read_all(r);
        value = value || next;
    }
    return value;
}

typedef enum verdict { STAYS, IS_TRUE, IS_FALSE } verdict;

/* The condition's text without comments. */
static const char *bare_condition(decider *d, const char *at, const char *end)
{
    sg_text bare = sg_text_in(d->arena);

    while (at < end) {
        if (at[0] == '/' && (at[1] == '*' || at[1] == '/')) {
            at = sg_c_skip(at);
            sg_text_append(&bare, " ");
        } else {
            sg_text_append_bytes(&bare, at++, 1);
        }
    }
    return bare.data;
}

static verdict judge(decider *d, const char *name, size_t length, const char *at, const char *end)
{
    reader r = { d, bare_condition(d, at, end), false };
    bool has_decided = false, has_other = false, value;

    for (const char *p = r.at; *p;) {
        const size_t word = sg_c_word_length(p);
        if (word > 0 && is_decided_name(p, word))
            has_decided = true;
        else if (word > 0 && !isdigit((unsigned char)*p) && !sg_c_word_is(p, word, "defined"))
            has_other = true;
        p += word > 0 ? word : 1;
    }
    if (!has_decided)
        return STAYS;
    if (has_other) {
        fail(d, d->line, "the condition mixes " DECIDED "... with other names; nest two conditions "
                         "instead");
        return STAYS;
    }
    if (sg_c_word_is(name, length, "ifdef") || sg_c_word_is(name, length, "ifndef")) {
        value = find_macro(d, r.at, sg_c_word_length(r.at)) != NULL;
        r.at += sg_c_word_length(r.at);
        value = value == sg_c_word_is(name, length, "ifdef");
    } else {
        value = read_any(&r);
    }
    if (r.failed || r.at[strspn(r.at, " \t\r\n\\")]) {
        fail(d, d->line, "a condition of " DECIDED "... may have defined(), !, &&, ||, "
                         "parentheses, 0 and 1");
        return STAYS;
    }
    return value ? IS_TRUE : IS_FALSE;
}

/* ---- directives ---------------------------------------------------------------------------- */

/* The #define of the include guard whose #ifndef NAME ends at `end`; NULL if it is none. */
static const char *find_guard_define(const char *guard, size_t length, const char *end)
{
    size_t word;
    const char *behind;
    const char *at = end + strspn(end, " \t\r\n");

    if (length < 3 || (memcmp(guard + length - 2, "_H", 2) && guard[length - 1] != '_') ||
        *at != '#')
        return NULL;
    const char *name = sg_c_directive_name(at, &word, &behind);
    if (!sg_c_word_is(name, word, "define") || sg_c_word_length(behind) != length ||
        memcmp(behind, guard, length))
        return NULL;
    behind = sg_c_skip_blanks(behind + length);
    return *behind == '\n' || *behind == '\r' ? at : NULL;
}

static void begin_branch(decider *d, level *l, verdict found, const char *written,
                         const char *rest, const char *end)
{
    l->live = found != IS_FALSE;
    l->done = found == IS_TRUE;
    if (found == STAYS) {
        write_directive(d, written, rest, end);
        l->open = true;
    } else if (found == IS_TRUE && l->open) {
        write_directive(d, "else", end, end);
    }
}

static void begin_level(decider *d, const char *name, size_t length, const char *rest,
                        const char *end)
{
    const bool outer = d->level_count == 0 || d->levels[d->level_count - 1].live;

    d->levels = sg_arena_grow(d->arena, d->levels, d->level_count, d->level_count + 1,
                              sizeof *d->levels);
    level *l = &d->levels[d->level_count++];
    *l = (level){ .line = d->line, .outer = outer, .done = !outer };
    if (!outer)
        return;
    if (sg_c_word_is(name, length, "ifndef"))
        l->guard_define = find_guard_define(rest, sg_c_word_length(rest), end);
    if (l->guard_define) {
        l->live = l->done = true;
        return;
    }
    begin_branch(d, l, judge(d, name, length, rest, end),
                 sg_arena_strndup(d->arena, name, length), rest, end);
}

static bool read_directive(decider *d, const char *at, const char *end)
{
    size_t length;
    const char *rest, *name = sg_c_directive_name(at, &length, &rest);
    level *l = d->level_count > 0 ? &d->levels[d->level_count - 1] : NULL;
    const bool is_elif = sg_c_word_is(name, length, "elif");

    if (sg_c_word_is(name, length, "if") || sg_c_word_is(name, length, "ifdef") ||
        sg_c_word_is(name, length, "ifndef")) {
        begin_level(d, name, length, rest, end);
    } else if (is_elif || sg_c_word_is(name, length, "else")) {
        if (!l || l->has_else || l->guard_define)
            return fail(d, d->line, "no #if belongs to this line");
        l->has_else = !is_elif;
        if (l->done)
            l->live = false;
        else if (is_elif)
            begin_branch(d, l, judge(d, name, length, rest, end), l->open ? "elif" : "if", rest,
                         end);
        else
            begin_branch(d, l, IS_TRUE, "else", end, end);
    } else if (sg_c_word_is(name, length, "endif")) {
        if (!l)
            return fail(d, d->line, "no #if belongs to this #endif");
        if (l->open)
            write_directive(d, "endif", end, end);
        d->level_count--;
    } else if (!l || l->live) {
        if (!l || at != l->guard_define)
            write_lines(d, at, *end ? end + 1 : end, d->line);
    }
    return !d->failed;
}

/* The end of the line at `at` that is no directive, behind its '\n'. Comments and continued lines
 * belong to the line. */
static const char *text_line_end(decider *d, const char *at)
{
    int line = d->line;

    while (*at && *at != '\n') {
        const char *behind = sg_c_skip(at);
        if (!behind) {
            fail(d, line, *at == '/' ? "the comment does not end" : "the literal does not end");
            return NULL;
        }
        if (behind == at)
            behind += at[0] == '\\' && at[1] == '\n' ? 2 : 1;
        for (; at < behind; at++)
            line += *at == '\n';
    }
    return *at ? at + 1 : at;
}

static void count_lines(decider *d, const char *begin, const char *end)
{
    for (const char *at = begin; at < end; at++)
        d->line += *at == '\n';
}

bool sg_c_decide(sg_arena *arena, sg_diags *diags, const char *file, const char *text,
                 const sg_amalgam_macro *macros, size_t macro_count, sg_c_decided *out)
{
    decider d = { .arena = arena, .diags = diags, .file = file, .text = text, .macros = macros,
                  .macro_count = macro_count, .line = 1, .written = sg_text_in(arena) };

    for (const char *at = text; *at;) {
        const char *mark = at + strspn(at, " \t"), *end;
        if (*mark == '#') {
            end = sg_c_directive_end(mark);
            if (!end)
                return fail(&d, d.line, "the comment does not end");
            if (!read_directive(&d, mark, end))
                return false;
            end += *end == '\n';
        } else {
            end = text_line_end(&d, at);
            if (!end)
                return false;
            if (d.level_count == 0 || d.levels[d.level_count - 1].live)
                write_lines(&d, at, end, d.line);
        }
        count_lines(&d, at, end);
        at = end;
    }
    if (d.level_count > 0)
        return fail(&d, d.levels[d.level_count - 1].line, "no #endif belongs to this line");
    add_line_number(&d, d.line);
    *out = (sg_c_decided){ d.written.data, d.lines, d.line_count };
    return true;
}
