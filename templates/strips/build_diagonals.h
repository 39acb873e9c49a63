/* build_diagonals.h: writes a strip as STRIP_DIAGONALS. */
#ifndef SPMV_STRIPS_BUILD_DIAGONALS_H
#define SPMV_STRIPS_BUILD_DIAGONALS_H

#include "build_output.h"
#include "choose_diagonals.h"
#include "find_diagonals.h"
#include "find_rows.h"
#include "find_values.h"
#include "layout.h"
#include "layout_diagonals.h"

enum { NOT_STORED = -1 };        /* a slice cannot be stored as diagonals */

/* Writes pairs into a strip's space in INDEX. */
typedef struct pair_writer {
    i32 *pair, *end;             /* the next pair; the end of the space */
    bool is_second;              /* the next diagonal is the second of its pair */
    bool has_overflowed;         /* there was no room for a pair */
} pair_writer;

/* A writer of the pairs of strip s. */
static pair_writer pair_writer_of(const strip_output *to, const strip_rows *r, i64 s)
{
    pair_writer w;
    w.pair = to->index + strip_index(r->entry, s);
    w.end = w.pair + r->nnz + INDEX_PAD;
    w.is_second = false;
    w.has_overflowed = false;
    return w;
}

static void append_diagonal(pair_writer *w, i32 diagonal, u32 mask)
{
    if (w->is_second) {
        w->pair[1] = diagonal;
        w->pair[2] = (i32)((u32)w->pair[2] | mask << 16);
        w->pair += PAIR;
    } else if (w->end - w->pair >= PAIR) {
        w->pair[0] = diagonal;
        w->pair[1] = diagonal;
        w->pair[2] = (i32)mask;
    } else {
        w->has_overflowed = true;
        return;
    }
    w->is_second = !w->is_second;
}

/* Ends the pairs of a slice. */
static void finish_pairs(pair_writer *w)
{
    w->pair += w->is_second ? PAIR : 0;
    w->is_second = false;
}

/* The most recent lists of a strip. */
typedef struct recent_lists {
    diagonal_list list[RECENT_LISTS];
    i32 count;                   /* lists of the strip so far */
} recent_lists;

static bool is_same_list(const i32 *a, const i32 *b, i32 pairs)
{
    i32 i = 0;

    while (i < pairs * PAIR && a[i] == b[i])
        i++;
    return i == pairs * PAIR;
}

/* The list of the pairs that were written last, from `list` on. If a recent list is equal, removes
 * these pairs and returns that list. */
static diagonal_list share_list(recent_lists *table, const i32 *index, i32 *list, pair_writer *w)
{
    diagonal_list own;

    own.first = (u16)((list - index) / PAIR);
    own.pairs = (u16)((w->pair - list) / PAIR);
    own.leaves_x = 0;
    for (i32 i = 0; i < table->count && i < RECENT_LISTS; i++) {
        const diagonal_list other = table->list[i];
        if (other.pairs == own.pairs && is_same_list(index + other.first * PAIR, list, own.pairs)) {
            w->pair = list;
            return other;
        }
    }
    table->list[table->count++ % RECENT_LISTS] = own;
    return own;
}

/* Whether the values of `count` more diagonals fit, from place `stored` on. */
HOST bool has_room(value_output values, i64 stored, i32 count)
{
    return values.coding.kind != VALUES_PADDED ||
           stored + (i64)count * DIAGONAL_ROWS <= values.space_end;
}

/* Writes the values of the finder's diagonals, sorted by diagonal, then by lane; returns their
 * end. Each padded diagonal has a value for each lane. */
INLINED i64 write_diagonal_values(bool is_copy, diagonal_finder *f, value_output values,
                                  i64 stored)
{
    const bool is_padded = HAS_PADDED && values.coding.kind == VALUES_PADDED;
    u32 sum = 0;

    for (i32 i = 0; i < f->count; i++) {
        const u32 mask = f->mask[f->found[i]];
        f->value[f->found[i]] = (u16)sum;
        if (is_padded)
            clear_holes(values, stored + sum, mask);
        sum += (u32)(is_padded ? padded_values(mask) : u32_popcount(mask));
    }
    for (i32 i = 0; i < f->lanes; i++) {
        const u32 zero = (u32)f->a->base + (u32)i + (u32)f->first;
        for (i64 k = f->from[i]; k < f->at[i]; k++) {
            u16 *next = &f->value[(u32)f->a->col_idx[k] - zero];
            write_value(is_copy, values, stored + *next + (is_padded ? i : 0), k);
            *next = (u16)(*next + (is_padded ? 0 : 1));
        }
    }
    return stored + sum;
}

