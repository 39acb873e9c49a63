/* layout_values.h: the values of a strip in VAL, without loss in the narrowest coding they fit.
 *
 * The values of a strip's rows are a block, and those of each of its parts of split rows. A block
 * begins at the place in VAL that its first entry has in CSR, and takes the memory of as many
 * values at most; what a coding saves lies unused behind it, and no multiplication reads it:
 *
 *     VALUES_WIDE     | value | value | value ...                real each
 *     VALUES_EQUAL    | value |                                  all are equal
 *     VALUES_FEW      | table of TABLE_VALUES | code | code ...   u8 each, looked up in registers
 *     VALUES_BYTE     | table | code | code ...                  u8 each, looked up in memory
 *     VALUES_SINGLE   | value | value | value ...                f32 each
 *     VALUES_PADDED   | value | 0 | value ...                    real each, of diagonals
 *
 * Values are equal if their bits are. So a kernel decodes the bits that the caller's values have,
 * and the coding changes no result. LANES zeros follow the codes and the values in f32, because the
 * last vector reads past them: another code could be looked up outside of the table, and another
 * value could be a signalling NaN, whose conversion raises an exception. VALUES_SINGLE has only
 * zeros, infinities and normal numbers of f32: a CPU that is set to flush denormals, or to replace
 * NaNs, decodes these to the same bits, too.
 *
 * VALUES_PADDED is VALUES_WIDE of padded diagonals: a diagonal has a value for each row of a slice,
 * 0 where the row has no entry, so that values are aligned to vectors and are not spread by masks.
 * A mask still leaves out the zeros: 0 * Inf would be NaN. Such a block takes more memory than its
 * entries; block_place says where it begins.
 */
#ifndef SPMV_STRIPS_LAYOUT_VALUES_H
#define SPMV_STRIPS_LAYOUT_VALUES_H

#include "../prelude/base.h"

typedef enum value_kind {
    VALUES_WIDE,
    VALUES_EQUAL,
    VALUES_FEW,
    VALUES_BYTE,
    VALUES_SINGLE,
    VALUES_PADDED,
    VALUE_KINDS
} value_kind;

/* Which codings there are, besides VALUES_WIDE. VALUES_PADDED does not narrow values. */
enum {
    HAS_EQUAL = NARROW_VALUES,
    HAS_FEW = NARROW_VALUES && TABLE_VALUES > 0,
    HAS_BYTE = NARROW_VALUES && sizeof(real) > sizeof(f32),
    HAS_SINGLE = NARROW_VALUES && sizeof(real) > sizeof(f32),
    HAS_PADDED = PAD_NEAR > 0
};

/* The blocks of a strip. Its part of a split row `which` is block BLOCK_PARTS + which. */
enum { BLOCK_ROWS, BLOCK_PARTS, STRIP_BLOCKS = 3 };

enum { MOST_DISTINCT = 256 };    /* values of a table that a u8 indexes */

enum { DECODING_CHUNKS = 512 };  /* most chunks of a multiplication of several vectors */

/* Chunks of strips of a multiplication of several vectors. Each has memory for decoded values. */
DEVICE i64 decoding_chunk_count(i64 strips)
{
    return i64_min(strips, DECODING_CHUNKS);
}

enum {
    WHOLE_ROWS = 8,              /* a strip begins at a multiple of it */
    WHOLE_SHARE = 16             /* part of a strip's weight by which its begin moves, at most */
};

/* Values in the memory of such a chunk. A block has at most strip_weight entries, one more row that
 * begins there, and some whole rows; the last vector is written whole. */
DEVICE i64 decoded_count(i64 strip_weight)
{
    return 2 * strip_weight + strip_weight / WHOLE_SHARE + LANES;
}

/* The coding of a block. */
typedef struct value_coding {
    u16 kind;                    /* value_kind */
    u16 table;                   /* values before the codes */
} value_coding;

/* Whether a block has values of type real, one by one. */
DEVICE bool has_reals(i32 kind)
{
    return kind == VALUES_WIDE || (HAS_PADDED && kind == VALUES_PADDED);
}

/* Bytes of VAL for a value, besides the table. */
DEVICE i32 value_code_bytes(i32 kind)
{
    return has_reals(kind)         ? (i32)sizeof(real)
           : kind == VALUES_EQUAL  ? 0
           : kind == VALUES_SINGLE ? (i32)sizeof(f32)
                                   : 1;
}

DEVICE bool has_codes(value_coding coding)
{
    return coding.kind == VALUES_FEW || coding.kind == VALUES_BYTE;
}

/* Value k of a block. */
DEVICE real value_at(value_coding coding, const real *block, i64 k)
{
    const u8 *code = (const u8 *)(block + coding.table);

    if (has_reals(coding.kind))
        return block[k];
    if (coding.kind == VALUES_SINGLE)
        return ((const f32 *)block)[k];
    return block[coding.kind == VALUES_EQUAL ? 0 : code[k]];
}

#endif
