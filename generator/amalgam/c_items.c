/* c_items.c: see c_items.h. */
#include "generator/amalgam/c_items.h"

#include "generator/base/text.h"
#include "generator/amalgam/c_declaration.h"
#include "generator/amalgam/c_scan.h"

#include <ctype.h>
#include <string.h>

#define MODULES "SPMV_BUNDLE_MODULES"

typedef struct splitter {
    sg_arena *arena;
    sg_diags *diags;
    const char *file;
    const sg_c_decided *source;
    const char *counted;         /* `line_index` lines end before this letter */
    size_t line_index;
    const char *comment, *comment_end;   /* that belongs to the next item; NULL: none */
    bool blank;                  /* an empty line stands before the next item */
    int group;
    sg_c_items *out;
    sg_c_item *items;
    size_t count, capacity;
} splitter;

static sg_loc place(splitter *s, const char *at)
{
    for (; s->counted < at; s->counted++)
        s->line_index += *s->counted == '\n';
    return (sg_loc){ s->file, s->source->lines[s->line_index], 0 };
}

static bool fail(splitter *s, const char *at, const char *message)
{
    sg_diag(s->diags, SG_ERROR, place(s, at), "%s", message);
    return false;
}

static const char *copy(splitter *s, const char *begin, const char *end)
{
    while (end > begin && strchr(" \t\r\n", end[-1]))
        end--;
    return sg_arena_strndup(s->arena, begin, (size_t)(end - begin));
}

static sg_c_item *add_item(splitter *s, sg_c_kind kind, const char *begin, const char *end)
{
    if (s->count == s->capacity) {
        const size_t capacity = s->capacity * 2 + 32;
        s->items = sg_arena_grow(s->arena, s->items, s->count, capacity, sizeof *s->items);
        s->capacity = capacity;
    }
    sg_c_item *item = &s->items[s->count++];
    *item = (sg_c_item){ .kind = kind, .blank_before = s->blank, .group = s->group };
    item->loc = place(s, begin);
    item->text = copy(s, begin, end);
    if (s->comment)
        item->comment = copy(s, s->comment, s->comment_end);
    s->comment = NULL;
    s->blank = false;
    return item;
}

static void set_name(splitter *s, sg_c_item *item, const char *begin, size_t length)
{
    const char **names = sg_arena_alloc(s->arena, sizeof *names);

    *names = sg_arena_strndup(s->arena, begin, length);
    item->names = names;
    item->name_count = 1;
}

/* ---- directives ---------------------------------------------------------------------------- */

