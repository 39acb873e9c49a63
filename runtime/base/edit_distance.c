/* edit_distance.c: see edit_distance.h. Nothing is shared; everything may run at once. */
#include "runtime/base/edit_distance.h"

#include <stdint.h>
#include <string.h>

enum { MAX_NAME = 63 };          /* longer names are not compared */

size_t spmv_name_distance(const char *a, const char *b)
{
    const size_t a_length = strlen(a);
    const size_t b_length = strlen(b);
    size_t row[MAX_NAME + 1];    /* the last row of the edit-distance table */

    if (a_length > MAX_NAME || b_length > MAX_NAME)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            const size_t inserted = row[j - 1] + 1;
            const size_t deleted = row[j] + 1;
            size_t best = replaced < inserted ? replaced : inserted;
            if (deleted < best)
                best = deleted;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_length];
}

int spmv_name_is_near(const char *typed, const char *candidate)
{
    return spmv_name_distance(typed, candidate) <= 1 + strlen(candidate) / 4;
}
