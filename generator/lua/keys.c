/* keys.c: one pass over the text, with a stack of the tables that are open. */
#include "generator/lua/keys.h"

#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 16 };

typedef struct scan {
    sg_arena *arena;
    const char *at, *line_start;
    int line;
    const char *path[DEEPEST];   /* of each open table; "" for the outermost */
    int depth;                   /* open tables */
    const char *pending;         /* path of a key whose value comes next, or NULL */
    sg_key_line *keys;
    size_t count;
} scan;

static void step(scan *s)
{
    if (*s->at == '\n') {
        s->line++;
        s->line_start = s->at + 1;
    }
    s->at++;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* At "[", "[=", ...: the number of "=" of a long bracket, or -1. */
static int long_bracket(const char *at)
{
    int level = 0;

    while (at[1 + level] == '=')
        level++;
    return at[0] == '[' && at[1 + level] == '[' ? level : -1;
}

static bool closes(const char *at, int level)
{
    if (at[0] != ']')
        return false;
    for (int i = 1; i <= level; i++)
        if (at[i] != '=')
            return false;
    return at[level + 1] == ']';
}

static void skip_long(scan *s, int level)
{
    while (*s->at && !closes(s->at, level))
        step(s);
    for (int i = 0; i < level + 2 && *s->at; i++)
        step(s);
}

static void skip_string(scan *s)
{
    const char quote = *s->at;

    for (step(s); *s->at && *s->at != quote && *s->at != '\n'; step(s))
        if (*s->at == '\\' && s->at[1])
            step(s);
    if (*s->at == quote)
        step(s);
}

static void skip_comment(scan *s)
{
    s->at += 2;
    const int level = long_bracket(s->at);
    if (level >= 0) {
        skip_long(s, level);
        return;
    }
    while (*s->at && *s->at != '\n')
        step(s);
}

static void add_key(scan *s, const char *name, size_t length, const char *start)
{
    const char *table = s->path[s->depth - 1];

    s->pending = sg_arena_printf(s->arena, "%s%s%.*s", table, *table ? "." : "", (int)length,
                                 name);
    s->keys = sg_arena_more(s->arena, s->keys, s->count, sizeof *s->keys);
    s->keys[s->count++] = (sg_key_line){ s->pending, s->line, (int)(start - s->line_start) + 1 };
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static bool is_assigned(const char *at)
{
    at = skip_blanks(at);
    return at[0] == '=' && at[1] != '=';
}

/* Reads NAME, a key if "=" follows. */
static void take_word(scan *s)
{
    const char *start = s->at;

    while (is_word(*s->at))
        s->at++;
    if (s->depth > 0 && is_assigned(s->at))
        add_key(s, start, (size_t)(s->at - start), start);
}

/* Reads the bracket, and a key if ["NAME"] = begins here. */
static void take_bracket(scan *s)
{
    const char *name = skip_blanks(s->at + 1);
    const char quote = *name;

    if (s->depth > 0 && (quote == '"' || quote == '\'')) {
        const char *end = strchr(name + 1, quote);
        const char *close = end ? skip_blanks(end + 1) : NULL;
        if (close && *close == ']' && is_assigned(close + 1))
            add_key(s, name + 1, (size_t)(end - name) - 1, s->at);
    }
    step(s);
}

static void open_table(scan *s)
{
    if (s->depth < DEEPEST)
        s->path[s->depth] = s->pending ? s->pending : s->depth ? "[]" : "";
    s->depth++;
    s->pending = NULL;
    step(s);
}

sg_key_lines sg_lua_keys_scan(sg_arena *arena, const char *text)
{
    scan s = { .arena = arena, .at = text, .line_start = text, .line = 1 };

    while (*s.at && s.depth < DEEPEST) {
        if (s.at[0] == '-' && s.at[1] == '-') {
            skip_comment(&s);
        } else if (*s.at == '"' || *s.at == '\'') {
            skip_string(&s);
        } else if (long_bracket(s.at) >= 0) {
            skip_long(&s, long_bracket(s.at));
        } else if (*s.at == '[') {
            take_bracket(&s);
        } else if (is_word(*s.at)) {
            take_word(&s);
        } else if (*s.at == '{') {
            open_table(&s);
        } else {
            if (*s.at == '}' && s.depth > 0)
                s.depth--;
            if (*s.at == ',' || *s.at == ';' || *s.at == '}')
                s.pending = NULL;
            step(&s);
        }
    }
    return (sg_key_lines){ s.keys, s.count };
}

const sg_key_line *sg_lua_keys_find(const sg_key_lines *lines, const char *path)
{
    for (size_t i = 0; i < lines->count; i++)
        if (!strcmp(lines->keys[i].path, path))
            return &lines->keys[i];
    return NULL;
}
