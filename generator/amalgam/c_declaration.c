/* c_declaration.c: see c_declaration.h. */
#include "generator/amalgam/c_declaration.h"

#include "generator/base/name_set.h"
#include "generator/amalgam/c_scan.h"

#include <ctype.h>
#include <string.h>

/* A word, a bracket with all that it holds, or a letter, outside brackets. */
typedef struct token {
    char kind;                   /* 'w': a word; '"': a literal; ( [ {: a bracket; or the letter */
    const char *begin, *end;
} token;

typedef struct tokens {
    sg_arena *arena;
    token *at;
    size_t count, capacity;
    const char *fault;
} tokens;

static bool token_is(const token *t, const char *word)
{
    return t->kind == 'w' && sg_c_word_is(t->begin, (size_t)(t->end - t->begin), word);
}

static void add_token(tokens *t, char kind, const char *begin, const char *end)
{
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity * 2 + 32;
        t->at = sg_arena_grow(t->arena, t->at, t->count, capacity, sizeof *t->at);
        t->capacity = capacity;
    }
    t->at[t->count++] = (token){ kind, begin, end };
}

/* ---- brackets ------------------------------------------------------------------------------ */

/* Branches of a condition within brackets: each begins at the depth of the first. */
typedef struct branches {
    int depth[32];
    int count;
} branches;

static const char *skip_directive(const char *at, branches *b, int *depth)
{
    size_t length;
    const char *behind, *name = sg_c_directive_name(at, &length, &behind);
    const int most = (int)(sizeof b->depth / sizeof b->depth[0]);

    if (length >= 2 && !memcmp(name, "if", 2)) {
        if (b->count < most)
            b->depth[b->count] = *depth;
        b->count++;
    } else if (length >= 4 && !memcmp(name, "el", 2)) {
        if (b->count > 0 && b->count <= most)
            *depth = b->depth[b->count - 1];
    } else if (sg_c_word_is(name, length, "endif") && b->count > 0) {
        b->count--;
    }
    return sg_c_directive_end(at);
}

