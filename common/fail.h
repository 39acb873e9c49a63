/* fail.h: filling the spmv_error of a caller, for spmvgen and spmvbench. Of the runtime, it uses
 * the public struct alone. */
#ifndef SG_COMMON_FAIL_H
#define SG_COMMON_FAIL_H

#include <stdbool.h>

#include "runtime/spmv.h"

/* Writes a sentence, cut to the error's size, and returns false, so that a failing function can
 * `return sg_fail(...)`. The status is SPMV_INVALID_ARGUMENT, whatever failed: the text says it. */
bool sg_fail(spmv_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
