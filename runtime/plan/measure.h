/* measure.h: a choice by the clock, where options.measure asks for it. */
#ifndef SPMV_MEASURE_H
#define SPMV_MEASURE_H

#include "runtime/plan/build.h"

/* *plan was built by the request. Builds the next cheapest candidates, too, runs each a few times, and leaves
 * in *plan the one that takes the least time for the multiplications that are expected, building included;
 * nothing changes where there is no other. Candidates are told their times. */
spmv_status spmv_plan_measure(const spmv_device *device, const spmv_request *request,
                              const spmv_plan_options *known, spmv_plan **plan, spmv_error *err);

#endif
