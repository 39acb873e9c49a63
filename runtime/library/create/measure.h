/* measure.h: choosing by measurement, for options.measure. */
#ifndef SPMV_MEASURE_H
#define SPMV_MEASURE_H

#include "runtime/core/build.h"

/* *plan was built for the request. Builds the next cheapest candidates too, runs each a few times,
 * and puts into *plan the one that takes the least time for building and all expected
 * multiplications. Writes the times into the candidates. */
spmv_status spmv_plan_measure(const spmv_device *device, const spmv_request *request,
                              const spmv_plan_options *known, spmv_plan **plan, spmv_error *err);

#endif