/* Writes a slice of full diagonals, whose entries begin at `begin` in CSR and at `stored` in VAL.
 * Returns their end in VAL, or NOT_STORED. */
INLINED i64 write_full_diagonals(bool is_copy, const csr_source *a, i64 begin, i32 diagonals,
                                 i32 row, pair_writer *writer, value_output values, i64 stored)
{
    const i32 *col = a->col_idx + begin;
    i32 before = -1;

    for (i32 k = 0; k < diagonals; k++) {
        const i32 column = col[k] - a->base;
        if (column <= before || column > a->cols - DIAGONAL_ROWS || writer->has_overflowed ||
            !has_room(values, stored, 1))
            return NOT_STORED;
        append_diagonal(writer, column - row, full_mask());
        i64 from = begin + k;
        UNROLL
        for (i32 i = 0; i < DIAGONAL_ROWS; i++) {
            write_value(is_copy, values, stored++, from);
            from += diagonals;
        }
        before = column;
    }
    return stored;
}

/* Writes the pairs and values of any slice after `stored` values; returns the number of values
 * then, or NOT_STORED. Sets *at_border if a vector on a diagonal leaves x. */
INLINED i64 write_diagonals(bool is_copy, const strip_rows *r, i32 row, diagonal_finder *f,
                            pair_writer *writer, value_output values, i64 stored, bool *at_border)
{
    if (!begin_slice(r, row, f))
        return NOT_STORED;
    while (find_diagonals(f)) {
        for (i32 i = 0; i < f->count; i++)
            append_diagonal(writer, f->first + f->found[i] - r->first - row, f->mask[f->found[i]]);
        const bool is_sound = !writer->has_overflowed && has_room(values, stored, f->count);
        *at_border |= leaves_x(f);
        if (is_sound)
            stored = write_diagonal_values(is_copy, f, values, stored);
        forget_diagonals(f);
        if (!is_sound)
            return NOT_STORED;
    }
    return stored;
}

/* Writes strip s. Returns false if it cannot be stored as diagonals, or not as padded ones: the
 * choice read only some slices. New values may have another coding, so that padded diagonals must
 * fit whatever the coding is now. is_copy is a constant. */
INLINED bool write_diagonal_slices(bool is_copy, const csr_source *a, const strip_rows *r,
                                   diagonal_finder *finder, strip *t, i64 s,
                                   const strip_output *to, value_output values)
{
    pair_writer writer = pair_writer_of(to, r, s);
    const i32 *index = writer.pair;
    diagonal_list *list = to->diagonals + first_diagonal_slice(t->row, s);
    recent_lists table;
    i32 pairs = 0;
    i32 singles = 0;             /* lists of an odd number of diagonals */
    i64 stored = r->entry;

    table.count = 0;
    for (i32 row = 0; row < r->count; row += DIAGONAL_ROWS, list++) {
        i32 *begin = writer.pair;
        const i32 full = count_full_diagonals(a, r, row);
        bool at_border = false;

        stored = full ? write_full_diagonals(is_copy, a, row_begin(&a->row_ptr, r->first + row),
                                             full, r->first + row, &writer, values, stored)
                      : write_diagonals(is_copy, r, row, finder, &writer, values, stored,
                                        &at_border);
        if (stored == NOT_STORED)
            return false;
        singles += writer.is_second;
        finish_pairs(&writer);
        if (writer.has_overflowed)
            return false;
        *list = share_list(&table, index, begin, &writer);
        list->leaves_x = at_border;
        pairs += list->pairs;
    }
    t->pairs = pairs;
    t->padded_values = (2 * pairs - singles) * DIAGONAL_ROWS;
    return !t->is_padded || r->entry + t->padded_values <= values.space_end;
}

static bool build_diagonals(const csr_source *a, const strip_rows *r, diagonal_finder *finder,
                            strip *t, i64 s, const strip_output *to, value_output values)
{
    return copies_values(values)
               ? write_diagonal_slices(true, a, r, finder, t, s, to, values)
               : write_diagonal_slices(false, a, r, finder, t, s, to, values);
}

#endif
