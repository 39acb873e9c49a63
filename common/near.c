/* near.c: edit distance over a list of names. Pure functions. */
#include "common/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };           /* longer names are never suggested nor corrected */

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of two neighbours that lead from a to b. */
static int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int rows[3][LONGEST + 1];
    int *before_last = rows[0], *last = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b_length; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            const int replaced = last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = least(replaced, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before_last[j - 2] + 1);
        }
        int *const free_row = before_last;
        before_last = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

const char *sg_nearest(const char *unknown, const char *const *names, size_t count)
{
    const size_t length = strlen(unknown);
    const char *best = NULL;
    int best_distance = 0;

    if (length == 0 || length > LONGEST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t other = strlen(names[i]);
        if (other == 0 || other > LONGEST)
            continue;
        const int d = distance(unknown, length, names[i], other);
        const int allowed = (int)(length > other ? length : other) / 3;
        /* A name of which not one letter is right was not meant. */
        if (d > (allowed > 1 ? allowed : 1) || d >= (int)length)
            continue;
        if (!best || d < best_distance) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}

const char *sg_did_you_mean(char *buffer, size_t size, const char *unknown,
                            const char *const *names, size_t count)
{
    const char *near = sg_nearest(unknown, names, count);

    buffer[0] = '\0';
    if (near)
        snprintf(buffer, size, "; did you mean '%s'?", near);
    return buffer;
}

const char *sg_did_you_mean_option(char *buffer, size_t size, const char *word,
                                   const char *const *names, size_t count)
{
    char typed[LONGEST + 2];     /* what is cut is too long to be like a name */

    word += strspn(word, "-");
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
    const char *near = sg_nearest(typed, names, count);
    buffer[0] = '\0';
    if (near)
        snprintf(buffer, size, "; did you mean '--%s'?", near);
    return buffer;
}
