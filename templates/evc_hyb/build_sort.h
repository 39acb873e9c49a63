/* build_sort.h: sorts rows by falling length, then by first column, then by row.
 *
 * Guo, Gropp & Olson, IJHPCA 2016, 2.1: rows by length, rows of one length by their first column.
 * Pairs of both are counted in coarse buckets, and each bucket is then sorted by itself:
 *
 *     lengths beyond BOUNDARY, by octave        BOUNDARY, ..., 1: COL_BUCKETS each        0
 *     +---------+---------+-----+---------+    +---------+---------+-----+---------+    +------+
 *     | >= 2^31 | >= 2^30 | ... | >= 2^0  |    | columns | columns | ... | columns |    | rows |
 *     +---------+---------+-----+---------+    +---------+---------+-----+---------+    +------+
 *
 *   1. sort_count    each chunk of rows counts its rows in every bucket;
 *   2. sort_place    turns the counts into positions of each chunk's rows of each bucket;
 *   3. sort_spread   moves the rows there, in order, with their first columns as keys;
 *   4. sort_buckets  sorts each bucket by first column, rows beyond BOUNDARY then by length;
 *      (sort_windows then sorts the ELL part by windows, if SORT_WINDOW is not 0);
 *   5. sort_invert   if x is permuted too: finds the position of each row.
 *
 * Chunks depend on the number of rows only, and each step is stable, so the order does not depend
 * on how chunks are distributed over threads.
 *
 * Where the paper leaves a gap or this differs: lengths fall (in the paper they rise); the first
 * column is the column of the entry that CSR stores first, since columns need not be sorted; rows
 * without entries have no first column, and stay in order at the end; rows of 2^32 - 1 entries and
 * more count as equally long.
 *
 * The scratch memory of the build, in this order:
 *
 *   keys, other   sort_key[rows]: the keys, and a second array for sorting
 *   count         u32[chunks][BUCKETS]: rows of a bucket in a chunk, then the next one's position
 *   bucket_end    u32[BUCKETS]: the end position of each bucket
 *
 * After that, `other` holds the positions.
 */
#ifndef SPMV_EVC_HYB_BUILD_SORT_H
#define SPMV_EVC_HYB_BUILD_SORT_H

#include "layout.h"

enum {
    SORT_CHUNKS = 64,            /* most chunks */
    SORT_CHUNK_ROWS = 8192,      /* least rows of a chunk, if there are several chunks */
    LONG_CLASSES = 32,           /* octaves of lengths beyond BOUNDARY */
    COL_BUCKETS = BOUNDARY <= 64 ? 32 : BOUNDARY <= 256 ? 16 : BOUNDARY <= 1024 ? 4 : 1,
    EMPTY_BUCKET = LONG_CLASSES + BOUNDARY * COL_BUCKETS,
    BUCKETS = EMPTY_BUCKET + 1,
    DIGIT_BITS = 8,              /* bits of a key that one pass sorts by */
    DIGITS = 1 << DIGIT_BITS,
    FEW_KEYS = 48                /* up to this many keys are sorted by insertion */
};

typedef struct sort_key {
    u32 key;
    i32 row;
} sort_key;

typedef struct sort_view {
    row_offsets row_ptr;
    const i32 *col_idx;
    i64 rows, chunks;
    i32 base;
    i32 col_shift;               /* column >> col_shift is below COL_BUCKETS */
    sort_key *keys, *other;
    u32 *count, *bucket_end;
} sort_view;

static i64 sort_chunk_count(const spmv_layout *layout)
{
    return i64_min(i64_ceil_div(layout->csr.rows, SORT_CHUNK_ROWS), SORT_CHUNKS);
}

static spmv_status set_sort_scratch(spmv_layout *layout)
{
    const i64 words = (sort_chunk_count(layout) + 1) * BUCKETS;
    return set_build_scratch(layout, 2 * layout->csr.rows + (words + 1) / 2, sizeof(sort_key));
}

static sort_view sort_view_of(const spmv_job *job)
{
    const spmv_csr *csr = &job->layout->csr;
    sort_view s;

    s.row_ptr = row_offsets_of(csr);
    s.col_idx = csr->col_idx;
    s.rows = csr->rows;
    s.chunks = sort_chunk_count(job->layout);
    s.base = csr->base;
    s.col_shift = 0;
    while ((SORT_WINDOW ? csr->rows - 1 : csr->cols - 1) >> s.col_shift >= COL_BUCKETS)
        s.col_shift++;
    s.keys = (sort_key *)job->workspace;
    s.other = s.keys + s.rows;
    s.count = (u32 *)(s.other + s.rows);
    s.bucket_end = s.count + s.chunks * BUCKETS;
    return s;
}

