/* narrow.h: matrices whose values have fewer bits than their vectors. */
#ifndef TEST_NARROW_H
#define TEST_NARROW_H

#include "sample.h"

#include <stddef.h>

size_t narrow_bytes(spmv_value_type type);
const char *narrow_name(spmv_value_type type);

/* Whole numbers in the type, for the caller to free(). The same go to `wide`, in the sample's type.
 * factor: 1 or another number. */
void *narrow_values(const sample *s, spmv_value_type type, int factor, void *wide);

/* A plan; NULL, with a comment, if there is an error. */
spmv_plan *narrow_plan(spmv_device *device, const spmv_csr *csr, const spmv_plan_options *options);

#endif
