/* c_words.c: see c_words.h. */
#include "generator/base/c_words.h"

#include <ctype.h>
#include <string.h>

bool sg_is_c_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool sg_is_c_name(const char *text)
{
    if (!isalpha((unsigned char)*text))
        return false;
    while (sg_is_c_letter(*text))
        text++;
    return !*text;
}

/* The end of the comment, literal or preprocessor line that begins at `at`; `at` if none does. */
static const char *skip_other(const char *text, const char *at)
{
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if ((at[0] == '/' && at[1] == '/') || (at[0] == '#' && (at == text || at[-1] == '\n'))) {
        at += strcspn(at, "\n");
        while (*at && at[-1] == '\\')
            at += 1 + strcspn(at + 1, "\n");
        return at;
    }
    if (*at == '"' || *at == '\'') {
        const char *end = at + 1;
        while (*end && *end != *at)
            end += end[0] == '\\' && end[1] ? 2 : 1;
        return *end ? end + 1 : end;
    }
    return at;
}

const char *sg_next_c_word(const char *text, const char **at, size_t *length)
{
    const char *p = *at;

    while (*p) {
        const char *behind = skip_other(text, p);
        if (behind != p) {
            p = behind;
            continue;
        }
        if (!sg_is_c_letter(*p)) {
            p++;
            continue;
        }
        const char *begin = p, *before = p;
        while (sg_is_c_letter(*p) || (isdigit((unsigned char)*begin) && *p == '.'))
            p++;
        while (before > text && isspace((unsigned char)before[-1]))
            before--;
        const bool is_member = (before > text && before[-1] == '.') ||
                               (before > text + 1 && before[-2] == '-' && before[-1] == '>');
        if (is_member || isdigit((unsigned char)*begin))
            continue;
        *at = p;
        *length = (size_t)(p - begin);
        return begin;
    }
    *at = p;
    return NULL;
}
