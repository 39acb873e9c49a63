/* saved.h: plans that can be saved, and the plan of the file "plan". */
#ifndef TEST_SAVED_H
#define TEST_SAVED_H

#include "sample.h"

/* NULL, with a comment, if there is an error. */
spmv_plan *saved_create(spmv_device *device, const sample *s, const char *method,
                        const char *target, const char *settings, int threads, int copy);
spmv_plan *saved_load(spmv_device *device, const sample *s, int threads, int copy);

#endif