static u32 *chunk_counts(const sort_view *s, i64 chunk)
{
    return s->count + chunk * BUCKETS;
}

/* ---- buckets ------------------------------------------------------------------------------- */

static i64 sort_length(const sort_view *s, i64 row)
{
    return row_length(&s->row_ptr, row);
}

/* The first column of a nonempty row, counted from 0; with windows, the row. */
static u32 sort_first_column(const sort_view *s, i64 row)
{
    (void)s;
    if (SORT_WINDOW)
        return (u32)row;
    return (u32)(s->col_idx[row_begin(&s->row_ptr, row)] - s->base);
}

/* Key of a length beyond BOUNDARY: longer rows have smaller keys. */
static u32 sort_long_key(i64 length)
{
    return 0xffffffffu - (u32)i64_min(length, 0xffffffff);
}

/* First bucket of a length of 1 to BOUNDARY. */
static i32 sort_short_bucket(i64 length)
{
    return LONG_CLASSES + (BOUNDARY - (i32)length) * COL_BUCKETS;
}

static i32 sort_long_bucket(i64 length)
{
    i32 octave = 0;

    while (octave < LONG_CLASSES - 1 && length >> (octave + 1))
        octave++;
    return LONG_CLASSES - 1 - octave;
}

static i32 sort_bucket(const sort_view *s, i64 row)
{
    const i64 length = sort_length(s, row);

    if (length == 0)
        return EMPTY_BUCKET;
    if (length > BOUNDARY)
        return sort_long_bucket(length);
    /* The mask keeps an invalid column within the buckets. */
    return sort_short_bucket(length) +
           (i32)(sort_first_column(s, row) >> s->col_shift & (COL_BUCKETS - 1));
}

/* Number of rows of this length, 1 to BOUNDARY. */
static i64 sort_rows_of_length(const sort_view *s, i64 length)
{
    const i32 bucket = sort_short_bucket(length);
    return (i64)s->bucket_end[bucket + COL_BUCKETS - 1] - (i64)s->bucket_end[bucket - 1];
}

/* ---- a bucket ------------------------------------------------------------------------------ */

static void sort_by_insertion(sort_key *keys, i64 count)
{
    for (i64 i = 1; i < count; i++) {
        const sort_key moved = keys[i];
        i64 k = i;
        for (; k > 0 && keys[k - 1].key > moved.key; k--)
            keys[k] = keys[k - 1];
        keys[k] = moved;
    }
}

