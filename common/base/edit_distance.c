/* edit_distance.c: see edit_distance.h. Pure functions. */
#include "common/base/edit_distance.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 64 };           /* longer names are never suggested nor corrected */

static int same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Keeps the last two rows of the table of distances between prefixes of a and b: a swap looks back
 * two rows. */
static int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int rows[3][LONGEST + 1];
    int *before_last = rows[0], *last = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b_length; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        int *const free_row = before_last;

        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            const int replaced = last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = least(replaced, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before_last[j - 2] + 1);
        }
        before_last = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

int spmv_edit_distance(const char *typed, const char *name)
{
    const size_t length = strlen(typed), other = strlen(name);
    int allowed, d;

    if (length == 0 || length > LONGEST || other == 0 || other > LONGEST)
        return -1;
    allowed = (int)(length > other ? length : other) / 3;
    d = distance(typed, length, name, other);
    /* At a distance of `length` no typed letter is kept. */
    return d > (allowed > 1 ? allowed : 1) || d >= (int)length ? -1 : d;
}

const char *spmv_nearest_name(const char *typed, const char *const *names, size_t count)
{
    const char *best = NULL;
    int best_distance = 0;

    for (size_t i = 0; i < count; i++) {
        const int d = spmv_edit_distance(typed, names[i]);

        if (d >= 0 && (best == NULL || d < best_distance)) {
            best = names[i];
            best_distance = d;
        }
    }
    return best;
}
