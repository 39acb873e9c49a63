/* faults.h: the list of variants that made the GPU unusable, a line "LABEL: WHY" for each.
 *
 * After an access out of bounds CUDA refuses all further calls of the process. So a variant with a
 * bad access ends the run and is listed; the next run leaves the variant out and reports why.
 */
#ifndef GPU_FAULTS_H
#define GPU_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the reason why the variant is listed; "" if it is not listed or there is no file. */
void gpu_faults_find(const char *path, const char *label, char *why, size_t why_bytes);

/* Adds a line; false if that fails. */
bool gpu_faults_add(const char *path, const char *line);

#endif
