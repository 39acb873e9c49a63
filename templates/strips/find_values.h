/* find_values.h: finds the coding of a block of values, and writes the block. */
#ifndef SPMV_STRIPS_FIND_VALUES_H
#define SPMV_STRIPS_FIND_VALUES_H

#include "../prelude/host.h"
#include "layout.h"
#include "layout_values.h"

enum {
    SLOT_BITS = 10,
    SLOTS = 1 << SLOT_BITS,      /* of a value_finder: four times its values, or more */
    MOST_MOVES = 64,             /* of values to their other slots, for a new value */
    VALUE_SAMPLE = 64,           /* values of a block that are looked at first */
    SEEN_WORDS = 64,
    VALUE_GROUP = 256,           /* values that are widened and tested at once */
    NEAR_VALUES = 2048           /* least values of a block of a small matrix */
};

/* Finds codes of values. A value's code is in one of two slots, so that a search has no branch to
 * mispredict (cuckoo hashing). Slots without a code have 0, that of the first value. */
typedef struct value_finder {
    i32 distinct, most;          /* values in the table, now and at most */
    u8 slot[SLOTS];              /* codes */
    u64 table[MOST_DISTINCT];    /* bits of the value of each code */
} value_finder;

typedef union value_bits {
    u64 bits;
    real value;
} value_bits;

HOST u64 bits_of(real value)
{
    value_bits b;
    b.bits = 0;                  /* a value may have fewer bits */
    b.value = value;
    return b.bits;
}

HOST real value_with(u64 bits)
{
    value_bits b;
    b.bits = bits;
    return b.value;
}

HOST u64 hash_of(u64 bits)
{
    return (bits ^ bits >> 32) * 0x9e3779b97f4a7c15u;
}

HOST u64 first_slot(u64 hash)
{
    return hash >> (64 - SLOT_BITS);
}

HOST u64 second_slot(u64 hash)
{
    return hash >> (64 - 2 * SLOT_BITS) & (SLOTS - 1);
}

/* ---- the caller's values ------------------------------------------------------------------- */

/* The values of a block in the order of CSR: of the type real, or of f32, which is widened. */
typedef struct value_source {
    const real *values;
    const f32 *singles;          /* NULL: use `values` */
} value_source;

/* The values of CSR from entry `begin` on. */
static value_source source_of_values(const spmv_layout *layout, i64 begin)
{
    value_source from = {NULL, NULL};

    if (HAS_SINGLE && layout->val_type == SPMV_F32)
        from.singles = (const f32 *)layout->csr.val + begin;
    else
        from.values = csr_val(layout) + begin;
    return from;
}

HOST real source_value(value_source from, i64 k)
{
    return HAS_SINGLE && from.singles ? (real)from.singles[k] : from.values[k];
}

/* `count` values from the k-th on, at most VALUE_GROUP: where they stand, or widened. */
HOST const real *source_group(value_source from, i64 k, i64 count, real *widened)
{
    (void)count;
    (void)widened;
    if (!HAS_SINGLE || !from.singles)
        return from.values + k;
    for (i64 i = 0; i < count; i++)
        widened[i] = from.singles[k + i];
    return widened;
}

/* ---- finding a coding ---------------------------------------------------------------------- */

/* Whether a sample of values repeats some. If it does not, the block has probably too many values
 * for a table. */
static bool repeats_values(value_source from, i64 count)
{
    const i64 samples = i64_min(count, VALUE_SAMPLE);
    u64 seen[SEEN_WORDS] = {0};
    i64 repeated = 0;

    for (i64 i = 0; i < samples; i++) {
        const u64 hash = hash_of(bits_of(source_value(from, share_begin(i, count, samples))));
        const u64 word = hash >> 58;
        repeated += (i64)(seen[word] >> (hash >> 52 & 63) & 1);
        seen[word] |= (u64)1 << (hash >> 52 & 63);
    }
    return repeated > 1;
}

