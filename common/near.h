/* near.h: the nearest of some names to one that is not known, for "did you mean".
 *
 * spmvgen and spmvbench share it; libspmv, which lends its files to other programs, has its own.
 */
#ifndef SG_NEAR_H
#define SG_NEAR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name with the smallest edit distance (insertions, deletions, replacements, swaps of two
 * neighbours; case is ignored), the first one of equals; NULL where all are too far off to be
 * meant. */
const char *sg_nearest(const char *unknown, const char *const *names, size_t count);

/* "; did you mean 'NAME'?" as the end of a message, or "". Fills buffer and returns it. */
const char *sg_did_you_mean(char *buffer, size_t size, const char *unknown,
                            const char *const *names, size_t count);

/* The same for an option of a command line, `word` as it was typed: "; did you mean '--NAME'?".
 * names have no dashes; word may have one or two, and a value behind "=". */
const char *sg_did_you_mean_option(char *buffer, size_t size, const char *word,
                                   const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif
#endif
