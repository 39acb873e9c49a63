/* job.h: the data of one multiplication. */
#ifndef SPMV_JOB_H
#define SPMV_JOB_H

#include "runtime/spmv_module.h"

/* Rounds alpha or beta to the value type, since the rounded number decides whether it is zero.
 * volatile: GCC 12 vectorises two calls side by side and loses the conversion to float and back. */
static inline double spmv_round_scalar(double value, spmv_value_type type)
{
    if (type == SPMV_F32) {
        const volatile float rounded = (float)value;

        value = (double)rounded;
    }
    return value;
}

/* A job with alpha and beta rounded to the value type; all else is zero. */
spmv_job spmv_job_of(const spmv_layout *layout, double alpha, double beta);

#endif
