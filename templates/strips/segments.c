/* segments.c: the columns of a row that is added by whole vectors, in INDEX.
 *
 * The row is cut into segments whose columns span less than NARROW_SPAN:
 *
 *     | base | entries | 16-bit columns from the base, zeros up to whole vectors | next segment ...
 *       i32    i32       u16 each
 *
 * so that a column takes little more than 2 bytes. A segment but the last has whole vectors of
 * entries, unless not even one spans so little. Where all long rows of a strip would take more than
 * 4 bytes a column in that way, they have them in 32 bits, one after the other, without segments
 * (strip.has_segments).
 */

enum { SEGMENT_HEAD = 2 };       /* i32 */

/* i32 that the columns of so many entries take. */
DEVICE i32 segment_words(i32 entries)
{
    return ((entries + LANES - 1) / LANES * LANES + 1) / 2;
}

/* A segment of a row: its base and how many entries it has. */
typedef struct segment {
    i32 base, entries;
} segment;

/* The segment that begins with entry k of a row that ends at `end`. entries is 0 where not even
 * that column is near enough to a base: out of range, or NARROW_SPAN is less than 16 bits reach. */
static segment segment_at(const csr_source *a, i64 k, i64 end)
{
    const i32 *col = a->col_idx + k;
    const i32 most = (i32)i64_min(end - k, CHUNK_WEIGHT);
    const i64 last_base = i64_max((i64)a->cols - 65536, 0);
    i64 least = (i64)col[0] - a->base;
    i64 greatest = least;
    segment s;
    i32 n = 0;

    s.base = 0;
    while (n < most) {
        const i64 c = (i64)col[n] - a->base;
        const i64 low = c < least ? c : least;
        const i64 high = c > greatest ? c : greatest;
        if (low < 0 || high - i64_min(low, last_base) >= NARROW_SPAN)
            break;
        least = low;
        greatest = high;
        n++;
    }
    s.entries = n < most && n >= LANES ? n - n % LANES : n;
    s.base = least < 0 ? 0 : (i32)i64_min(least, last_base);
    return s;
}

/* i32 that a row's segments take; far more than any strip has where there is no way. */
static i64 row_words(const csr_source *a, i64 begin, i64 end)
{
    i64 words = 0;

    for (i64 k = begin; k < end;) {
        const segment s = segment_at(a, k, end);
        if (!s.entries)
            return (i64)1 << 40;
        words += SEGMENT_HEAD + segment_words(s.entries);
        k += s.entries;
    }
    return words;
}

/* Writes a row's segments; where the next row's go. */
static i32 *write_row(const csr_source *a, i64 begin, i64 end, i32 *index)
{
    for (i64 k = begin; k < end;) {
        const segment s = segment_at(a, k, end);
        u16 *narrow = (u16 *)(index + SEGMENT_HEAD);
        const i32 words = segment_words(s.entries);
        index[0] = s.base;
        index[1] = s.entries;
        for (i32 i = 0; i < s.entries; i++)
            narrow[i] = (u16)(a->col_idx[k + i] - a->base - s.base);
        for (i32 i = s.entries; i < 2 * words; i++)
            narrow[i] = 0;
        index += SEGMENT_HEAD + words;
        k += s.entries;
    }
    return index;
}

/* ---- rows of a strip, one after the other ---------------------------------------------------- */

/* i32 that the columns of the first `count` rows of the order take, which have nnz entries, by some
 * of these rows; at most nnz. */
static i64 words_of_rows(const csr_source *a, const strip_rows *r, i32 count, i64 nnz)
{
    const i32 apart = sample_distance(count, nnz);
    i64 words = 0;
    i64 looked_at = 0;

    for (i32 p = 0; p < count && looked_at < SAMPLE; p += apart) {
        const i64 begin = ordered_begin(a, r, p);
        words += row_words(a, begin, begin + r->length[p]);
        looked_at += r->length[p];
    }
    return i64_min(words, looked_at) * nnz / i64_max(looked_at, 1);
}

/* The columns of the first `count` rows of the order, from `index` on. */
static void write_rows(const csr_source *a, const strip_rows *r, i32 count, strip *t, i32 *index)
{
    i64 words = 0;
    i64 nnz = 0;

    for (i32 p = 0; p < count; p++) {
        const i64 begin = ordered_begin(a, r, p);
        words += row_words(a, begin, begin + r->length[p]);
        nnz += r->length[p];
    }
    t->has_segments = words < nnz;
    for (i32 p = 0; p < count; p++) {
        const i64 begin = ordered_begin(a, r, p);
        if (t->has_segments) {
            index = write_row(a, begin, begin + r->length[p], index);
            continue;
        }
        for (i32 k = 0; k < r->length[p]; k++)
            *index++ = a->col_idx[begin + k] - a->base;
    }
}

/* Where a row's columns are read from, one by one. */
typedef struct column_reader {
    const i32 *index;
    i32 left;                    /* of the segment that has begun */
    i32 base;
    const u16 *narrow;
    bool has_segments;
} column_reader;

static i32 next_column(column_reader *c)
{
    if (!c->has_segments)
        return *c->index++;
    if (c->left == 0) {
        c->base = c->index[0];
        c->left = c->index[1];
        c->narrow = (const u16 *)(c->index + SEGMENT_HEAD);
        c->index += SEGMENT_HEAD + segment_words(c->left);
    }
    c->left--;
    return c->base + *c->narrow++;
}
