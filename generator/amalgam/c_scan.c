/* c_scan.c: see c_scan.h. */
#include "generator/amalgam/c_scan.h"

#include <ctype.h>
#include <string.h>

const char *sg_c_skip(const char *at)
{
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : NULL;
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (*at == '"' || *at == '\'') {
        const char *end = at + 1;
        while (*end && *end != *at && *end != '\n')
            end += end[0] == '\\' && end[1] ? 2 : 1;
        return *end == *at ? end + 1 : NULL;
    }
    return at;
}

const char *sg_c_directive_end(const char *at)
{
    while (*at && *at != '\n') {
        const char *behind = sg_c_skip(at);
        if (!behind && at[0] == '/')
            return NULL;
        if (behind && behind != at)
            at = behind;
        else
            at += at[0] == '\\' && at[1] ? 2 : 1;   /* an apostrophe of #error is no literal */
    }
    return at;
}

const char *sg_c_skip_blanks(const char *at)
{
    for (;;) {
        if (*at == ' ' || *at == '\t')
            at++;
        else if (at[0] == '\\' && at[1] == '\n')
            at += 2;
        else if (at[0] == '/' && (at[1] == '*' || at[1] == '/') && sg_c_skip(at))
            at = sg_c_skip(at);
        else
            return at;
    }
}

const char *sg_c_directive_name(const char *at, size_t *length, const char **behind)
{
    const char *name = sg_c_skip_blanks(at + 1);

    *length = sg_c_word_length(name);
    *behind = sg_c_skip_blanks(name + *length);
    return name;
}

size_t sg_c_word_length(const char *at)
{
    size_t length = 0;

    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

bool sg_c_word_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && !memcmp(word, text, length);
}
