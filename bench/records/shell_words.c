/* shell_words.c: see shell_words.h. */
#include "bench/records/shell_words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-_=./:,+@%", c) != NULL);
}

char *bench_shell_words_add(char *text, const char *word)
{
    const size_t used = text ? strlen(text) : 0;
    char *grown = realloc(text, used + 4 * strlen(word) + 4), *at;
    bool plain = *word != '\0';

    if (!grown) {
        free(text);
        return NULL;
    }
    at = grown + used;
    if (used > 0)
        *at++ = ' ';
    for (const char *c = word; *c; c++)
        plain = plain && is_plain(*c);
    if (!plain)
        *at++ = '\'';
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            memcpy(at, "'\\''", 4);
            at += 4;
        } else {
            *at++ = *c;
        }
    }
    if (!plain)
        *at++ = '\'';
    *at = '\0';
    return grown;
}
