/* layout_bin.h: a bin of the ELL part. */
#ifndef SPMV_EVC_HYB_LAYOUT_BIN_H
#define SPMV_EVC_HYB_LAYOUT_BIN_H

#include "../prelude/base.h"

/* A run of slices whose rows all have one length, or one slice of rows of several lengths. */
typedef struct ell_bin {
    i64 entry;                   /* start of its first slice in ell_col and ell_val */
    i64 weight;                  /* rows plus entries of the slices before it */
    i32 slice;                   /* its first slice */
    i32 length;                  /* columns of a slice: the length of its longest row */
    i32 mixed;                   /* index among the slices of several lengths, or PURE */
    i32 unused;
} ell_bin;

enum { PURE = -1 };

#endif
