/* choose_values.h: what the coding of a strip's values saves, estimated from some of its values.
 *
 * Only the cost of a plan depends on it, by which a method is chosen: the storage of a strip does
 * not, so that new values keep it.
 */
#ifndef SPMV_STRIPS_CHOOSE_VALUES_H
#define SPMV_STRIPS_CHOOSE_VALUES_H

#include "cost.h"
#include "find_values.h"

enum {                           /* values of a block that an estimate reads */
    REGISTER_SAMPLE = 256,       /* where a table fits registers */
    MEMORY_SAMPLE = 1024         /* where it may have MOST_DISTINCT values */
};

/* The cost of decoding a vector. */
static i64 decoding_cost(i32 kind)
{
    return kind == VALUES_FEW      ? COST_FEW_VECTOR
           : kind == VALUES_BYTE   ? COST_BYTE_VECTOR
           : kind == VALUES_SINGLE ? COST_SINGLE_VECTOR
                                   : 0;
}

/* What the coding saves of the cost of `count` values: at least 0, since decoding may overlap with
 * loads. */
static i64 saved_cost(value_coding coding, i64 count)
{
    const value_coding wide = { VALUES_WIDE, 0 };
    const i64 bytes = block_bytes(wide, count) - block_bytes(coding, count);

    return i64_max(COST_BYTE * bytes - decoding_cost(coding.kind) * count / LANES, 0);
}

/* What coding saves of the cost of the block of entries [begin, end), whose coding is taken to be
 * that of the values in its middle. */
static i64 estimate_saving(const spmv_layout *layout, value_finder *f, i64 begin, i64 end,
                           bool are_spread)
{
    const value_choice choice = choose_codings(&layout->csr, end - begin, are_spread);
    const i64 samples = i64_min(end - begin, choice.memory ? MEMORY_SAMPLE : REGISTER_SAMPLE);
    u8 code[MEMORY_SAMPLE];

    if (layout->setting[SETTING_WIDE_VALUES] || !layout->csr.val || samples <= 0)
        return 0;
    const value_source from = source_of_values(layout, begin + (end - begin - samples) / 2);

    return saved_cost(find_coding(f, choice, from, samples, code), end - begin);
}

#endif
