/* did_you_mean.c: see did_you_mean.h. Pure functions. */
#include "common/did_you_mean.h"

#include "common/base/edit_distance.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 };           /* longer names are never suggested nor corrected */

const char *sg_nearest(const char *unknown, const char *const *names, size_t count)
{
    return spmv_nearest_name(unknown, names, count);
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
    char typed[LONGEST + 2];     /* a word that is cut is like no name */

    word += strspn(word, "-");
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word, "="), word);
    const char *near = sg_nearest(typed, names, count);
    buffer[0] = '\0';
    if (near)
        snprintf(buffer, size, "; did you mean '--%s'?", near);
    return buffer;
}