static bool begins_directive(const char *text, const char *at)
{
    if (*at != '#')
        return false;
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

/* The end of the bracket at `at`, or NULL. */
static const char *bracket_end(const char *at)
{
    const char *text = at;
    branches b = { .count = 0 };
    int depth = 0;

    while (*at) {
        const char *behind = sg_c_skip(at);
        if (!behind)
            return NULL;
        if (behind != at) {
            at = behind;
        } else if (begins_directive(text, at)) {
            at = skip_directive(at, &b, &depth);
        } else {
            depth += strchr("([{", *at) != NULL;
            depth -= strchr(")]}", *at) != NULL;
            at++;
            if (depth == 0)
                return at;
        }
    }
    return NULL;
}

/* ---- shapes -------------------------------------------------------------------------------- */

static bool is_upper(const token *t)
{
    bool has_letter = false;

    for (const char *at = t->begin; at < t->end; at++) {
        if (islower((unsigned char)*at))
            return false;
        has_letter = has_letter || isupper((unsigned char)*at);
    }
    return has_letter && t->kind == 'w';
}

/* A word before a bracket that is no function: __attribute__((...)), MACRO(...). */
static bool is_attribute(const token *t)
{
    static const char *const words[] = { "__attribute__", "__declspec", "_Alignas", "alignas",
                                         "__asm__", "asm", "_Atomic", "typeof", "__typeof__" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (token_is(t, words[i]))
            return true;
    return is_upper(t);
}

static bool is_tag_word(const token *t)
{
    return token_is(t, "struct") || token_is(t, "union") || token_is(t, "enum");
}

/* The bracket of a function's parameters among the tokens from `first` on; 0: there is none. */
static size_t find_parameters(const tokens *t, size_t first, size_t last)
{
    for (size_t i = first + 1; i < last && t->at[i].kind != '='; i++) {
        if (t->at[i].kind != '(' || t->at[i - 1].kind != 'w')
            continue;
        const char *inside = sg_c_skip_blanks(t->at[i].begin + 1);
        if (!is_attribute(&t->at[i - 1]) && *inside != '*')
            return i;
    }
    return 0;
}

/* The name in "(*name)" or "(*name(args))". */
static const char *pointer_name(const token *bracket, size_t *length, bool *is_function)
{
    const char *at = bracket->begin + 1;

    for (;;) {
        at += strspn(at, " \t\n*");
        *length = sg_c_word_length(at);
        if (!sg_c_word_is(at, *length, "const") && !sg_c_word_is(at, *length, "volatile"))
            break;
        at += *length;
    }
    *is_function = at[*length] == '(';
    return *length > 0 ? at : NULL;
}

/* The bracket of a function's parameters, or that of its name, as in "int (*name(args))(args)"; 0:
 * the tokens declare no function. */
static size_t find_function(const tokens *t)
{
    size_t found = find_parameters(t, 0, t->count), length;
    bool is_function;

    for (size_t i = 0; i < t->count && found == 0 && t->at[i].kind != '='; i++)
        if (t->at[i].kind == '(' && t->at[i].begin[1] == '*' &&
            pointer_name(&t->at[i], &length, &is_function) && is_function)
            found = i;
    return found;
}

static void add_name(tokens *t, sg_name_set *names, const char *at, size_t length)
{
    const char *name = sg_arena_strndup(t->arena, at, length);

    if (!sg_name_set_has(names, name))
        sg_name_set_add(t->arena, names, name);
}

/* Adds the enumerators in the braces at `at`. */
static void add_enumerators(tokens *t, sg_name_set *names, const char *at, const char *end)
{
    bool is_next = true;

    for (at++; at < end - 1;) {
        const char *behind = sg_c_skip(at);
        const size_t length = sg_c_word_length(at);
        if (behind != at) {
            at = behind;
        } else if (*at == '#') {
            at = sg_c_directive_end(at);
        } else if (length > 0) {
            if (is_next)
                add_name(t, names, at, length);
            is_next = false;
            at += length;
        } else if (strchr("([{", *at)) {
            at = bracket_end(at);
        } else {
            is_next = is_next || *at == ',';
            at++;
        }
    }
}

/* Adds the tags and enumerators that the text defines. */
static void add_tags(tokens *t, sg_name_set *names, const char *at, const char *end)
{
    while (at < end) {
        const char *behind = sg_c_skip(at);
        const token word = { 'w', at, at + sg_c_word_length(at) };
        if (behind != at) {
            at = behind;
            continue;
        }
        at = word.end > at ? word.end : at + 1;
        if (!is_tag_word(&word))
            continue;
        const char *tag = at + strspn(at, " \t\n");
        const size_t length = sg_c_word_length(tag);
        const char *brace = tag + length + strspn(tag + length, " \t\n");
        if (*brace != '{')
            continue;
        if (length > 0)
            add_name(t, names, tag, length);
        if (token_is(&word, "enum"))
            add_enumerators(t, names, brace, bracket_end(brace));
    }
}

/* The declarator among the tokens [first, last), which a comma or the end follows. */
static void add_declarator(tokens *t, sg_name_set *names, size_t first, size_t last)
{
    const size_t parameters = find_parameters(t, first, last);
    const token *name = NULL;

    if (parameters > 0) {
        name = &t->at[parameters - 1];
        add_name(t, names, name->begin, (size_t)(name->end - name->begin));
        return;
    }
    for (size_t i = first; i < last && t->at[i].kind != '='; i++) {
        size_t length;
        bool is_function;
        const char *inside = t->at[i].kind == '(' && *(t->at[i].begin + 1) == '*'
                                 ? pointer_name(&t->at[i], &length, &is_function) : NULL;
        if (inside) {
            add_name(t, names, inside, length);
            return;
        }
        const bool is_tag = i > 0 && is_tag_word(&t->at[i - 1]);
        const bool is_before_bracket = i + 1 < last && t->at[i + 1].kind == '(';
        if (t->at[i].kind == 'w' && !is_tag && !is_before_bracket && !is_tag_word(&t->at[i]))
            name = &t->at[i];
        else if (t->at[i].kind == '{' || is_tag)
            name = NULL;
    }
    if (name && !token_is(name, "typedef") && !token_is(name, "const") &&
        !token_is(name, "static") && !token_is(name, "extern"))
        add_name(t, names, name->begin, (size_t)(name->end - name->begin));
}

/* struct X; */
static void add_forward_tag(tokens *t, sg_name_set *names)
{
    for (size_t i = 0; i + 1 < t->count; i++)
        if (is_tag_word(&t->at[i]) && t->at[i + 1].kind == 'w')
            add_name(t, names, t->at[i + 1].begin, (size_t)(t->at[i + 1].end - t->at[i + 1].begin));
}

static bool has_word(const tokens *t, const char *word)
{
    for (size_t i = 0; i < t->count; i++)
        if (token_is(&t->at[i], word))
            return true;
    return false;
}

static void describe_function(tokens *t, size_t parameters, const char *begin, sg_c_item *item)
{
    const token *last = &t->at[t->count - 1];

    item->head = (size_t)(last->begin - begin);
    item->open = (size_t)(t->at[parameters].begin - begin);
    item->close = (size_t)(t->at[parameters].end - begin);
    item->has_attribute = parameters + 2 < t->count;
    for (size_t i = 0; i + 1 < parameters; i++)
        item->has_attribute = item->has_attribute ||
                              (t->at[i + 1].kind == '(' && is_attribute(&t->at[i]));
}

static void describe(tokens *t, const char *begin, const char *end, sg_c_item *item)
{
    const size_t parameters = find_function(t);
    const bool is_typedef = has_word(t, "typedef");
    bool has_value = false;
    sg_name_set names = { NULL, 0 };
    size_t first = 0;

    item->is_static = has_word(t, "static");
    item->kind = SG_C_TYPE;
    if (parameters > 0 && !is_typedef) {
        item->kind = t->at[t->count - 1].kind == '{' ? SG_C_FUNCTION : SG_C_PROTOTYPE;
        add_declarator(t, &names, 0, t->count);
        describe_function(t, parameters, begin, item);
    } else {
        for (size_t i = 0; i < t->count; i++) {
            has_value = has_value || t->at[i].kind == '=';
            if (t->at[i].kind == ',' || t->at[i].kind == ';') {
                add_declarator(t, &names, first, i);
                first = i + 1;
            }
        }
        if (names.count > 0 && !is_typedef)
            item->kind = has_word(t, "extern") && !has_value ? SG_C_EXTERN : SG_C_VARIABLE;
        if (names.count == 0)
            add_forward_tag(t, &names);
        add_tags(t, &names, begin, end);
    }
    item->names = names.name;
    item->name_count = names.count;
}

/* ---- the whole declaration ------------------------------------------------------------------ */

/* Whether MACRO(...) that ends at `end` stands alone, without a semicolon. */
static bool stands_alone(const char *end)
{
    const char *at = sg_c_skip_blanks(end);

    if (*at != '\n' && *at)
        return false;
    at += *at == '\n';
    at += strspn(at, " \t");
    const token next = { 'w', at, at + sg_c_word_length(at) };
    return !*at || *at == '\n' || *at == '#' || *at == '/' || *at == '}' ||
           (is_upper(&next) && *next.end == '(');
}

static bool has_value(const tokens *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->at[i].kind == '=')
            return true;
    return false;
}

const char *sg_c_declaration_read(sg_arena *arena, const char *begin, sg_c_item *item,
                                  const char **end)
{
    tokens t = { .arena = arena };
    const char *at = begin;

    for (;;) {
        const char *behind = sg_c_skip(at);
        if (!*at || !behind)
            return "the declaration does not end";
        if (isspace((unsigned char)*at)) {
            at++;
        } else if (behind != at) {
            if (*at != '/')
                add_token(&t, '"', at, behind);
            at = behind;
        } else if (begins_directive(begin, at)) {
            return "a directive stands within a declaration; put it around the declaration";
        } else if (sg_c_word_length(at) > 0) {
            add_token(&t, 'w', at, at + sg_c_word_length(at));
            at += sg_c_word_length(at);
        } else if (strchr("([{", *at)) {
            behind = bracket_end(at);
            if (!behind)
                return "the bracket does not end";
            add_token(&t, *at, at, behind);
            at = behind;
            const bool is_call = t.count == 2 && t.at[1].kind == '(' && is_attribute(&t.at[0]);
            if (is_call && is_upper(&t.at[0]) && stands_alone(at))
                break;
            if (t.at[t.count - 1].kind == '{' && !has_word(&t, "typedef") && !has_value(&t) &&
                find_function(&t) > 0)
                break;
        } else if (strchr(")]}", *at)) {
            return "no bracket was opened";
        } else {
            add_token(&t, *at, at, at + 1);
            if (*at++ == ';')
                break;
        }
    }
    *end = at;
    const bool is_assert = t.at[0].kind == 'w' &&
                           (token_is(&t.at[0], "_Static_assert") ||
                            token_is(&t.at[0], "static_assert") ||
                            (is_upper(&t.at[0]) && at - t.at[0].begin > 6 && t.count <= 3 &&
                             !memcmp(t.at[0].end - 6, "ASSERT", 6)));
    if (is_assert) {
        item->kind = SG_C_CHECK;
    } else if (t.count <= 3 && t.count >= 2 && is_upper(&t.at[0]) && t.at[1].kind == '(') {
        item->kind = SG_C_CALL;
    } else {
        describe(&t, begin, at, item);
    }
    return NULL;
}
