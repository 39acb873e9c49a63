/* step_times.h: the times of a multiplication's steps, for a profile. */
#ifndef SPMV_STEP_TIMES_H
#define SPMV_STEP_TIMES_H

#include "runtime/spmv.h"

/* Names of copies of vectors, and of workspace that host steps use. */
#define SPMV_TO_DEVICE "to the device"
#define SPMV_FROM_DEVICE "from the device"

typedef struct spmv_times {
    spmv_step_time *time;        /* SPMV_MAX_STEPS of them; NULL: no profile */
    int32_t count;
} spmv_times;

static inline void spmv_times_note(spmv_times *times, const char *name, double seconds)
{
    if (times->time == NULL || times->count >= SPMV_MAX_STEPS)
        return;
    times->time[times->count].name = name;
    times->time[times->count++].seconds = seconds;
}

#endif
