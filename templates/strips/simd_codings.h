/* simd_codings.h: kernels of a block of values, one for each coding, and the choice among them.
 *
 * Codings are listed twice: here, and beside the constants HAS_..., which say whether they exist.
 */
#ifndef SPMV_STRIPS_SIMD_CODINGS_H
#define SPMV_STRIPS_SIMD_CODINGS_H

#include "layout.h"
#include "layout_values.h"
#include "simd_diagonals.h"
#include "simd_lanes.h"
#include "simd_parts.h"
#include "simd_runs.h"
#include "simd_values.h"
#include "simd_vectors.h"

enum { DECODED_VALUES = 256 };   /* at once, unless more are needed together */

/* A block of strip s, and the kernel's operands. */
typedef struct block_job {
    const strips_matrix *a;
    const strips_vectors *v;     /* of a multiplication by one vector */
    i64 s;
    i32 block;
    real *decoded;               /* NULL: multiply; else write values of the block here, */
    i64 begin, end;              /* those of entries [begin, end) */
} block_job;

/* Writes values, and up to LANES - 1 more. They are few at a time, so that the next ones arrive
 * while these are multiplied. */
INLINED void decode_block(const i32 kind, const block_job *job)
{
    const part_range range = block_range(job->a, job->s, job->block);
    const value_cursor from = first_value(kind, job->a, job->s, job->block, range.begin);
    real *to = job->decoded;

    for (i64 k = job->begin; k < job->end; k += LANES) {
        if (fetches_values(kind))
            fetch_ahead(value_place(kind, &from, k));
        v_store(to, load_values(kind, &from, k));
        to += LANES;
    }
}

INLINED void multiply_rows(const i32 kind, const strips_matrix *a, const strips_vectors *v, i64 s)
{
    const strip *t = &a->strips[s];
    const i32 rows = strip_row_count(t);

    if (t->kind == STRIP_LANES)
        multiply_lanes(kind, a, v, t, s, rows);
    else if (t->kind == STRIP_DIAGONALS)
        multiply_diagonals(kind, a, v, t, s, rows);
    else
        multiply_runs(kind, a, v, t, s, rows);
}

INLINED void run_coded_block(const i32 kind, const block_job *job)
{
    if (SEVERAL_VECTORS && job->decoded)
        decode_block(kind, job);
    else if (job->block == BLOCK_ROWS)
        multiply_rows(kind, job->a, job->v, job->s);
    else
        multiply_part(kind, job->a, job->v, job->s, (strip_part)(job->block - BLOCK_PARTS));
}

/* ---- codings ------------------------------------------------------------------------------- */

/* A function for each coding: one for all would spill registers of some codings. */

DEVICE void run_wide_block(const block_job *job)
{
    run_coded_block(VALUES_WIDE, job);
}

DEVICE void run_equal_block(const block_job *job)
{
    run_coded_block(VALUES_EQUAL, job);
}

DEVICE void run_few_block(const block_job *job)
{
    run_coded_block(VALUES_FEW, job);
}

DEVICE void run_byte_block(const block_job *job)
{
    run_coded_block(VALUES_BYTE, job);
}

DEVICE void run_single_block(const block_job *job)
{
    run_coded_block(VALUES_SINGLE, job);
}

/* Padded diagonals, which are read without decoding. */
DEVICE void run_padded_block(const block_job *job)
{
    const strip *t = &job->a->strips[job->s];

    multiply_diagonals(VALUES_PADDED, job->a, job->v, t, job->s, strip_row_count(t));
}

/* Multiplies or decodes a block. */
DEVICE void run_block(const block_job *job)
{
    const i32 kind = coding_of(job->a, job->s, job->block).kind;

    if (kind == VALUES_WIDE)
        run_wide_block(job);
    if (HAS_EQUAL && kind == VALUES_EQUAL)
        run_equal_block(job);
    if (HAS_FEW && kind == VALUES_FEW)
        run_few_block(job);
    if (HAS_BYTE && kind == VALUES_BYTE)
        run_byte_block(job);
    if (HAS_SINGLE && kind == VALUES_SINGLE)
        run_single_block(job);
    if (HAS_PADDED && kind == VALUES_PADDED)
        run_padded_block(job);
}

#endif
