/* layout_bin.h: a bin of the ELL part. */
#ifndef SPMV_EVC_HYB_LAYOUT_BIN_H
#define SPMV_EVC_HYB_LAYOUT_BIN_H

#include "../prelude/base.h"

/* A run of slices of one length, or one slice of several. */
typedef struct ell_bin {
    i64 entry;                   /* of its first slice: an index into ell_col and ell_val */
    i64 weight;                  /* rows and entries of the slices before it */
    i32 slice;                   /* its first slice */
    i32 length;                  /* columns of a slice: the length of its longest row */
    i32 mixed;                   /* among the slices of several lengths, or PURE */
    i32 unused;
} ell_bin;

enum { PURE = -1 };

#endif
