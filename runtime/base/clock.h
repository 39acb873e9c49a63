/* clock.h: a clock for times of steps and plans. */
#ifndef SPMV_CLOCK_H
#define SPMV_CLOCK_H

/* Seconds since a moment that stays the same while the program runs. */
#if SPMV_BUNDLE
#include <time.h>

/* Bundles use only the C library, and time only profiles. On Windows clock() is the time of day. */
static inline double spmv_seconds_now(void)
{
#if defined(TIME_UTC) && !defined(_WIN32)
    struct timespec now = {0, 0};

    return timespec_get(&now, TIME_UTC) ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
#else
    return (double)clock() / (double)CLOCKS_PER_SEC;
#endif
}
#else
double spmv_seconds_now(void);
#endif

#endif
