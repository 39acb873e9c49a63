/* did_you_mean.h: hints at the name that was meant, in messages of spmvgen and spmvbench.
 * common/base/edit_distance.h decides whether a name is near enough. */
#ifndef SG_DID_YOU_MEAN_H
#define SG_DID_YOU_MEAN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The nearest of the names, as spmv_nearest_name finds it; NULL if none is near enough. */
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
