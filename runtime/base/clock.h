/* clock.h: a steady clock. */
#ifndef SPMV_CLOCK_H
#define SPMV_CLOCK_H

/* Seconds since a moment that stays the same while the program runs. */
double spmv_seconds_now(void);

#endif
