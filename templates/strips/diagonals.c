/* diagonals.c: strips of diagonals, built and taken apart. layout.c draws them. */

enum {
    NO_DIAGONAL = 2147483647,
    LISTS = 32                   /* the latest of a strip, that a slice's is compared with */
};

/* The rows of a slice, side by side, from their first entries on. */
typedef struct diagonal_walk {
    i64 at[DIAGONAL_ROWS], end[DIAGONAL_ROWS];
    i32 next[DIAGONAL_ROWS];     /* of the lane's next entry, or NO_DIAGONAL */
    i32 least;                   /* of these */
    bool is_sound;               /* columns have ascended so far in all rows, and vectors stay in x */
} diagonal_walk;

/* One diagonal of a slice. */
typedef struct diagonal {
    i32 place;                   /* column - lane */
    u32 mask;                    /* the lanes that have an entry */
} diagonal;

/* The lane's next entry. */
static i32 diagonal_of(const csr_source *a, const diagonal_walk *w, i32 lane)
{
    return w->at[lane] < w->end[lane] ? a->col_idx[w->at[lane]] - a->base - lane : NO_DIAGONAL;
}

static i32 slice_row_count(i32 rows, i32 row)
{
    return (i32)i64_min(DIAGONAL_ROWS, rows - row);
}

/* The slice that begins with row number `row` of the strip. */
static void begin_walk(const csr_source *a, const strip_rows *r, i32 row, diagonal_walk *w)
{
    const i32 rows = slice_row_count(r->count, row);

    w->least = NO_DIAGONAL;
    w->is_sound = true;
    for (i32 i = 0; i < DIAGONAL_ROWS; i++) {
        w->at[i] = i < rows ? row_begin(a, r->first + row + i) : 0;
        w->end[i] = i < rows ? row_begin(a, r->first + row + i + 1) : 0;
        w->next[i] = diagonal_of(a, w, i);
        w->least = w->next[i] < w->least ? w->next[i] : w->least;
    }
}

/* Are the columns of each row of a whole slice those of the row before, plus 1? As many diagonals then have an entry
 * in all rows as a row has entries. Returns that, else 0. */
static i32 count_full_diagonals(const csr_source *a, const strip_rows *r, i32 row)
{
    const i64 begin = row_begin(a, r->first + row);
    const i64 length = row_begin(a, r->first + row + 1) - begin;
    const i32 *col = a->col_idx + begin;
    u32 differs = 0;

    if (row + DIAGONAL_ROWS > r->count || length == 0)
        return 0;
    for (i32 i = 1; i < DIAGONAL_ROWS; i++)
        if (row_begin(a, r->first + row + i + 1) - begin != (i + 1) * length)
            return 0;
    for (i32 i = 1; i < DIAGONAL_ROWS && !differs; i++, col += length)
        for (i64 k = 0; k < length; k++)
            differs |= ((u32)col[k] + 1) ^ (u32)col[k + length];
    return differs ? 0 : (i32)length;
}

/* The next diagonal of the slice; false behind the last. Entry i of the mask is at w->at[i] - 1. */
static bool next_diagonal(const csr_source *a, diagonal_walk *w, diagonal *d)
{
    const i32 place = w->least;
    i32 least = NO_DIAGONAL;
    u32 mask = 0;
    bool ascends = true;

    if (place == NO_DIAGONAL)
        return false;
    UNROLL
    for (i32 i = 0; i < DIAGONAL_ROWS; i++)
        mask |= (u32)(w->next[i] == place) << i;
    for (u32 left = mask; left; left &= left - 1) {
        const i32 i = u32_trailing_zeros(left);
        w->at[i]++;
        w->next[i] = diagonal_of(a, w, i);
        ascends = ascends && w->next[i] > place;
    }
    UNROLL
    for (i32 i = 0; i < DIAGONAL_ROWS; i++)
        least = w->next[i] < least ? w->next[i] : least;
    d->place = place;
    d->mask = mask;
    w->least = least;
    w->is_sound = w->is_sound && ascends && place >= 0 && place <= a->cols - DIAGONAL_ROWS;
    return true;
}