/* One pass: sorts by the digit that begins at bit `shift`. */
static void sort_by_digit(const sort_key *from, sort_key *to, i64 count, i32 shift)
{
    u32 next[DIGITS] = {0};
    u32 sum = 0;

    for (i64 i = 0; i < count; i++)
        next[from[i].key >> shift & (DIGITS - 1)]++;
    for (i32 d = 0; d < DIGITS; d++) {
        const u32 digits = next[d];
        next[d] = sum;
        sum += digits;
    }
    for (i64 i = 0; i < count; i++)
        to[next[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts by key, stably. Returns the array with the result: keys or other. */
static sort_key *sort_keys(sort_key *keys, sort_key *other, i64 count)
{
    u32 differ = 0;
    bool sorted = true;

    for (i64 i = 1; i < count; i++) {
        differ |= keys[i].key ^ keys[0].key;
        sorted = sorted && keys[i - 1].key <= keys[i].key;
    }
    if (sorted)
        return keys;
    if (count <= FEW_KEYS) {
        sort_by_insertion(keys, count);
        return keys;
    }
    for (i32 shift = 0; shift < 32; shift += DIGIT_BITS) {
        if (!(differ >> shift & (DIGITS - 1)))
            continue;
        sort_by_digit(keys, other, count, shift);
        sort_key *const sorted_keys = other;
        other = keys;
        keys = sorted_keys;
    }
    return keys;
}

/* ---- steps --------------------------------------------------------------------------------- */

static void sort_count(const spmv_job *job, i64 first, i64 last)
{
    const sort_view s = sort_view_of(job);

    for (i64 chunk = first; chunk < last; chunk++) {
        const i64 end = share_begin(chunk + 1, s.rows, s.chunks);
        u32 *count = chunk_counts(&s, chunk);

        for (i32 b = 0; b < BUCKETS; b++)
            count[b] = 0;
        for (i64 r = share_begin(chunk, s.rows, s.chunks); r < end; r++)
            count[sort_bucket(&s, r)]++;
    }
}

static void sort_place(const spmv_job *job, i64 first, i64 last)
{
    const sort_view s = sort_view_of(job);
    u32 *next = s.bucket_end;
    u32 sum = 0;

    (void)first;
    (void)last;
    for (i32 b = 0; b < BUCKETS; b++)
        next[b] = 0;
    for (i64 chunk = 0; chunk < s.chunks; chunk++)
        for (i32 b = 0; b < BUCKETS; b++)
            next[b] += chunk_counts(&s, chunk)[b];
    for (i32 b = 0; b < BUCKETS; b++) {
        const u32 rows = next[b];
        next[b] = sum;
        sum += rows;
    }
    /* After the last chunk, `next` is the end of each bucket. */
    for (i64 chunk = 0; chunk < s.chunks; chunk++) {
        u32 *count = chunk_counts(&s, chunk);
        for (i32 b = 0; b < BUCKETS; b++) {
            const u32 rows = count[b];
            count[b] = next[b];
            next[b] += rows;
        }
    }
}

static void sort_spread(const spmv_job *job, i64 first, i64 last)
{
    const sort_view s = sort_view_of(job);
    i32 *row_of = (i32 *)job->layout->array[ROW_OF].data;

    for (i64 chunk = first; chunk < last; chunk++) {
        const i64 end = share_begin(chunk + 1, s.rows, s.chunks);
        u32 *next = chunk_counts(&s, chunk);

        for (i64 r = share_begin(chunk, s.rows, s.chunks); r < end; r++) {
            const i32 bucket = sort_bucket(&s, r);
            const u32 position = next[bucket]++;
            if (bucket == EMPTY_BUCKET) {
                row_of[position] = (i32)r;
            } else {
                s.keys[position].key = sort_first_column(&s, r);
                s.keys[position].row = (i32)r;
            }
        }
    }
}

static void sort_one_bucket(const sort_view *s, i32 bucket, i32 *row_of)
{
    const i64 begin = bucket ? s->bucket_end[bucket - 1] : 0;
    const i64 count = s->bucket_end[bucket] - begin;
    sort_key *keys = s->keys + begin;
    sort_key *sorted = sort_keys(keys, s->other + begin, count);

    if (bucket < LONG_CLASSES) {
        for (i64 i = 0; i < count; i++)
            sorted[i].key = sort_long_key(sort_length(s, sorted[i].row));
        sorted = sort_keys(sorted, sorted == keys ? s->other + begin : keys, count);
    }
    for (i64 i = 0; i < count; i++)
        row_of[begin + i] = sorted[i].row;
}

/* Each chunk sorts the buckets that begin in its share of the positions. */
static void sort_buckets(const spmv_job *job, i64 first, i64 last)
{
    const sort_view s = sort_view_of(job);
    const i64 begin = share_begin(first, s.rows, s.chunks);
    const i64 end = share_begin(last, s.rows, s.chunks);
    i32 *row_of = (i32 *)job->layout->array[ROW_OF].data;

    for (i32 b = 0; b < EMPTY_BUCKET; b++) {
        const i64 bucket_begin = b ? s.bucket_end[b - 1] : 0;
        if (bucket_begin >= begin && bucket_begin < end)
            sort_one_bucket(&s, b, row_of);
    }
}

/* The position of each row, which maps columns to positions. */
static i32 *sort_positions(const sort_view *s)
{
    return (i32 *)s->other;
}

static void sort_invert(const spmv_job *job, i64 first, i64 last)
{
    const sort_view s = sort_view_of(job);
    const i32 *row_of = (const i32 *)job->layout->array[ROW_OF].data;
    i32 *position_of = sort_positions(&s);
    const i64 end = share_begin(last, s.rows, s.chunks);

    for (i64 p = share_begin(first, s.rows, s.chunks); p < end; p++)
        position_of[row_of[p]] = (i32)p;
}

static i32 add_sort_steps(const spmv_layout *layout, spmv_step *step, i32 n)
{
    const i64 chunks = sort_chunk_count(layout);

    n = add_step(step, n, "sort_count", sort_count, chunks);
    n = add_step(step, n, "sort_place", sort_place, chunks ? 1 : 0);
    n = add_step(step, n, "sort_spread", sort_spread, chunks);
    return add_step(step, n, "sort_buckets", sort_buckets, chunks);
}

static i32 add_invert_step(const spmv_layout *layout, spmv_step *step, i32 n)
{
    return layout->permutes_x
               ? add_step(step, n, "sort_invert", sort_invert, sort_chunk_count(layout)) : n;
}

#endif
