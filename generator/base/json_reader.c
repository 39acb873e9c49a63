/* json_reader.c: recursive descent. Values belong to the arena. */
#include "generator/base/json_reader.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "generator/base/text.h"

enum { MAX_DEPTH = 32 };

typedef struct reader {
    sg_arena *arena;
    sg_diags *diags;
    const char *file, *at, *end, *line_start;
    int line, depth;
    bool failed;
} reader;

static sg_json *read_value(reader *r);

static sg_loc here(const reader *r)
{
    const ptrdiff_t column = r->at - r->line_start + 1;
    return (sg_loc){ r->file, r->line, column < INT_MAX ? (int)column : INT_MAX };
}

static void *fail(reader *r, const char *expected)
{
    if (!r->failed && r->diags) {
        if (r->at == r->end)
            sg_diag(r->diags, SG_ERROR, here(r), "expected %s, but the file ends here", expected);
        else
            sg_diag(r->diags, SG_ERROR, here(r), "expected %s", expected);
    }
    r->failed = true;
    return NULL;
}

static void skip_space(reader *r)
{
    for (; r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at; r->at++)
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        }
}

static bool take(reader *r, const char *word)
{
    const size_t length = strlen(word);

    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length))
        return false;
    r->at += length;
    return true;
}

static void append_utf8(sg_text *out, uint32_t c)
{
    char bytes[4];
    size_t n = 0;

    if (c < 0x80) {
        bytes[n++] = (char)c;
    } else if (c < 0x800) {
        bytes[n++] = (char)(0xC0 | (c >> 6));
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        bytes[n++] = (char)(0xE0 | (c >> 12));
        bytes[n++] = (char)(0x80 | ((c >> 6) & 0x3F));
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    } else {
        bytes[n++] = (char)(0xF0 | (c >> 18));
        bytes[n++] = (char)(0x80 | ((c >> 12) & 0x3F));
        bytes[n++] = (char)(0x80 | ((c >> 6) & 0x3F));
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    }
    sg_text_append_bytes(out, bytes, n);
}

static bool read_hex4(reader *r, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++, r->at++) {
        const char c = r->at < r->end ? *r->at : '\0';
        if (c >= '0' && c <= '9')
            *value = *value * 16 + (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            *value = *value * 16 + (uint32_t)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            *value = *value * 16 + (uint32_t)(c - 'A' + 10);
        else
            return fail(r, "four hexadecimal digits") != NULL;
    }
    return true;
}

/* Reads an escape behind its backslash. Refuses U+0000, which would end the string. */
static bool read_escape(reader *r, sg_text *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char c = r->at < r->end ? *r->at : '\0';
    const char *found = c ? strchr(from, c) : NULL;
    uint32_t high, low;

    if (found) {
        sg_text_append_bytes(out, &to[found - from], 1);
        r->at++;
        return true;
    }
    if (c != 'u')
        return fail(r, "an escape sequence") != NULL;
    r->at++;
    if (!read_hex4(r, &high))
        return false;
    if (high >= 0xD800 && high < 0xDC00) {
        if (!take(r, "\\u") || !read_hex4(r, &low) || low < 0xDC00 || low > 0xDFFF)
            return fail(r, "the second half of a surrogate pair") != NULL;
        high = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    }
    if (high == 0 || (high >= 0xDC00 && high <= 0xDFFF))
        return fail(r, "a character's code") != NULL;
    append_utf8(out, high);
    return true;
}

static const char *read_string(reader *r)
{
    sg_text out = sg_text_in(r->arena);

    if (!take(r, "\""))
        return fail(r, "a string");
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20)
            return fail(r, "no control characters in a string");
        if (*r->at == '\\') {
            r->at++;
            if (!read_escape(r, &out))
                return NULL;
        } else {
            sg_text_append_bytes(&out, r->at++, 1);
        }
    }
    return take(r, "\"") ? out.data : fail(r, "the string's closing quote");
}

static bool read_integer(reader *r, int64_t *out)
{
    const bool negative = take(r, "-");
    uint64_t value = 0;
    const uint64_t limit = (uint64_t)INT64_MAX + negative;
    const char *first = r->at;

    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        const uint64_t digit = (uint64_t)(*r->at - '0');
        if (value > (limit - digit) / 10)
            return fail(r, "an integer of at most 64 bits") != NULL;
        value = value * 10 + digit;
    }
    if (r->at == first || (*first == '0' && r->at - first > 1))
        return fail(r, "a value") != NULL;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

/* Members of an object or elements of an array, up to the closing bracket. */
static bool read_members(reader *r, sg_json *parent, const char *close)
{
    sg_json *last = NULL;

    skip_space(r);
    if (take(r, close))
        return true;
    for (;;) {
        const char *key = NULL;
        skip_space(r);
        if (parent->kind == SG_JSON_OBJECT) {
            key = read_string(r);
            skip_space(r);
            if (!key || !take(r, ":"))
                return fail(r, "':'") != NULL;
        }
        sg_json *value = read_value(r);
        if (!value)
            return false;
        value->key = key;
        if (last)
            last->next = value;
        else
            parent->first = value;
        last = value;
        parent->count++;
        skip_space(r);
        if (take(r, close))
            return true;
        if (!take(r, ","))
            return fail(r, parent->kind == SG_JSON_OBJECT ? "',' or '}'" : "',' or ']'") != NULL;
    }
}

static sg_json *read_value(reader *r)
{
    sg_json *value = sg_arena_alloc(r->arena, sizeof *value);
    bool good = true;

    skip_space(r);
    value->loc = here(r);
    const char c = r->at < r->end ? *r->at : '\0';
    if (c == '{' || c == '[') {
        if (r->depth == MAX_DEPTH)
            return fail(r, "fewer levels of nesting");
        value->kind = c == '{' ? SG_JSON_OBJECT : SG_JSON_ARRAY;
        r->at++;
        r->depth++;
        good = read_members(r, value, c == '{' ? "}" : "]");
        r->depth--;
    } else if (c == '"') {
        value->kind = SG_JSON_STRING;
        value->string = read_string(r);
        good = value->string != NULL;
    } else if (take(r, "true") || take(r, "false")) {
        value->kind = SG_JSON_BOOLEAN;
        value->integer = c == 't';
    } else if (take(r, "null")) {
        value->kind = SG_JSON_NULL;
    } else {
        value->kind = SG_JSON_INTEGER;
        good = read_integer(r, &value->integer);
    }
    return good ? value : NULL;
}

const sg_json *sg_json_read(sg_arena *arena, sg_diags *diags, const char *file, const char *text,
                            size_t length)
{
    reader r = { .arena = arena, .diags = diags, .file = file, .at = text, .end = text + length,
                 .line_start = text, .line = 1 };
    const sg_json *value = read_value(&r);

    skip_space(&r);
    if (value && r.at != r.end)
        return fail(&r, "nothing behind the value");
    return value;
}

const sg_json *sg_json_member(const sg_json *object, const char *key)
{
    if (object && object->kind == SG_JSON_OBJECT)
        for (const sg_json *at = object->first; at; at = at->next)
            if (!strcmp(at->key, key))
                return at;
    return NULL;
}