/* Is it among the latest? Then it is. */
static bool is_known(u64 *known, i32 *count, u64 hash)
{
    for (i32 i = 0; i < *count && i < LISTS; i++)
        if (known[i] == hash)
            return true;
    known[(*count)++ % LISTS] = hash;
    return false;
}

/* What a strip costs as diagonals, by some of its slices; or no_way, where they cannot be, or where these slices have
 * more of them than what the strip costs as runs pays for. */
static i64 measure_diagonals(const csr_source *a, const strip_rows *r, i64 runs)
{
    const i64 most = i64_min(runs - BYTE * r->nnz * (i64)sizeof(real), pairs_cost(r->nnz, 0));
    const i32 slices = (r->count + DIAGONAL_ROWS - 1) / DIAGONAL_ROWS;
    const i32 apart = DIAGONAL_ROWS * sample_distance(slices, r->nnz);
    u64 known[LISTS];
    i32 lists = 0;
    i64 looked_at = 0;
    i64 pairs = 0;
    i64 full = 0;
    i64 stored = 0;

    for (i32 row = 0; row < r->count && looked_at < SAMPLE; row += apart) {
        const i64 nnz = row_begin(a, r->first + row + slice_row_count(r->count, row)) -
                        row_begin(a, r->first + row);
        diagonal_walk w;
        diagonal d;
        u64 hash = 0;
        u32 before = 0;
        i64 blocks = 0;
        i64 entries = 0;
        begin_walk(a, r, row, &w);
        /* More than one for each three entries would not be worth it, whatever comes after the first few. */
        while (next_diagonal(a, &w, &d)) {
            blocks++;
            entries += u32_popcount(d.mask);
            full += blocks % 2 == 0 && (d.mask & before) == full_mask();
            before = d.mask;
            hash = (hash ^ ((u64)d.mask << 32 | (u32)(d.place - r->first - row))) * 0x9e3779b97f4a7c15u;
            if (!w.is_sound || 3 * blocks > entries + 6 * DIAGONAL_ROWS)
                return no_way;
            if (blocks % 2 == 0 && pairs_cost(pairs + blocks / 2, full) * r->nnz > most * (looked_at + nnz))
                return no_way;
        }
        pairs += (blocks + 1) / 2;
        stored += is_known(known, &lists, hash) ? 0 : (blocks + 1) / 2;
        looked_at += nnz;
    }
    if (!looked_at)
        return no_way;
    return diagonals_cost(pairs * r->nnz / looked_at, full * r->nnz / looked_at, stored * r->nnz / looked_at,
                          slices, r->nnz);
}

/* ---- entries ------------------------------------------------------------------------------- */

/* The lists of a strip that were written latest. */
typedef struct list_table {
    diagonal_list list[LISTS];
    i32 count;                   /* of all */
} list_table;

static bool is_same_list(const i32 *a, const i32 *b, i32 pairs)
{
    i32 i = 0;

    while (i < pairs * PAIR && a[i] == b[i])
        i++;
    return i == pairs * PAIR;
}

/* The list of the pairs that were written last, from `list` on: an equal one, if there is, in which case they are
 * taken back. */
static diagonal_list share_list(list_table *table, const i32 *index, i32 *list, block_writer *w)
{
    diagonal_list own;

    own.first = (u16)((list - index) / PAIR);
    own.pairs = (u16)((w->pair - list) / PAIR);
    for (i32 i = 0; i < table->count && i < LISTS; i++) {
        const diagonal_list other = table->list[i];
        if (other.pairs == own.pairs && is_same_list(index + other.first * PAIR, list, own.pairs)) {
            w->pair = list;
            return other;
        }
    }
    table->list[table->count++ % LISTS] = own;
    return own;
}