HOST void begin_table(value_finder *f, i32 most)
{
    f->most = most;
    for (i32 i = 0; i < SLOTS; i++)
        f->slot[i] = 0;
}

/* Adds a value, with the next code. Returns false if there is no room. */
static bool add_value(value_finder *f, u64 bits)
{
    u64 i = first_slot(hash_of(bits));
    u8 code = (u8)f->distinct;

    if (f->distinct == f->most)
        return false;
    f->table[f->distinct++] = bits;
    for (i32 moves = 0; moves < MOST_MOVES; moves++) {
        const u8 other = f->slot[i];
        const u64 hash = hash_of(f->table[other]);
        f->slot[i] = code;
        if (other == 0)
            return true;
        i = first_slot(hash) == i ? second_slot(hash) : first_slot(hash);
        code = other;
    }
    return false;
}

/* The code of a value, which is new if the table lacks it; -1: there is no room. For tables of a
 * few values, which are nearly always in their first slot. */
HOST i32 code_of_few(value_finder *f, real value)
{
    const u64 bits = bits_of(value);
    const u64 hash = hash_of(bits);
    i32 code = f->slot[first_slot(hash)];

    if (f->table[code] == bits)
        return code;
    code = f->slot[second_slot(hash)];
    if (f->table[code] == bits)
        return code;
    if (f->table[0] == bits)
        return 0;
    return add_value(f, bits) ? f->distinct - 1 : -1;
}

/* The same for any table. Reads both slots, because a branch would be mispredicted often, and tests
 * the code that it found: a compiler would make branches of a test of each slot. */
HOST i32 code_of_any(value_finder *f, real value)
{
    const u64 bits = bits_of(value);
    const u64 hash = hash_of(bits);
    const i32 first = f->slot[first_slot(hash)];
    const i32 second = f->slot[second_slot(hash)];
    const i32 code = (first & -(i32)(f->table[first] == bits)) |
                     (second & -(i32)(f->table[second] == bits));

    if (code | (i32)(f->table[0] == bits))
        return code;
    return add_value(f, bits) ? f->distinct - 1 : -1;
}

/* Number of values from the first on that equal it. */
static i64 count_equal(value_source from, i64 count)
{
    const u64 first = bits_of(source_value(from, 0));
    i64 k = 1;

    while (k < count && bits_of(source_value(from, k)) == first)
        k++;
    return k;
}

/* Writes the codes of `count` values. Returns false if the table has no room for one. */
static bool find_group_codes(value_finder *f, const real *value, i64 count, u8 *code)
{
    i32 found = 0;
    i64 k = 0;

    for (; k < count && found >= 0 && f->distinct <= TABLE_VALUES; k++) {
        found = code_of_few(f, value[k]);
        code[k] = (u8)found;
    }
    for (; k < count && found >= 0; k++) {
        found = code_of_any(f, value[k]);
        code[k] = (u8)found;
    }
    return found >= 0;
}

/* Finds the distinct values of a block, and writes their codes in the order of CSR. Returns false
 * if there are more than `most`. */
static bool find_codes(value_finder *f, value_source from, i64 count, i32 most, u8 *code)
{
    const i64 group = HAS_SINGLE && from.singles ? (i64)VALUE_GROUP : count;
    real widened[VALUE_GROUP];
    bool fit = true;

    f->table[0] = bits_of(source_value(from, 0));
    f->distinct = 1;
    if (count_equal(from, count) == count)
        return true;
    if (most <= 1 || !repeats_values(from, count))
        return false;
    begin_table(f, most);
    for (i64 k = 0; k < count && fit; k += group) {
        const i64 n = i64_min(group, count - k);
        fit = find_group_codes(f, source_group(from, k, n, widened), n, code + k);
    }
    return fit;
}

/* Whether f32 has an f64 value as a zero, an infinity or a normal number. Tests bits, because a
 * conversion of other values could trap. */
