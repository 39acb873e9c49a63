/* simd_values.h: loads the values of a block of VAL by vectors, whatever their coding.
 *
 * Every function has the kind of coding as its first argument, which callers pass as a literal: so
 * a kernel is compiled once for each kind, from one text.
 */
#ifndef SPMV_STRIPS_SIMD_VALUES_H
#define SPMV_STRIPS_SIMD_VALUES_H

#include "../common/simd_fetch_ahead.h"
#include "../common/simd_x_at.h"
#include "../prelude/simd.h"
#include "layout.h"
#include "layout_values.h"

/* The place of the next entry of a block. Each kind of coding uses some of the members. */
typedef struct value_cursor {
    const real *val;             /* of type real: the next entry; else the block's table */
    const u8 *code;
    const f32 *single;
    vtable table;                /* VALUES_FEW: in registers, as writes to y may alias VAL */
} value_cursor;

/* The first entry of a block of strip s, which is entry `begin` of CSR. */
INLINED value_cursor first_value(const i32 kind, const strips_matrix *a, i64 s, i32 block,
                                 i64 begin)
{
    value_cursor at = {0};       /* compilers do not see that no other kind reads the table */

    at.val = a->val + block_place(a->padding, kind, begin);
    at.code = (const u8 *)(at.val + coding_of(a, s, block).table);
    at.single = (const f32 *)at.val;
    if (kind == VALUES_FEW)
        at.table = v_table(at.val);
    return at;
}

/* Skips n entries. */
INLINED void skip_values(const i32 kind, value_cursor *at, i64 n)
{
    if (has_reals(kind))
        at->val += n;
    else if (kind == VALUES_SINGLE)
        at->single += n;
    else if (kind != VALUES_EQUAL)
        at->code += n;
}

/* LANES values, from the k-th entry after *at on. */
INLINED vreal load_values(const i32 kind, const value_cursor *at, i64 k)
{
    if (has_reals(kind))
        return v_load(at->val + k);
    if (kind == VALUES_EQUAL)
        return v_all(*at->val);
    if (kind == VALUES_FEW)
        return v_pick(at->table, at->code + k);
    if (kind == VALUES_SINGLE)
        return v_load_single(at->single + k);
    return GATHER ? v_gather8(at->val, at->code + k) : v_collect8(at->val, at->code + k);
}

/* n < LANES values, zeros above. */
INLINED vreal load_first_values(const i32 kind, const value_cursor *at, i64 k, i32 n)
{
    return kind == VALUES_WIDE ? v_load_first(at->val + k, n)
                               : v_first(load_values(kind, at, k), n);
}

/* Spreads values from the k-th on over the lanes whose bit is set; other lanes are undefined. */
INLINED vreal expand(const i32 kind, const value_cursor *at, i64 k, u32 bits)
{
    if (kind == VALUES_EQUAL)
        return v_all(*at->val);
    if (kind != VALUES_WIDE)
        return v_spread(load_values(kind, at, k), bits);
    return EXPAND_WITH_TABLE ? v_expand_by_table(at->val + k, bits) : v_expand(at->val + k, bits);
}

/* The address of the k-th entry, for prefetches. */
INLINED const void *value_place(const i32 kind, const value_cursor *at, i64 k)
{
    if (has_reals(kind))
        return at->val + k;
    if (kind == VALUES_SINGLE)
        return at->single + k;
    return at->code + k;
}

/* Whether a prefetch of values pays: codes of a byte are few cache lines. */
INLINED bool fetches_values(const i32 kind)
{
    return has_reals(kind) || kind == VALUES_SINGLE;
}

#endif
