/* clock.h: a steady clock. */
#ifndef SPMV_CLOCK_H
#define SPMV_CLOCK_H

/* Seconds since some moment, the same one as long as the program runs. */
double spmv_seconds_now(void);

#endif
