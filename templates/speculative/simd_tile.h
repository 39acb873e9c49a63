/* simd_tile.h: the sums of a tile's segments.
 *
 * The steps of the paper; sum[step * T + lane] replaces its local memory:
 *
 *   multiply_tile   forms the products. A vector holds LANES steps of one lane, as col_idx and val
 *                   do; LANES such vectors are transposed into vectors of one step of LANES lanes
 *   scan_lanes      adds the W products of each lane one by one, starting from 0 after each row end
 *   join_lanes      adds the preceding lanes' part of a row to its part in a lane
 *
 * Afterwards, sum holds the complete sum of each segment at the segment's end. No sum is ever
 * formed as the difference of two sums, so an Inf stays in its row.
 */
#ifndef SPMV_SPECULATIVE_SIMD_TILE_H
#define SPMV_SPECULATIVE_SIMD_TILE_H

#include "../prelude/simd.h"
#include "../common/simd_fetch_ahead.h"
#include "../common/simd_fetch_x.h"
#include "../common/simd_x_at.h"
#include "layout.h"
#include "layout_descriptor.h"

/* The operands of the first stage, besides the structure of the matrix, and the arrays that it
 * writes. */
typedef struct spec_operands {
    const real *val;
    const real *xb;              /* x, indexed by columns in the caller's base */
    real *y;
    real *sum;
    i32 *open_row;
    u64 *dirty;
    i32 *tile_row;
    real alpha, beta;
    i64 fetched;                 /* nonzeros whose x is prefetched */
} spec_operands;

enum {                           /* vectors that are added independently, so that none waits */
    VECTORS = T / LANES,
    TOGETHER = VECTORS % 4 == 0 ? 4 : VECTORS % 2 == 0 ? 2 : 1
};

/* The products of nonzeros [k, k + LANES). */
DEVICE vreal products_at(const spec_matrix *a, const spec_operands *v, i64 k)
{
    fetch_ahead(v->val + k);
    fetch_ahead(a->col_idx + k);
    if (X_AHEAD > 0)
        fetch_x(v->xb, a->col_idx + k, LANES, v->fetched - k);
    return v_mul(v_load(v->val + k), x_at(v->xb, a->col_idx + k));
}

/* The same near the end of the matrix: missing products are 0. */
DEVICE vreal products_before_end(const spec_matrix *a, const spec_operands *v, i64 k)
{
    const i64 count = a->nnz - k;

    if (count >= LANES)
        return products_at(a, v, k);
    if (count <= 0)
        return v_zero();
    return v_mul(v_load_first(v->val + k, (i32)count),
                 v_collect_first(v->xb, a->col_idx + k, (i32)count));
}

DEVICE void multiply_tile(const spec_matrix *a, const spec_operands *v, i64 tile, real *sum)
{
    const i64 begin = tile * TILE;
    const bool is_whole = a->nnz - begin >= TILE;
    vreal product[LANES];

    for (i32 lane = 0; lane < T; lane += LANES) {
        for (i32 step = 0; step < W; step += LANES) {
            const i64 k = begin + lane * W + step;

            if (is_whole) {
                UNROLL
                for (i32 i = 0; i < LANES; i++)
                    product[i] = products_at(a, v, k + i * W);
            } else {
                for (i32 i = 0; i < LANES; i++)
                    product[i] = products_before_end(a, v, k + i * W);
            }
            v_transpose(product, sum + step * T + lane, T);
        }
    }
}

DEVICE void scan_lanes(const tile_descriptor *d, real *sum)
{
    for (i32 lane = 0; lane < T; lane += TOGETHER * LANES) {
        vreal last[TOGETHER];

        UNROLL
        for (i32 i = 0; i < TOGETHER; i++)
            last[i] = v_load(sum + lane + i * LANES);
        for (i32 step = 1; step < W; step++) {
            UNROLL
            for (i32 i = 0; i < TOGETHER; i++) {
                real *at = sum + step * T + lane + i * LANES;
                const vmask ended = m_test_bit(d->end_flag + lane + i * LANES, step - 1);
                last[i] = v_add(v_select(ended, v_zero(), last[i]), v_load(at));
                v_store(at, last[i]);
            }
        }
    }
}

/* `carry` is the sum of the first row's part before the tile. Returns the sum, up to the tile's
 * end, of the row that continues after the tile. A lane in whose last step no row ends passes on
 * the sum of that step, any other lane the zero at sum[TILE], so that no branch depends on where
 * rows end. */
DEVICE real join_lanes(const tile_descriptor *d, real *sum, real carry)
{
    sum[TILE] = 0;
    for (i32 lane = 0; lane < T; lane++) {
        const u32 last_step = 1u << (W - 1);
        const u32 flags = d->end_flag[lane];
        const i32 first = (i32)u32_trailing_zeros(flags | last_step) * T + lane;

        sum[first] = sum[first] + carry;
        carry = sum[flags & last_step ? TILE : (W - 1) * T + lane];
    }
    return carry;
}

/* The sum of a tile that lies in one row. */
DEVICE real tile_sum(const spec_matrix *a, const spec_operands *v, i64 tile)
{
    const i64 begin = tile * TILE;
    vreal sum[TOGETHER];

    UNROLL
    for (i32 i = 0; i < TOGETHER; i++)
        sum[i] = v_zero();
    for (i32 k = 0; k < TILE; k += TOGETHER * LANES) {
        UNROLL
        for (i32 i = 0; i < TOGETHER; i++)
            sum[i] = v_add(sum[i], products_at(a, v, begin + k + i * LANES));
    }
    UNROLL
    for (i32 i = 1; i < TOGETHER; i++)
        sum[0] = v_add(sum[0], sum[i]);
    return v_sum(sum[0]);
}

#endif
