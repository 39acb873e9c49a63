/* simd.h: vector words for LANES values of `real` at a time.
 *
 * The bodies are the reference: they run anywhere, for any power of two LANES, and fix the order of
 * additions, which the table of every instruction set keeps.
 */
#ifndef SPMV_PRELUDE_SIMD_H
#define SPMV_PRELUDE_SIMD_H

#include "base.h"

/* LANES values. */
typedef struct vreal {
    real lane[LANES];
} vreal;

/* LANES indices. */
typedef struct vindex {
    i32 lane[LANES];
} vindex;

/* One bit for each lane, lane 0 lowest: LANES <= 32. */
typedef u32 vmask;

/* ---- values -------------------------------------------------------------------------------- */

/* 0 in each lane. */
DEVICE vreal v_zero(void)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = 0;
    return r;
}

/* a in each lane. */
DEVICE vreal v_all(real a)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = a;
    return r;
}

/* The LANES values from p on. */
DEVICE vreal v_load(const real *p)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = p[i];
    return r;
}

/* The LANES values from p on, which are stored in single precision. */
DEVICE vreal v_load_single(const f32 *p)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = p[i];
    return r;
}

/* Writes LANES values from p on. */
DEVICE void v_store(real *p, vreal a)
{
    for (i32 i = 0; i < LANES; i++)
        p[i] = a.lane[i];
}

/* a + b in each lane. */
DEVICE vreal v_add(vreal a, vreal b)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = a.lane[i] + b.lane[i];
    return r;
}

/* a*b in each lane. */
DEVICE vreal v_mul(vreal a, vreal b)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = a.lane[i] * b.lane[i];
    return r;
}

/* a*b + c in each lane, rounded as r_fma does. */
DEVICE vreal v_fma(vreal a, vreal b, vreal c)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = r_fma(a.lane[i], b.lane[i], c.lane[i]);
    return r;
}

/* The sum of all lanes: the upper half is added to the lower half until one lane is left. */
DEVICE real v_sum(vreal a)
{
    for (i32 width = LANES / 2; width > 0; width /= 2)
        for (i32 i = 0; i < width; i++)
            a.lane[i] = a.lane[i] + a.lane[i + width];
    return a.lane[0];
}

/* v_sum of LANES vectors: lane i has the sum of v[i]. Cheaper than LANES separate sums. */
DEVICE vreal v_sums(const vreal *v)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = v_sum(v[i]);
    return r;
}

/* y_store for the LANES rows from `row` on. */
DEVICE void v_y_store(real *y, i32 row, vreal sum, real alpha, real beta)
{
    if (beta == 0)
        v_store(y + row, v_mul(v_all(alpha), sum));
    else
        v_store(y + row, v_fma(v_all(alpha), sum, v_mul(v_all(beta), v_load(y + row))));
}

/* Stores LANES vectors as the columns of a matrix whose row i begins at p + i * stride. */
DEVICE void v_transpose(const vreal *a, real *p, i32 stride)
{
    real column[LANES];

    for (i32 k = 0; k < LANES; k++) {
        v_store(column, a[k]);
        for (i32 i = 0; i < LANES; i++)
            p[i * stride + k] = column[i];
    }
}

/* ---- x at LANES columns -------------------------------------------------------------------- */

/* x at each column, by the gather instruction. */
DEVICE vreal v_gather(const real *x, const i32 *col)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = x[col[i]];
    return r;
}

/* x at each column, by one load and insert per lane: faster than the gather instruction on many
 * CPUs. No column is negative. */
DEVICE vreal v_collect(const real *x, const i32 *col)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = x[col[i]];
    return r;
}

/* v_gather at columns of 16 bits. */
DEVICE vreal v_gather16(const real *x, const u16 *col)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = x[col[i]];
    return r;
}

/* v_gather whose upper LANES / 2 lanes are not used. The instruction takes time for each lane. */
DEVICE vreal v_gather_half(const real *x, const i32 *col)
{
    return v_gather(x, col);
}

