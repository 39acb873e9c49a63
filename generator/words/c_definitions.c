/* c_definitions.c: see c_definitions.h. */
#include "generator/words/c_definitions.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "common/utf8.h"
#include "generator/base/c_words.h"

enum { DEEPEST = 64 };           /* brackets in brackets */

typedef struct scan {
    sg_arena *arena;
    sg_diags *diags;             /* NULL: mistakes are not reported */
    const char *file, *text, *at;
    const char *condition;       /* the #ifdef that is open, or NULL */
    sg_loc condition_loc;
    bool takes_all;              /* directives are skipped, and prototypes count */
    bool failed;
    sg_c_definition *definitions;
    size_t definition_count;
    sg_c_include *includes;
    size_t include_count;
} scan;

/* ---- places ---------------------------------------------------------------------------------- */

static sg_loc place(const scan *s, const char *at)
{
    sg_loc loc = { s->file, 1, 1 };

    for (const char *p = s->text; p < at; p++) {
        loc.line += *p == '\n';
        loc.column = *p == '\n' ? 1 : loc.column + 1;
    }
    return loc;
}

/* The first mistake ends the scan, since later ones would be guesses. */
static void fail(scan *s, const char *at, const char *message)
{
    if (!s->failed && s->diags)
        sg_diag(s->diags, SG_ERROR, place(s, at), "%s", message);
    s->failed = true;
    s->at = at + strlen(at);
}

/* ---- comments, literals, directives ---------------------------------------------------------- */

/* Moves behind a comment or a literal that begins here; false if none does. */
static bool skip_other(scan *s)
{
    const char *at = s->at;

    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        if (end)
            s->at = end + 2;
        else
            fail(s, at, "the comment that begins here does not end");
        return true;
    }
    if (at[0] == '/' && at[1] == '/') {
        s->at += strcspn(at, "\n");
        return true;
    }
    if (*at == '"' || *at == '\'') {
        const char *end = at + 1;
        while (*end && *end != '\n' && *end != *at)
            end += end[0] == '\\' && end[1] ? 2 : 1;
        if (*end == *at)
            s->at = end + 1;
        else
            fail(s, at, "the literal that begins here does not end in its line");
        return true;
    }
    return false;
}

static bool is_word_at(const char *at, const char *word)
{
    const size_t length = strlen(word);

    return !strncmp(at, word, length) && !sg_is_c_letter(at[length]);
}

/* X of `#ifdef X`, or the file in quotes of an #include; NULL if there is none. */
static const char *operand(scan *s, const char *at, bool is_quoted)
{
    const char *begin = at + strspn(at, " \t");
    size_t length = 0;

    if (is_quoted && *begin++ != '"')
        return NULL;
    while (is_quoted ? begin[length] && begin[length] != '"' && begin[length] != '\n'
                     : sg_is_c_letter(begin[length]))
        length++;
    return length && (!is_quoted || begin[length] == '"')
               ? sg_arena_strndup(s->arena, begin, length)
               : NULL;
}

static void open_condition(scan *s, const char *line, const char *name)
{
    if (!name)
        fail(s, line, "expected a name behind #ifdef");
    else if (s->condition)
        fail(s, line, "expected #endif before another #ifdef");
    s->condition = name;
    s->condition_loc = place(s, line);
}

static void directive(scan *s)
{
    const char *line = s->at, *name = line + 1 + strspn(line + 1, " \t");

    while (*s->at && (*s->at != '\n' || s->at[-1] == '\\')) {
        if (s->at[0] == '/' && s->at[1] == '*')
            skip_other(s);       /* a comment may take several lines */
        else
            s->at++;
    }
    if (s->takes_all)
        return;
    if (is_word_at(name, "include")) {
        const char *file = operand(s, name + strlen("include"), true);
        s->includes = sg_arena_grow(s->arena, s->includes, s->include_count, s->include_count + 1,
                                    sizeof *s->includes);
        if (file)
            s->includes[s->include_count++] = (sg_c_include){ file, place(s, line) };
    } else if (is_word_at(name, "ifdef")) {
        open_condition(s, line, operand(s, name + strlen("ifdef"), false));
    } else if (is_word_at(name, "endif") && s->condition) {
        s->condition = NULL;
    } else {
        fail(s, line, "expected #include, #ifdef or its #endif; a file of helpers has no other "
                      "directives, as they would not be emitted");
    }
}

/* ---- definitions ----------------------------------------------------------------------------- */

typedef struct word {
    const char *begin;
    size_t length;
} word;

typedef struct definition {
    const char *open[DEEPEST];   /* brackets */
    size_t depth;
    word last;                   /* outside of brackets */
    word name;                   /* begin is NULL until it is known */
    bool is_attribute;           /* the brackets are __attribute__'s */
    bool is_function, has_body;
} definition;

static bool equals(word w, const char *text)
{
    return w.length == strlen(text) && !strncmp(w.begin, text, w.length);
}

static void take_word(scan *s, definition *d)
{
    const char *begin = s->at;

    while (sg_is_c_letter(*s->at))
        s->at++;
    if (d->depth == 0)
        d->last = (word){ begin, (size_t)(s->at - begin) };
}

static void open_bracket(scan *s, definition *d)
{
    const char bracket = *s->at;

    if (d->depth == DEEPEST) {
        fail(s, s->at, "brackets are nested too deep");
        return;
    }
    if (d->depth == 0) {
        d->is_attribute = bracket == '(' && d->last.begin && equals(d->last, "__attribute__");
        if (bracket == '(' && !d->is_attribute && !d->name.begin) {
            d->name = d->last;
            d->is_function = true;
        }
        if (bracket == '[' && !d->name.begin)
            d->name = d->last;
        d->has_body = d->has_body || bracket == '{';
    }
    d->open[d->depth++] = s->at++;
}

