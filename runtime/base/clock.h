/* clock.h: a steady clock. */
#ifndef SPMV_CLOCK_H
#define SPMV_CLOCK_H

/* Seconds since a moment that stays the same while the program runs. */
#if SPMV_BUNDLE
/* Bundles measure nothing. */
static inline double spmv_seconds_now(void)
{
    return 0;
}
#else
double spmv_seconds_now(void);
#endif

#endif
