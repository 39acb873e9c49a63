/* clock.c: see clock.h. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/base/clock.h"

#include <time.h>

double spmv_seconds_now(void)
{
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