/* A slice of full diagonals. False where it cannot be done after all. */
static bool write_full_diagonals(const csr_source *a, i64 begin, i32 diagonals, i32 row, block_writer *writer,
                                 real *val)
{
    const i32 *col = a->col_idx + begin;
    i32 before = -1;

    for (i32 k = 0; k < diagonals; k++) {
        const i32 place = col[k] - a->base;
        if (place <= before || place > a->cols - DIAGONAL_ROWS || writer->is_full)
            return false;
        write_block(writer, place - row, full_mask());
        UNROLL
        for (i32 i = 0; i < DIAGONAL_ROWS; i++)
            val[k * DIAGONAL_ROWS + i] = a->val[begin + i * diagonals + k];
        before = place;
    }
    return true;
}

/* Any slice. */
static bool write_diagonals(const csr_source *a, const strip_rows *r, i32 row, block_writer *writer, real *val)
{
    diagonal_walk w;
    diagonal d;

    begin_walk(a, r, row, &w);
    while (next_diagonal(a, &w, &d)) {
        if (!w.is_sound || writer->is_full)
            return false;
        write_block(writer, d.place - r->first - row, d.mask);
        for (u32 left = d.mask; left; left &= left - 1)
            *val++ = a->val[w.at[u32_trailing_zeros(left)] - 1];
    }
    return w.is_sound;
}

/* False where it cannot be done after all. */
static bool build_diagonals(const csr_source *a, const strip_rows *r, strip *t, i64 s, const strip_target *to)
{
    block_writer writer = writer_of(to, r, s);
    const i32 *index = writer.pair;
    real *val = to->val + t->entry;
    diagonal_list *list = to->diagonals + first_diagonal_slice(t->row, s);
    list_table table;
    i32 pairs = 0;

    table.count = 0;
    for (i32 row = 0; row < r->count; row += DIAGONAL_ROWS, list++) {
        i32 *begin = writer.pair;
        const i32 full = count_full_diagonals(a, r, row);

        if (full ? !write_full_diagonals(a, row_begin(a, r->first + row), full, r->first + row, &writer, val)
                 : !write_diagonals(a, r, row, &writer, val))
            return false;
        val = to->val + row_begin(a, r->first + row + slice_row_count(r->count, row));
        end_blocks(&writer);
        if (writer.is_full)
            return false;
        *list = share_list(&table, index, begin, &writer);
        pairs += list->pairs;
    }
    t->pairs = pairs;
    return true;
}

static void move_diagonal(const entry_move *move, i64 *csr, i64 *own, i32 place, u32 mask)
{
    for (u32 left = mask; left; left &= left - 1, (*own)++) {
        const i32 i = u32_trailing_zeros(left);
        if (move->values)
            move->val[*own] = move->values[csr[i]];
        else
            move_entry(move, csr[i], *own, place + i);
        csr[i]++;
    }
}

/* As move_lanes. */
static void move_diagonals(const strips_matrix *a, const entry_move *move, const strip *t, i64 s, i32 count)
{
    const i32 *index = a->index + strip_index(t->entry, s);
    const diagonal_list *list = a->diagonals + first_diagonal_slice(t->row, s);
    i64 own = t->entry;

    for (i32 row = 0; row < count; row += DIAGONAL_ROWS, list++) {
        const i32 *pair = index + list->first * PAIR;
        i64 csr[DIAGONAL_ROWS];

        for (i32 i = 0; i < slice_row_count(count, row); i++)
            csr[i] = (i64)a->row_ptr[t->row + row + i] - a->base;
        for (i32 p = 0; p < list->pairs; p++, pair += PAIR) {
            move_diagonal(move, csr, &own, pair[0] + t->row + row, first_mask(pair));
            move_diagonal(move, csr, &own, pair[1] + t->row + row, second_mask(pair));
        }
    }
}
