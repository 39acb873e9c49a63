/* faults.h: the list of variants that made the GPU unusable, a line "LABEL: WHY" for each.
 *
 * After an access out of bounds CUDA refuses all further calls of the process. So a variant that
 * causes one ends the run and is listed; the next run leaves it out and reports why.
 */
#ifndef GPU_FAULTS_H
#define GPU_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* Why the variant is listed; "" if it is not or there is no file. */
void gpu_faults_find(const char *path, const char *label, char *why, size_t why_bytes);

/* Adds a line; false if that fails. */
bool gpu_faults_add(const char *path, const char *line);

#endif
