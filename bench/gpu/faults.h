/* faults.h: a list of variants that made the GPU unusable, one a line, "LABEL: WHY".
 *
 * After an access out of bounds CUDA refuses whatever else a process asks for. So a variant that does
 * that ends the run; it is listed, and the next run leaves it out and tells why. */
#ifndef GPU_FAULTS_H
#define GPU_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* Why the variant is listed in the file, or "" where it is not, or there is no file. */
void gpu_faults_find(const char *path, const char *label, char *why, size_t why_bytes);

/* Adds a line. */
bool gpu_faults_add(const char *path, const char *line);

#endif
