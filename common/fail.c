/* fail.c: see fail.h. Thread-safe: no shared state. */
#include "common/fail.h"

#include <stdarg.h>
#include <stdio.h>

bool sg_fail(spmv_error *error, const char *format, ...)
{
    va_list args;

    error->status = SPMV_INVALID_ARGUMENT;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}
