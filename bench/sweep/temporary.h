/* temporary.h: folders for temporary files. */
#ifndef BENCH_TEMPORARY_H
#define BENCH_TEMPORARY_H

#include <stddef.h>

#include "runtime/spmv.h"

/* Makes a folder in TMPDIR, else /tmp. Returns its path, to be freed; NULL, with a sentence in
 * error, if that fails. */
char *bench_temporary_make(spmv_error *error);

/* Removes a folder and all that is in it, as far as that works. */
void bench_temporary_remove(const char *path);

#endif
