/* debug.c: see debug.h. A line is written in one call, so that lines of threads do not mix. */
#include "runtime/base/debug.h"

#include "runtime/base/environment.h"

#include <stdio.h>

int spmv_debug_is_wanted(void)
{
    const char *value = spmv_variable("SPMV_DEBUG");

    return value != NULL && value[0] != '\0' && !(value[0] == '0' && value[1] == '\0');
}

void spmv_debug_line(const char *text)
{
    if (spmv_debug_is_wanted())
        fprintf(stderr, "spmv: %s\n", text);
}
