/* choose_sample.h: selects the slices or rows of a strip that an estimate reads. */
#ifndef SPMV_STRIPS_CHOOSE_SAMPLE_H
#define SPMV_STRIPS_CHOOSE_SAMPLE_H

#include "cost.h"

/* Stride at which `count` slices or rows with nnz entries are sampled: about SAMPLE_NNZ entries are
 * read, and at least four samples. */
static i32 sample_stride(i32 count, i64 nnz)
{
    return (i32)i64_max(1, i64_min(count / 4, nnz / SAMPLE_NNZ));
}

#endif