HOST bool is_single(real value)
{
    const u64 bits = bits_of(value);
    const u64 size = bits << 1 >> 1;

    return (bool)((i32)((bits & 0x1fffffff) == 0) &
                  ((i32)(size - 0x3810000000000000u < 0x0fe0000000000000u) | (i32)(size == 0) |
                   (i32)(size == 0x7ff0000000000000u)));
}

/* Tests values in groups, which compilers vectorise. */
static bool all_are_single(value_source from, i64 count)
{
    const i64 samples = i64_min(count, VALUE_SAMPLE);
    real widened[VALUE_GROUP];
    i32 others = 0;

    for (i64 i = 0; i < samples; i++)
        if (!is_single(source_value(from, share_begin(i, count, samples))))
            return false;
    for (i64 k = 0; k < count && !others; k += VALUE_GROUP) {
        const i64 n = i64_min(VALUE_GROUP, count - k);
        const real *value = source_group(from, k, n, widened);
        for (i64 i = 0; i < n; i++)
            others |= !is_single(value[i]);
    }
    return !others;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Where the values of a block go. Passed by value: writing a code must not make compilers load all
 * of this again. */
typedef struct value_output {
    value_coding coding;
    i64 begin, end;              /* the block's entries, in CSR and VAL */
    value_source from;           /* all of CSR */
    i64 space_end;               /* end of the space of padded diagonals, as `end` */
    real *val;                   /* VAL, from where the block stands at place `begin` */
    const u8 *found;             /* the codes in the order of CSR, in the unused end of the block */
    u8 *code;                    /* the codes in the order of VAL */
    f32 *single;                 /* VALUES_SINGLE */
} value_output;

/* Bytes of a block of `count` values in a coding, with the zeros after codes. */
HOST i64 block_bytes(value_coding coding, i64 count)
{
    return coding.table * (i64)sizeof(real) + count * value_code_bytes(coding.kind) +
           (has_codes(coding) ? LANES : 0);
}

/* The codings that a block may have. */
typedef struct value_choice {
    bool registers;              /* VALUES_FEW and VALUES_SINGLE */
    bool memory;                 /* VALUES_BYTE */
} value_choice;

/* A coding other than VALUES_EQUAL is for values beyond the caches, whose bytes take longer than
 * decoding does. With NARROW_NEAR, lanes and diagonals decode for nothing; are_spread says that
 * values are of runs or parts, which masks spread over lanes. A small block is not examined,
 * because it gains nothing. A table in memory does not pay for f32. */
HOST value_choice choose_codings(const spmv_csr *csr, i64 count, bool are_spread)
{
    const bool is_far = csr->nnz > NARROW_FAR / (i64)sizeof(real);
    value_choice choice;

    (void)count;
    (void)are_spread;
    choice.registers = is_far || (NARROW_NEAR && !are_spread && count >= NEAR_VALUES);
    choice.memory = HAS_BYTE && is_far;
    return choice;
}

/* The coding of a block. Tables and codes must have at most half of the values' bytes. */
static value_coding find_coding(value_finder *f, value_choice choice, value_source from, i64 count,
                                u8 *code)
{
    const i32 most = choice.memory ? MOST_DISTINCT : choice.registers ? TABLE_VALUES : 1;
    const value_coding wide = { VALUES_WIDE, 0 };
    const value_coding single = { VALUES_SINGLE, 0 };
    value_coding coding = wide;

    if (count == 0)
        return wide;
    if (find_codes(f, from, count, most, code)) {
        coding.kind = f->distinct == 1              ? VALUES_EQUAL
                      : f->distinct <= TABLE_VALUES ? VALUES_FEW
                                                    : VALUES_BYTE;
        coding.table = (u16)(coding.kind == VALUES_FEW ? TABLE_VALUES : f->distinct);
        if (2 * block_bytes(coding, count) <= block_bytes(wide, count))
            return coding;
    }
    if (HAS_SINGLE && choice.registers && count >= LANES && all_are_single(from, count))
        return single;
    return wide;
}

/* VAL, from where a block of this kind that begins with entry `begin` stands at place `begin`. */
HOST real *moved_val(const spmv_layout *layout, i32 kind, i64 begin)
{
    return (real *)layout->array[VAL].data +
           (block_place(layout->number[NUMBER_PADDING], kind, begin) - begin);
}

/* Begins the block of the entries [begin, end): finds its coding and writes its table. Zeros of
 * padded diagonals are written with the diagonals. */
static value_output begin_values(const spmv_layout *layout, value_finder *f, i64 begin, i64 end,
                                 block_use use)
{
    const value_coding wide = { VALUES_WIDE, 0 };
    value_output out;

    out.begin = begin;
    out.end = end;
    out.from = source_of_values(layout, 0);
    out.space_end = begin + padded_space(layout->number[NUMBER_PADDING], begin, end);
    out.val = moved_val(layout, VALUES_WIDE, begin);
    real *block = out.val + begin;
    u8 *found = (u8 *)(out.val + end) - (end - begin);
    out.found = found;
    out.coding = wide;
    if (NARROW_VALUES && !layout->setting[SETTING_WIDE_VALUES])
        out.coding = find_coding(f, choose_codings(&layout->csr, end - begin, use == SPREAD_BLOCK),
                                 source_of_values(layout, begin), end - begin, found);
    out.code = (u8 *)(block + out.coding.table);
    out.single = (f32 *)block;
    for (i32 i = 0; i < out.coding.table; i++)
        block[i] = value_with(f->table[i < f->distinct ? i : 0]);
    for (i32 i = 0; i < LANES && has_codes(out.coding); i++)
        out.code[end - begin + i] = 0;
    if (HAS_SINGLE && out.coding.kind == VALUES_SINGLE)
        for (i32 i = 0; i < LANES; i++)
            out.single[end - begin + i] = 0;
    if (HAS_PADDED && use == PADDED_BLOCK && out.coding.kind == VALUES_WIDE) {
        out.coding.kind = VALUES_PADDED;
        out.val = moved_val(layout, VALUES_PADDED, begin);
    }
    return out;
}

/* Whether the values are copied as they are. */
HOST bool copies_values(value_output out)
{
    return has_reals(out.coding.kind) && !(HAS_SINGLE && out.from.singles);
}

/* Writes the value at place `csr` of CSR to place `stored` of VAL. is_copy, by copies_values, is a
 * constant, because most blocks are copied. */
INLINED void write_value(bool is_copy, value_output out, i64 stored, i64 csr)
{
    if (is_copy)
        out.val[stored] = out.from.values[csr];
    else if (has_codes(out.coding))
        out.code[stored - out.begin] = out.found[csr - out.begin];
    else if (HAS_SINGLE && out.coding.kind == VALUES_SINGLE)
        out.single[stored - out.begin] = out.from.singles ? out.from.singles[csr]
                                                          : (f32)out.from.values[csr];
    else if (HAS_SINGLE && has_reals(out.coding.kind))
        out.val[stored] = out.from.singles[csr];
}

/* Writes zeros where a padded diagonal at `stored` has holes. */
HOST void clear_holes(value_output out, i64 stored, u32 mask)
{
    for (i32 i = 0; i < DIAGONAL_ROWS; i++)
        if (!(mask >> i & 1u))
            out.val[stored + i] = 0;
}

/* Writes values that VAL has in the order of CSR. */
static void write_values_in_order(value_output out)
{
    if (copies_values(out))
        for (i64 k = out.begin; k < out.end; k++)
            write_value(true, out, k, k);
    else if (HAS_SINGLE && out.coding.kind == VALUES_SINGLE && out.from.values)
        for (i64 k = out.begin; k < out.end; k++)
            out.single[k - out.begin] = (f32)out.from.values[k];
    else if (out.coding.kind != VALUES_EQUAL)
        for (i64 k = out.begin; k < out.end; k++)
            write_value(false, out, k, k);
}

#endif