static void close_bracket(scan *s, definition *d)
{
    const char expected = d->depth == 0                    ? '\0'
                          : *d->open[d->depth - 1] == '(' ? ')'
                          : *d->open[d->depth - 1] == '[' ? ']'
                                                          : '}';

    if (*s->at != expected) {
        fail(s, s->at,
             expected ? sg_arena_printf(s->arena, "expected '%c' for the '%c' of line %d, found "
                                        "'%c'", expected, *d->open[d->depth - 1],
                                        place(s, d->open[d->depth - 1]).line, *s->at)
                      : sg_arena_printf(s->arena, "'%c' without a bracket that it closes", *s->at));
        return;
    }
    d->depth--;
    s->at++;
}

/* Moves behind the definition that begins here: `;`, or the body of a function. */
static void take_definition(scan *s, definition *d)
{
    const char *begin = s->at;

    while (*s->at) {
        const char c = *s->at;
        if (skip_other(s))
            continue;
        if (c == '#' && s->at[-1] == '\n') {
            fail(s, s->at, "a directive within a definition");
        } else if (sg_is_c_letter(c)) {
            take_word(s, d);
        } else if (strchr("([{", c)) {
            open_bracket(s, d);
        } else if (strchr(")]}", c)) {
            close_bracket(s, d);
            if (c == '}' && d->depth == 0 && d->is_function)
                return;
        } else {
            if (c == '=' && d->depth == 0 && !d->name.begin)
                d->name = d->last;
            s->at++;
            if (c == ';' && d->depth == 0) {
                if (!d->name.begin)
                    d->name = d->last;
                return;
            }
        }
    }
    fail(s, begin, "the definition that begins here does not end");
}

/* begin: the start of the comment directly before the definition, or of the definition. */
static void add_definition(scan *s, const char *begin)
{
    const char *own = s->at;
    definition d = { .depth = 0 };

    take_definition(s, &d);
    if (s->failed)
        return;
    const bool is_prototype = d.is_function && !d.has_body;
    if (!d.name.begin || isdigit((unsigned char)*d.name.begin) ||
        (is_prototype && !s->takes_all)) {
        fail(s, own, "expected the definition of a function, a type or an object");
        return;
    }
    s->definitions = sg_arena_grow(s->arena, s->definitions, s->definition_count,
                                   s->definition_count + 1, sizeof *s->definitions);
    s->definitions[s->definition_count++] = (sg_c_definition){
        .name = sg_arena_strndup(s->arena, d.name.begin, d.name.length),
        .text = sg_arena_printf(s->arena, "%.*s\n", (int)(s->at - begin), begin),
        .condition = s->condition,
        .begin = place(s, begin),
        .loc = place(s, own),
        .condition_loc = s->condition_loc,
    };
}

/* Skips blanks; true if they hold an empty line. */
static bool skip_blanks(scan *s)
{
    int lines = 0;

    for (; isspace((unsigned char)*s->at); s->at++)
        lines += *s->at == '\n';
    return lines > 1;
}

static void run(scan *s)
{
    const char *comment = NULL;  /* the first one that belongs to the next definition */

    while (!s->failed) {
        if (skip_blanks(s))
            comment = NULL;
        const char *begin = s->at;
        if (!*begin)
            break;
        if (*begin == '#' && (begin == s->text || begin[-1] == '\n')) {
            directive(s);
            comment = NULL;
        } else if (begin[0] == '/' && (begin[1] == '*' || begin[1] == '/')) {
            skip_other(s);
            comment = comment ? comment : begin;
        } else {
            add_definition(s, comment ? comment : begin);
            comment = NULL;
        }
    }
    if (s->condition && !s->failed && s->diags)
        sg_diag(s->diags, SG_ERROR, s->condition_loc, "the #ifdef that begins here has no #endif");
    s->failed = s->failed || s->condition;
}

static void check_letters(scan *s)
{
    for (const char *at = s->text; *at && !s->failed;) {
        const size_t bytes = sg_utf8_length(at);
        const uint32_t letter = bytes ? sg_utf8_letter(at, bytes) : 0;
        if (!bytes)
            fail(s, at, sg_arena_printf(s->arena, "expected printable text, found a byte 0x%02x",
                                        (unsigned char)*at));
        else if (!sg_is_printable(letter) && letter != '\n' && letter != '\t')
            fail(s, at, sg_arena_printf(s->arena, "expected printable text, found U+%04" PRIX32,
                                        letter));
        at += bytes;
    }
}

bool sg_c_definitions_read(sg_arena *arena, sg_diags *diags, const char *file, const char *text,
                           sg_c_file *out)
{
    scan s = { .arena = arena, .diags = diags, .file = file, .text = text, .at = text };

    check_letters(&s);
    run(&s);
    *out = (sg_c_file){ s.definitions, s.definition_count, s.includes, s.include_count };
    return !s.failed;
}

const char *const *sg_c_declared_names(sg_arena *arena, const char *text, size_t *count)
{
    scan s = { .arena = arena, .text = text, .at = text, .takes_all = true };

    run(&s);
    const char **names = sg_arena_alloc(arena, (s.definition_count + 1) * sizeof *names);
    for (size_t i = 0; i < s.definition_count; i++)
        names[i] = s.definitions[i].name;
    *count = s.definition_count;
    return names;
}