/* The same at columns of 16 bits. */
DEVICE vreal v_gather16_half(const real *x, const u16 *col)
{
    return v_gather16(x, col);
}

/* v_collect at columns of 16 bits. */
DEVICE vreal v_collect16(const real *x, const u16 *col)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = x[col[i]];
    return r;
}

/* v_gather at columns of 8 bits. */
DEVICE vreal v_gather8(const real *x, const u8 *col)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = x[col[i]];
    return r;
}

/* v_collect at columns of 8 bits. */
DEVICE vreal v_collect8(const real *x, const u8 *col)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = x[col[i]];
    return r;
}

/* A table of a few values, in registers where there are instructions that pick lanes. */
typedef struct vtable {
    const real *value;
} vtable;

/* The table that begins at p. An instruction set fixes the number of its values, TABLE_VALUES. */
DEVICE vtable v_table(const real *p)
{
    vtable r;
    r.value = p;
    return r;
}

/* Value code[i] of the table in each lane. Every code is less than TABLE_VALUES. */
DEVICE vreal v_pick(vtable table, const u8 *code)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = table.value[code[i]];
    return r;
}

enum { V_RUN = LANES < 4 ? LANES : 4 };  /* lanes of v_load_runs that are contiguous in memory */

/* Loads runs of V_RUN values: the first V_RUN lanes from x + place[0] on, the next V_RUN from
 * x + place[1] on, ... */
DEVICE vreal v_load_runs(const real *x, const u16 *place)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = x[place[i / V_RUN] + i % V_RUN];
    return r;
}

/* The counterpart of v_load_runs. The last run is stored first: of overlapping runs the first one
 * remains. */
DEVICE void v_store_runs(real *p, const u16 *place, vreal a)
{
    for (i32 i = LANES - V_RUN; i >= 0; i -= V_RUN)
        for (i32 k = 0; k < V_RUN; k++)
            p[place[i / V_RUN] + k] = a.lane[i + k];
}

/* Writes the columns of runs: lane i of V_RUN lanes a run is first + place[i / V_RUN] + i % V_RUN.
 * Lanes whose bit is set are written side by side; LANES columns may be written. */
DEVICE void i_store_runs(i32 *to, const u16 *place, i32 first, u32 bits)
{
    static const u8 lanes[16][4] = {
        {0}, {0}, {1}, {0, 1}, {2}, {0, 2}, {1, 2}, {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
    };
    for (i32 i = 0; i < LANES; i += V_RUN) {
        const u32 run = bits >> i & ((1 << V_RUN) - 1);
        for (i32 k = 0; k < V_RUN; k++)
            to[k] = first + place[i / V_RUN] + lanes[run][k];
        to += u32_popcount(run);
    }
}

/* p[index[i]] = lane i of a, by one store per lane. No index may come twice. */
DEVICE void v_distribute(real *p, const i32 *index, vreal a)
{
    real value[LANES];

    v_store(value, a);
    for (i32 i = 0; i < LANES; i++)
        p[index[i]] = value[i];
}

/* ---- the first n lanes: the others are 0, and their memory is not accessed ------------------- */

/* v_load of n values, 0 < n < LANES. */
DEVICE vreal v_load_first(const real *p, i32 n)
{
    vreal r = v_zero();
    for (i32 i = 0; i < n; i++)
        r.lane[i] = p[i];
    return r;
}

/* The LANES / 2 values from p on, with undefined lanes above. A load of half a vector crosses a
 * cache line less often. */
DEVICE vreal v_load_half(const real *p)
{
    return v_load_first(p, LANES / 2);
}

/* v_store of the first n lanes, 0 < n < LANES. */
DEVICE void v_store_first(real *p, i32 n, vreal a)
{
    real value[LANES];

    v_store(value, a);
    for (i32 i = 0; i < n; i++)
        p[i] = value[i];
}

/* v_collect at n columns, 0 < n < LANES. */
DEVICE vreal v_collect_first(const real *x, const i32 *col, i32 n)
{
    vreal r = v_zero();
    for (i32 i = 0; i < n; i++)
        r.lane[i] = x[col[i]];
    return r;
}

/* a in the first n lanes, 0 <= n <= LANES. */
DEVICE vreal v_first(vreal a, i32 n)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = i < n ? a.lane[i] : 0;
    return r;
}

