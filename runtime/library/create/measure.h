/* measure.h: choosing by measurement, for options.measure. */
#ifndef SPMV_MEASURE_H
#define SPMV_MEASURE_H

#include "runtime/core/request.h"
#include "runtime/library/plan/plan.h"

/* *plan was built for the request. Builds the next cheapest candidates too, runs each a few times,
 * and puts into *plan the one that takes the least time for building and all expected
 * multiplications. Writes the times into the candidates. */
spmv_status spmv_plan_measure(const spmv_request *request, spmv_plan **plan, spmv_error *err);

#endif
