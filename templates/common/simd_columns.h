/* simd_columns.h: several vectors at once. A vector x or y is a column of X or Y here. X is
 * row-major, so the values that an entry of the matrix needs are consecutive, and the lanes of a
 * SIMD vector are columns:
 *
 *     entry a in matrix column j     sum[0] += a * X[j][0 .. LANES - 1]
 *                                    sum[1] += a * X[j][LANES .. 2 * LANES - 1]
 *
 * Each column gets the bits of a multiplication of that vector alone. So every sum that a row has
 * there, such as one for each lane of a vector, is a vector of columns here.
 *
 * At most COLUMN_VECTORS vectors of columns are multiplied at once; more columns take several
 * turns. Kernels are INLINED functions of a column_shape, which is constant where they are called.
 */
#ifndef SPMV_COMMON_SIMD_COLUMNS_H
#define SPMV_COMMON_SIMD_COLUMNS_H

#include "../prelude/host.h"
#include "../prelude/simd.h"

enum { COLUMN_VECTORS = LANES < 16 ? 2 : 1 };   /* 16: SPMV_MAX_COLUMNS */

/* The vectors of a turn's columns. */
typedef struct column_shape {
    i32 vectors;                 /* 1 to COLUMN_VECTORS */
    i32 last;                    /* columns in the last vector */
    bool whole;                  /* last is LANES */
} column_shape;

/* The operands of a turn. */
typedef struct column_operands {
    const real *x;               /* x_j of column c is x[j * x_stride + c] */
    real *y;                     /* y_i of column c is y[i * y_row_stride + c * y_column_stride] */
    i64 x_stride, y_row_stride, y_column_stride;
    real alpha, beta;
    i32 columns;                 /* of this turn */
    i32 first;                   /* the turn's first column */
} column_operands;

/* The operands of the turn that begins with column `first`. */
static column_operands column_operands_of(const spmv_job *job, i32 first)
{
    column_operands v;
    v.x = (const real *)job->x + first;
    v.y = (real *)job->y + first * job->y_column_stride;
    v.x_stride = job->x_stride;
    v.y_row_stride = job->y_row_stride;
    v.y_column_stride = job->y_column_stride;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.columns = (i32)i64_min(job->columns - first, COLUMN_VECTORS * LANES);
    v.first = first;
    return v;
}

/* The shape of a turn. A caller passes constants for `vectors` and `whole`. */
INLINED column_shape column_shape_of(const column_operands *v, i32 vectors, bool whole)
{
    column_shape c;
    c.vectors = vectors;
    c.last = whole ? LANES : v->columns - (vectors - 1) * LANES;
    c.whole = whole;
    return c;
}

/* Vector i of the columns from p on. Memory beyond the columns is not accessed. */
INLINED vreal load_columns(const real *p, column_shape c, i32 i)
{
    if (c.whole || i + 1 < c.vectors)
        return v_load(p + i * LANES);
    return v_load_first(p + i * LANES, c.last);
}

/* Sets the sums of a row to 0. */
INLINED void clear_columns(vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < COLUMN_VECTORS; i++)
        sum[i] = v_zero();
}

INLINED void copy_sums(vreal *to, const vreal *from, column_shape c)
{
    UNROLL
    for (i32 i = 0; i < COLUMN_VECTORS; i++)
        if (i < c.vectors)
            to[i] = from[i];
}

/* Adds an entry's products to the sums of its row. x: the entry's row of X. */
INLINED void add_columns(real value, const real *x, column_shape c, vreal *sum)
{
    const vreal all = v_all(value);

    UNROLL
    for (i32 i = 0; i < COLUMN_VECTORS; i++)
        if (i < c.vectors)
            sum[i] = v_fma(all, load_columns(x, c, i), sum[i]);
}

/* Adds the sums `other` to `sum`. */
INLINED void add_sums(vreal *sum, const vreal *other, column_shape c)
{
    UNROLL
    for (i32 i = 0; i < COLUMN_VECTORS; i++)
        if (i < c.vectors)
            sum[i] = v_add(sum[i], other[i]);
}

/* y_store of a vector of row-major columns. */
INLINED void store_column_vector(real *y, const column_operands *v, column_shape c, i32 i,
                                 vreal sum)
{
    vreal result = v_mul(v_all(v->alpha), sum);

    if (v->beta != 0)
        result = v_fma(v_all(v->alpha), sum, v_mul(v_all(v->beta), load_columns(y, c, i)));
    if (c.whole || i + 1 < c.vectors)
        v_store(y + i * LANES, result);
    else
        v_store_first(y + i * LANES, c.last, result);
}

/* y_store of the columns of a row. */
INLINED void store_columns(const column_operands *v, i64 row, column_shape c, const vreal *sum)
{
    real *y = v->y + row * v->y_row_stride;

    if (v->y_column_stride == 1) {
        UNROLL
        for (i32 i = 0; i < COLUMN_VECTORS; i++)
            if (i < c.vectors)
                store_column_vector(y, v, c, i, sum[i]);
    } else {
        real value[COLUMN_VECTORS * LANES];
        UNROLL
        for (i32 i = 0; i < COLUMN_VECTORS; i++)
            if (i < c.vectors)
                v_store(value + i * LANES, sum[i]);
        for (i32 i = 0; i < v->columns; i++)
            y_store(y + i * v->y_column_stride, 0, value[i], v->alpha, v->beta);
    }
}

#endif