/* ---- indices ------------------------------------------------------------------------------- */

/* word[lane] >> shift, 0 <= shift < 32. The result must fit i32. */
DEVICE vindex i_high_bits(const u32 *word, i32 shift)
{
    vindex r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = (i32)(word[i] >> shift);
    return r;
}

/* first, first + 1, first + 2, ... */
DEVICE vindex i_from(i32 first)
{
    vindex r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = first + i;
    return r;
}

/* The index of the last lane. */
DEVICE i32 i_last(vindex a)
{
    return a.lane[LANES - 1];
}

/* p[index] = value in each lane. If lanes share an index, any one of them is stored. */
DEVICE void v_scatter(real *p, vindex index, vreal a)
{
    for (i32 i = 0; i < LANES; i++)
        p[index.lane[i]] = a.lane[i];
}

/* ---- masks --------------------------------------------------------------------------------- */

/* The lanes whose word has the bit `bit` (from 0, the lowest) set. */
DEVICE vmask m_test_bit(const u32 *word, i32 bit)
{
    vmask m = 0;
    for (i32 i = 0; i < LANES; i++)
        m |= ((word[i] >> bit) & 1u) << i;
    return m;
}

/* The mask as one bit for each lane, lane 0 lowest. */
DEVICE u32 m_bits(vmask m)
{
    return m;
}

/* The lanes whose bit is set, lane 0 lowest; bits < 2^LANES. */
DEVICE vmask m_from_bits(u32 bits)
{
    return bits;
}

/* a where the mask is set, b elsewhere. */
DEVICE vreal v_select(vmask m, vreal a, vreal b)
{
    vreal r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = (m >> i) & 1u ? a.lane[i] : b.lane[i];
    return r;
}

/* a*b + c where the mask is set, c elsewhere, whatever a and b hold there. The mask must come from
 * m_from_bits: other masks may set only the sign bit of a lane. */
DEVICE vreal v_fma_where(vmask m, vreal a, vreal b, vreal c)
{
    return v_select(m, v_fma(a, b, c), c);
}

/* Distributes consecutive values from p on over the lanes whose bit is set; other lanes are
 * undefined. May read LANES values. bits < 2^LANES. */
DEVICE vreal v_expand(const real *p, u32 bits)
{
    vreal r = v_zero();
    i32 k = 0;
    for (i32 i = 0; i < LANES; i++) {
        r.lane[i] = p[k];
        k += (i32)(bits >> i & 1u);
    }
    return r;
}

/* v_expand of values in a register: lane 0 goes to the first lane whose bit is set. */
DEVICE vreal v_spread(vreal packed, u32 bits)
{
    vreal r = v_zero();
    i32 k = 0;
    for (i32 i = 0; i < LANES; i++) {
        r.lane[i] = packed.lane[k];
        k += (i32)(bits >> i & 1u);
    }
    return r;
}

/* v_expand by a table of permutations, even if there is an instruction: faster on some CPUs. */
DEVICE vreal v_expand_by_table(const real *p, u32 bits)
{
    return v_expand(p, bits);
}

/* a where the mask is set, b elsewhere. */
DEVICE vindex i_select(vmask m, vindex a, vindex b)
{
    vindex r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = (m >> i) & 1u ? a.lane[i] : b.lane[i];
    return r;
}

/* a + 1 where the mask is set, a elsewhere. */
DEVICE vindex i_increment(vmask m, vindex a)
{
    vindex r;
    for (i32 i = 0; i < LANES; i++)
        r.lane[i] = a.lane[i] + (i32)((m >> i) & 1u);
    return r;
}

#endif