/* _GNU_SOURCE, _FILE_OFFSET_BITS, __USE_MINGW_ANSI_STDIO: names for the system's headers. */
static bool is_feature(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

static bool begins(const char *at, const char *text)
{
    return !strncmp(at, text, strlen(text));
}

/* The end of lines such as
 *     #ifdef __cplusplus
 *     extern "C" {
 *     #endif
 * or NULL if other lines begin at `at`. */
static const char *wrapper_end(const char *at)
{
    const char *first = sg_c_directive_end(at);
    const char *inner = first + strspn(first, "\n \t");
    const char *last = inner + strcspn(inner, "\n");
    const char *rest;

    if (begins(inner, "extern \"C\" {"))
        rest = inner + strlen("extern \"C\" {");
    else if (*inner == '}')
        rest = inner + 1;
    else if (begins(inner, "#pragma GCC visibility"))
        rest = last = sg_c_directive_end(inner);
    else
        return NULL;
    rest = sg_c_skip_blanks(rest);
    if (rest < last)
        return NULL;
    rest += strspn(rest, "\n \t");
    return begins(rest, "#endif") ? sg_c_directive_end(rest) : NULL;
}

static bool read_include(splitter *s, const char *at, const char *rest, const char *end)
{
    const char closing = *rest == '"' ? '"' : '>';
    const char *behind = rest + 1;

    if (sg_c_word_is(rest, sg_c_word_length(rest), MODULES)) {
        add_item(s, SG_C_MODULES, at, end);
        return true;
    }
    while (behind < end && *behind != closing)
        behind++;
    if ((*rest != '"' && *rest != '<') || behind == end)
        return fail(s, at, "expected #include \"FILE\", <FILE> or " MODULES);
    const bool is_quoted = *rest == '"';
    sg_c_item *item = add_item(s, is_quoted ? SG_C_INCLUDE : SG_C_SYSTEM, at, end);
    set_name(s, item, rest + is_quoted, (size_t)(behind - rest) + (is_quoted ? -1 : 1));
    return true;
}

static bool read_directive(splitter *s, const char **position)
{
    const char *at = *position, *end = sg_c_directive_end(at), *rest;
    size_t length;
    const char *name = sg_c_directive_name(at, &length, &rest);
    const size_t word = sg_c_word_length(rest);

    if (sg_c_word_is(name, length, "include")) {
        if (!read_include(s, at, rest, end))
            return false;
    } else if (length >= 2 && !memcmp(name, "if", 2)) {
        const char *behind = wrapper_end(at);
        if (behind) {
            add_item(s, SG_C_WRAPPER, at, behind);
            end = behind;
        } else {
            add_item(s, SG_C_IF, at, end);
            s->group = (int)s->count - 1;
        }
    } else if (length >= 4 && !memcmp(name, "el", 2)) {
        add_item(s, SG_C_ELSE, at, end);
    } else if (sg_c_word_is(name, length, "endif")) {
        add_item(s, SG_C_ENDIF, at, end);
        s->group = s->items[s->group].group;
    } else if (sg_c_word_is(name, length, "define") || sg_c_word_is(name, length, "undef")) {
        const sg_c_kind kind = *name == 'u' ? SG_C_UNDEF
                               : is_feature(rest) ? SG_C_FEATURE : SG_C_MACRO;
        set_name(s, add_item(s, kind, at, end), rest, word);
    } else {
        const bool is_wrapper = sg_c_word_is(name, length, "pragma") &&
                                (begins(rest, "GCC visibility") || begins(rest, "once"));
        add_item(s, is_wrapper ? SG_C_WRAPPER : SG_C_PRAGMA, at, end);
    }
    *position = end;
    return true;
}

/* ---- comments and declarations --------------------------------------------------------------- */

/* "x.h: ..." or "folder/x.h: ..." at the beginning of x.h. */
static bool is_opening(const splitter *s, const char *comment)
{
    const char *at = comment + 2 + strspn(comment + 2, " ");
    const size_t length = strcspn(at, ": \n"), whole = strlen(s->file);

    return s->count == 0 && !s->out->opening && at[length] == ':' && length > 0 &&
           length <= whole && !strncmp(s->file + whole - length, at, length) &&
           (length == whole || s->file[whole - length - 1] == '/');
}

static void read_comment(splitter *s, const char **position)
{
    const char *begin = *position, *end = sg_c_skip(begin);
    const char *next = end + strspn(end, " \t\r");

    *position = end;
    if (is_opening(s, begin)) {
        s->out->opening = copy(s, begin, end);
        s->blank = true;
        return;
    }
    const bool is_heading = begins(begin, "/* ----");
    const bool ends_line = *next == '\n';
    next += ends_line;
    next += strspn(next, " \t\r");
    if (is_heading || !*next || (ends_line && *next == '\n')) {
        const char *first = s->comment ? s->comment : begin;
        s->comment = NULL;
        add_item(s, is_heading ? SG_C_HEADING : SG_C_NOTE, first, end);
    } else {
        s->comment = s->comment ? s->comment : begin;
        s->comment_end = end;
    }
}

static bool read_declaration(splitter *s, const char **position)
{
    const char *begin = *position, *end;
    sg_c_item shape = { .kind = SG_C_TYPE };
    const char *fault = sg_c_declaration_read(s->arena, begin, &shape, &end);

    if (fault)
        return fail(s, begin, fault);
    const char *next = end + strspn(end, " \t"), *trailing = NULL;
    if (next[0] == '/' && (next[1] == '*' || next[1] == '/')) {
        const char *behind = sg_c_skip(next);
        if (behind[strspn(behind, " \t\r")] == '\n' || !*behind) {
            trailing = copy(s, next, behind);
            end = behind;
        }
    }
    sg_c_item *item = add_item(s, shape.kind, begin, end);
    item->names = shape.names;
    item->name_count = shape.name_count;
    item->trailing = trailing;
    item->head = shape.head;
    item->open = shape.open;
    item->close = shape.close;
    item->is_static = shape.is_static;
    item->has_attribute = shape.has_attribute;
    *position = end;
    return true;
}

bool sg_c_items_read(sg_arena *arena, sg_diags *diags, const char *file, const sg_c_decided *text,
                     sg_c_items *out)
{
    splitter s = { .arena = arena, .diags = diags, .file = file, .source = text,
                   .counted = text->text, .group = SG_C_NO_GROUP, .out = out };
    const char *at = text->text;

    *out = (sg_c_items){ NULL, NULL, 0 };
    for (;;) {
        int lines = 0;
        for (; *at && strchr(" \t\r\n", *at); at++)
            lines += *at == '\n';
        s.blank = s.blank || lines > 1;
        if (!*at)
            break;
        if (at[0] == '/' && (at[1] == '*' || at[1] == '/')) {
            read_comment(&s, &at);
        } else if (*at == '#') {
            if (!read_directive(&s, &at))
                return false;
        } else if (*at == ';') {
            at++;
        } else if (!read_declaration(&s, &at)) {
            return false;
        }
    }
    out->items = s.items;
    out->count = s.count;
    return true;
}
