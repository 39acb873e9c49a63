/* simd_columns_values.h: the values of a block for several vectors.
 *
 * Kernels of several vectors read each value once for all vectors, and one value at a time. So they
 * need no variant for each coding: values in a narrow coding are decoded first, some at a time,
 * into memory that stays in the first-level cache.
 */
#ifndef SPMV_STRIPS_SIMD_COLUMNS_VALUES_H
#define SPMV_STRIPS_SIMD_COLUMNS_VALUES_H

#include "layout.h"
#include "layout_values.h"
#include "simd_codings.h"

/* The values of a block. */
typedef struct value_reader {
    block_job job;               /* decodes entries [begin, end) */
    const real *val;             /* of all entries; NULL: they have a narrow coding */
    i64 count;                   /* of the block's entries */
    bool is_padded;              /* VALUES_PADDED */
} value_reader;

/* A reader of a block of strip s. decoded: decoded_count values of memory. */
DEVICE value_reader value_reader_of(const strips_matrix *a, i64 s, i32 block, real *decoded)
{
    const part_range range = block_range(a, s, block);
    value_reader r;

    r.job.a = a;
    r.job.v = NULL;
    r.job.s = s;
    r.job.block = block;
    r.job.decoded = decoded;
    r.job.begin = 0;
    r.job.end = 0;
    r.count = range.end - range.begin;
    const i32 kind = coding_of(a, s, block).kind;
    r.is_padded = HAS_PADDED && kind == VALUES_PADDED;
    r.val = a->val + block_place(a->padding, kind, range.begin);
    if (NARROW_VALUES && !has_reals(kind))
        r.val = NULL;
    return r;
}

/* The values of `count` entries, or of as many as there are, from the k-th on; valid until the next
 * call. */
static const real *values_from(value_reader *r, i64 k, i64 count)
{
    const i64 end = i64_min(k + count, r->count);

    if (!NARROW_VALUES || r->val)
        return r->val + k;
    if (end > r->job.end) {
        r->job.begin = k;
        r->job.end = i64_min(i64_max(end, k + DECODED_VALUES), r->count);
        run_block(&r->job);
    }
    return r->job.decoded + (k - r->job.begin);
}

#endif
