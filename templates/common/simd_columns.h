/* simd_columns.h: several vectors at once. A vector x or y is a column of X or Y here. X is
 * row-major, so the values that an entry of the matrix needs are consecutive, and the lanes of a
 * SIMD vector are columns:
 *
 *     entry a in matrix column j     sum[0] += a * X[j][0 .. LANES - 1]
 *                                    sum[1] += a * X[j][LANES .. 2 * LANES - 1]
 *
 * The bits of a column do not depend on the number of columns, nor on its place among them. The
 * sums of a row are vectors of columns, and fewer than those of a multiplication by one vector,
 * which has a sum for each lane. So its bits may be others.
 *
 * Columns are multiplied in turns. A turn has 2 * LANES columns, LANES, or fewer. The loops over
 * entries are INLINED functions of the turn's shape, which is constant in each call.
 */
#ifndef SPMV_COMMON_SIMD_COLUMNS_H
#define SPMV_COMMON_SIMD_COLUMNS_H

#include "../prelude/host.h"
#include "../prelude/simd.h"

enum { COLUMN_VECTORS = LANES < 16 ? 2 : 1 };    /* of a turn at most; 16 is SPMV_MAX_COLUMNS */
enum { TURN_COLUMNS = COLUMN_VECTORS * LANES };  /* columns of a turn at most */

/* The lanes that the columns of a turn fill. Loads of BELOW_VECTOR have masks. */
typedef i32 column_shape;
enum {
    HALF_VECTOR,                 /* exactly half of the columns of a wide vector */
    BELOW_VECTOR,                /* any other number below those of a vector */
    ONE_VECTOR,
    TWO_VECTORS
};

/* The shapes that occur. An unrolled loop over them calls an INLINED function for the shape of a
 * turn, which is a constant of that function's body. */
enum {
    FIRST_SHAPE = LANES > 8 ? HALF_VECTOR : LANES > 1 ? BELOW_VECTOR : ONE_VECTOR,
    SHAPES_END = COLUMN_VECTORS > 1 ? TWO_VECTORS + 1 : ONE_VECTOR + 1
};

/* The operands of a turn. */
typedef struct column_operands {
    const real *x;               /* x_j of column c is x[j * x_stride + c] */
    real *y;                     /* y_i of column c is y[i * y_row_stride + c * y_column_stride] */
    i64 x_stride, y_row_stride, y_column_stride;
    real alpha, beta;
    i32 columns;                 /* of this turn */
    column_shape shape;
} column_operands;

/* The shape of a turn for at most `columns` columns. */
static column_shape column_shape_of(i32 columns)
{
    if (columns >= LANES)
        return COLUMN_VECTORS > 1 && columns >= 2 * LANES ? TWO_VECTORS : ONE_VECTOR;
    return LANES > 8 && 2 * columns == LANES ? HALF_VECTOR : BELOW_VECTOR;
}

/* The operands of the turn that begins with column `first`. */
static column_operands column_operands_of(const spmv_job *job, i32 first)
{
    const i32 left = job->columns - first;
    column_operands v;

    v.x = (const real *)job->x + first;
    v.y = (real *)job->y + first * job->y_column_stride;
    v.x_stride = job->x_stride;
    v.y_row_stride = job->y_row_stride;
    v.y_column_stride = job->y_column_stride;
    v.alpha = (real)job->alpha;
    v.beta = (real)job->beta;
    v.shape = column_shape_of(left);
    v.columns = v.shape == TWO_VECTORS ? 2 * LANES : left < LANES ? left : LANES;
    return v;
}

/* X, moved so that matrix columns counted from `base` index its rows. */
DEVICE const real *rebased_x(const column_operands *v, i32 base)
{
    return (const real *)((uptr)v->x - (uptr)base * (uptr)v->x_stride * (uptr)sizeof(real));
}

/* How a loop over entries reads X. The loop has its own, with the distance of rows in bytes: the
 * product stays in a register, while compilers would read v->x_stride again for each entry. */
typedef struct x_reader {
    const real *x;
    i64 row_bytes;
    i32 columns;
} x_reader;

INLINED x_reader x_reader_of(const column_operands *v)
{
    x_reader r;

    r.x = v->x;
    r.row_bytes = v->x_stride * (i64)sizeof(real);
    r.columns = v->columns;
    return r;
}

/* Row i of X, whose row 0 is x. */
INLINED const real *x_row(const x_reader *v, const real *x, i64 i)
{
    return (const real *)((uptr)x + (uptr)(i * v->row_bytes));
}

/* Vector i of the turn's columns from p on. Memory beyond the columns is not accessed. */
INLINED vreal load_columns(const real *p, i32 i, i32 columns, column_shape shape)
{
    return shape == BELOW_VECTOR ? v_load_first(p, columns)
         : shape == HALF_VECTOR  ? v_load_half(p)
                                 : v_load(p + i * LANES);
}

/* Sets the sums of a row to 0. */
INLINED void clear_columns(vreal *sum)
{
    UNROLL
    for (i32 i = 0; i < COLUMN_VECTORS; i++)
        sum[i] = v_zero();
}

/* Adds an entry's products to the sums of its row. x: the entry's row of X. */
INLINED void add_columns(real value, const real *x, i32 columns, column_shape shape, vreal *sum)
{
    const vreal all = v_all(value);

    sum[0] = v_fma(all, load_columns(x, 0, columns, shape), sum[0]);
    if (COLUMN_VECTORS > 1 && shape == TWO_VECTORS)
        sum[COLUMN_VECTORS - 1] = v_fma(all, load_columns(x, 1, columns, shape),
                                        sum[COLUMN_VECTORS - 1]);
}

/* Writes the sums of a row to `to`. */
INLINED void write_sums(real *to, const vreal *sum, column_shape shape)
{
    v_store(to, sum[0]);
    if (shape == TWO_VECTORS)
        v_store(to + TURN_COLUMNS - LANES, sum[COLUMN_VECTORS - 1]);
}

/* Writes a + b. */
INLINED void write_added(real *to, const vreal *a, const vreal *b, column_shape shape)
{
    v_store(to, v_add(a[0], b[0]));
    if (shape == TWO_VECTORS)
        v_store(to + TURN_COLUMNS - LANES, v_add(a[COLUMN_VECTORS - 1], b[COLUMN_VECTORS - 1]));
}

/* y_store of LANES columns, or of the first `columns`, if these are fewer. */
DEVICE void store_column_vector(real *y, const real *sum, i32 columns, real alpha, real beta)
{
    vreal result = v_load(sum);

    if (beta == 0)
        result = v_mul(v_all(alpha), result);
    else
        result = v_fma(v_all(alpha), result,
                       v_mul(v_all(beta), columns < LANES ? v_load_first(y, columns) : v_load(y)));
    if (columns < LANES)
        v_store_first(y, columns, result);
    else
        v_store(y, result);
}

/* y_store of the columns of a row, whose sums have TURN_COLUMNS places. */
DEVICE void store_columns(const column_operands *v, i64 row, const real *sum)
{
    real *y = v->y + row * v->y_row_stride;

    if (v->y_column_stride == 1)
        for (i32 i = 0; i < v->columns; i += LANES)
            store_column_vector(y + i, sum + i, v->columns - i, v->alpha, v->beta);
    else
        for (i32 i = 0; i < v->columns; i++)
            y_store(y + i * v->y_column_stride, 0, sum[i], v->alpha, v->beta);
}

#endif
