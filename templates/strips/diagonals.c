/* diagonals.c: strips of diagonals, built and taken apart. */

enum {
    NO_DIAGONAL = 2147483647,
    LISTS = 32,                  /* the latest of a strip, that a slice's is compared with */
    REACH = 2048,                /* places that are looked at together */
    GROUP = 32                   /* of these, that are passed at once where there is nothing */
};

/* The diagonals of a slice, some at a time: those of REACH places side by side. Rows have their
 * entries in the order of columns, so what of a row lies there follows what lay in the places
 * before. */
typedef struct diagonal_finder {
    const csr_source *a;
    i32 lanes;                   /* rows of the slice */
    i64 from[DIAGONAL_ROWS];     /* of each lane, its first entry in these places, */
    i64 at[DIAGONAL_ROWS];       /* the one behind them, */
    i64 end[DIAGONAL_ROWS];      /* and the end of its row */
    i32 first;                   /* of these places: column - lane */
    i32 next;                    /* the least place that is left, or NO_DIAGONAL */
    i32 reached;                 /* behind the last diagonal here, from `first` on */
    i32 count;                   /* of diagonals here */
    u16 place[REACH];            /* of each, from `first` on */
    u16 mask[REACH];             /* by place: the lanes that have an entry */
    u16 value[REACH];            /* by place: where the next value goes, from the first of these
                                    places' on */
} diagonal_finder;

static i32 slice_row_count(i32 rows, i32 row)
{
    return (i32)i64_min(DIAGONAL_ROWS, rows - row);
}

/* For any number of slices, of any strips. */
static void begin_finder(const csr_source *a, diagonal_finder *f)
{
    f->a = a;
    for (i32 p = 0; p < REACH; p++)
        f->mask[p] = 0;
}

/* Do the columns of all rows of the slice ascend? Counted are those that do not, and those that
 * need not: of the first entry of a row and the last one before. */
static bool has_ascending_rows(const diagonal_finder *f)
{
    const i32 *col = f->a->col_idx;
    const i64 end = f->end[f->lanes - 1];
    i64 descents = 0;

    for (i64 k = f->at[0]; k + 1 < end; k++)
        descents += col[k] >= col[k + 1];
    for (i32 i = 1; i < f->lanes; i++)
        if (f->at[i] > f->at[0] && f->at[i] < f->end[i])
            descents -= col[f->at[i] - 1] >= col[f->at[i]];
    return descents == 0;
}

/* The slice that begins with row number `row` of the strip. False where it cannot be stored as
 * diagonals. */
static bool begin_slice(const strip_rows *r, i32 row, diagonal_finder *f)
{
    f->lanes = slice_row_count(r->count, row);
    f->next = NO_DIAGONAL;
    for (i32 i = 0; i < f->lanes; i++) {
        f->at[i] = row_begin(&f->a->row_ptr, r->first + row + i);
        f->end[i] = row_begin(&f->a->row_ptr, r->first + row + i + 1);
        if (f->at[i] < f->end[i])
            f->next = (i32)i64_min(f->next, (i64)f->a->col_idx[f->at[i]] - f->a->base - i);
    }
    return f->next >= 0 && has_ascending_rows(f);
}

/* Puts the entries of a lane that are in these places into their masks. */
static void mark_lane(diagonal_finder *f, i32 lane)
{
    const u32 zero = (u32)f->a->base + (u32)lane + (u32)f->first;
    const i32 *col = f->a->col_idx;
    const i64 end = f->end[lane];
    i64 k = f->at[lane];

    f->from[lane] = k;
    if (k < end && (u32)col[end - 1] - zero < REACH)
        for (; k < end; k++)
            f->mask[(u32)col[k] - zero] |= (u16)(1 << lane);
    for (; k < end; k++) {
        const u32 place = (u32)col[k] - zero;
        if (place >= REACH) {
            f->next = (i32)i64_min(f->next, (i64)place + f->first);
            break;
        }
        f->mask[place] |= (u16)(1 << lane);
    }
    if (k > f->from[lane])
        f->reached = (i32)i64_max(f->reached, (i64)((u32)col[k - 1] - zero) + 1);
    f->at[lane] = k;
}

/* The places that have a diagonal. Most have none, many side by side. */
static void collect_places(diagonal_finder *f)
{
    i32 count = 0;

    for (i32 group = 0; group < f->reached; group += GROUP) {
        u16 any = 0;
        for (i32 p = group; p < group + GROUP; p++)
            any = (u16)(any | f->mask[p]);
        for (i32 p = group; any && p < group + GROUP; p++) {
            f->place[count] = (u16)p;
            count += f->mask[p] != 0;
        }
    }
    f->count = count;
}

/* The next diagonals of the slice; false behind the last. Their masks are there until
 * forget_diagonals. */
static bool find_diagonals(diagonal_finder *f)
{
    if (f->next == NO_DIAGONAL)
        return false;
    f->first = f->next;
    f->next = NO_DIAGONAL;
    f->reached = 0;
    for (i32 i = 0; i < f->lanes; i++)
        mark_lane(f, i);
    collect_places(f);
    return true;
}

/* Does a vector of x at the last of these diagonals stay in x? */
static bool stay_in_x(const diagonal_finder *f)
{
    return (i64)f->first + f->place[f->count - 1] <= f->a->cols - DIAGONAL_ROWS;
}

static void forget_diagonals(diagonal_finder *f)
{
    for (i32 i = 0; i < f->count; i++)
        f->mask[f->place[i]] = 0;
}

/* The values of these diagonals, one after the other, in each by lanes; where the next ones go. */
static real *write_values(diagonal_finder *f, const real *values, real *val)
{
    u32 sum = 0;

    for (i32 i = 0; i < f->count; i++) {
        f->value[f->place[i]] = (u16)sum;
        sum += (u32)u32_popcount(f->mask[f->place[i]]);
    }
    for (i32 i = 0; i < f->lanes; i++) {
        const u32 zero = (u32)f->a->base + (u32)i + (u32)f->first;
        for (i64 k = f->from[i]; k < f->at[i]; k++)
            val[f->value[(u32)f->a->col_idx[k] - zero]++] = values[k];
    }
    return val + sum;
}

/* Are the columns of each row of a whole slice those of the row before, plus 1? As many diagonals
 * then have an entry in all rows as a row has entries. Returns that, else 0. */
static i32 count_full_diagonals(const csr_source *a, const strip_rows *r, i32 row)
{
    if (row + DIAGONAL_ROWS > r->count)
        return 0;
    const i64 begin = row_begin(&a->row_ptr, r->first + row);
    const i64 length = row_begin(&a->row_ptr, r->first + row + 1) - begin;
    const i32 *col = a->col_idx + begin;
    u32 differs = 0;

    for (i32 i = 1; i < DIAGONAL_ROWS; i++)
        if (row_begin(&a->row_ptr, r->first + row + i + 1) - begin != (i + 1) * length)
            return 0;
    /* Most that differ do so at once. The rows follow each other, so all are compared in one
     * loop. */
    if (length == 0 || (DIAGONAL_ROWS > 1 && (u32)col[0] + 1 != (u32)col[length]))
        return 0;
    for (i64 k = 0; k < (DIAGONAL_ROWS - 1) * length; k++)
        differs |= ((u32)col[k] + 1) ^ (u32)col[k + length];
    return differs ? 0 : (i32)length;
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

/* Some slices of a strip. */
typedef struct diagonal_sample {
    i64 most;                    /* what may be paid for diagonals, were all slices like these */
    i64 nnz;                     /* of these slices */
    i64 pairs;                   /* of diagonals, of all these slices */
    i64 full;                    /* of these, those that all rows have */
    i64 stored;                  /* of lists that differ */
    u64 known[LISTS];
    i32 lists;
} diagonal_sample;

static u64 hash_diagonal(u64 hash, i32 place, u32 mask)
{
    return (hash ^ ((u64)mask << 32 | (u32)place)) * 0x9e3779b97f4a7c15u;
}

/* Behind the last diagonal of a slice. */
static void end_slice(diagonal_sample *sample, i64 diagonals, u64 hash)
{
    sample->pairs += (diagonals + 1) / 2;
    sample->stored += is_known(sample->known, &sample->lists, hash) ? 0 : (diagonals + 1) / 2;
}

/* A slice of full diagonals. False where it cannot be. */
static bool sample_full_diagonals(const csr_source *a, const strip_rows *r, i32 row, i32 diagonals,
                                  diagonal_sample *sample)
{
    const i32 *col = a->col_idx + row_begin(&a->row_ptr, r->first + row);
    i32 before = -1;
    u64 hash = 0;

    for (i32 k = 0; k < diagonals; k++) {
        const i32 place = col[k] - a->base;
        if (place <= before || place > a->cols - DIAGONAL_ROWS)
            return false;
        hash = hash_diagonal(hash, place - r->first - row, full_mask());
        before = place;
    }
    sample->full += diagonals / 2;
    end_slice(sample, diagonals, hash);
    return true;
}

/* Any slice, with nnz entries. False where it cannot be, or costs more than may be paid. */
static bool sample_diagonals(const strip_rows *r, i32 row, i64 nnz, diagonal_finder *f, diagonal_sample *sample)
{
    u64 hash = 0;
    u32 before = 0;
    i64 blocks = 0;
    i64 entries = 0;

    if (!begin_slice(r, row, f))
        return false;
    while (find_diagonals(f)) {
        for (i32 i = 0; i < f->count; i++) {
            const u32 mask = f->mask[f->place[i]];
            blocks++;
            entries += u32_popcount(mask);
            sample->full += blocks % 2 == 0 && (mask & before) == full_mask();
            before = mask;
            hash = hash_diagonal(hash, f->first + f->place[i] - r->first - row, mask);
        }
        forget_diagonals(f);
        /* More than one for each three entries would not be worth it, whatever comes after the
         * first places. */
        if (!stay_in_x(f) || 3 * blocks > entries + 6 * DIAGONAL_ROWS ||
            pairs_cost(sample->pairs + blocks / 2, sample->full) * r->nnz > sample->most * (sample->nnz + nnz))
            return false;
    }
    end_slice(sample, blocks, hash);
    return true;
}

/* Is a slice in the middle of the strip one of full diagonals? */
static bool looks_like_stencil(const csr_source *a, const strip_rows *r)
{
    return count_full_diagonals(a, r, r->count / 2 / DIAGONAL_ROWS * DIAGONAL_ROWS) > 0;
}

/* What a strip costs as diagonals, by some of its slices; or no_way, where they cannot be, or where
 * these slices have more of them than what the strip costs in another way pays for. */
static i64 measure_diagonals(const csr_source *a, const strip_rows *r, diagonal_finder *finder, i64 other)
{
    const i32 slices = (r->count + DIAGONAL_ROWS - 1) / DIAGONAL_ROWS;
    const i32 apart = DIAGONAL_ROWS * sample_distance(slices, r->nnz);
    diagonal_sample sample;

    sample.most = i64_min(other - BYTE * r->nnz * (i64)sizeof(real), pairs_cost(r->nnz, 0));
    sample.nnz = 0;
    sample.pairs = 0;
    sample.full = 0;
    sample.stored = 0;
    sample.lists = 0;
    for (i32 row = 0; row < r->count && sample.nnz < SAMPLE; row += apart) {
        const i64 nnz = row_begin(&a->row_ptr, r->first + row + slice_row_count(r->count, row)) -
                        row_begin(&a->row_ptr, r->first + row);
        const i32 full = count_full_diagonals(a, r, row);

        if (full ? !sample_full_diagonals(a, r, row, full, &sample) : !sample_diagonals(r, row, nnz, finder, &sample))
            return no_way;
        sample.nnz += nnz;
    }
    if (!sample.nnz)
        return no_way;
    return diagonals_cost(sample.pairs * r->nnz / sample.nnz, sample.full * r->nnz / sample.nnz,
                          sample.stored * r->nnz / sample.nnz, slices, r->nnz);
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

/* The list of the pairs that were written last, from `list` on: an equal one, if there is, in which
 * case they are taken back. */
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
static bool write_full_diagonals(const csr_source *a, i64 begin, i32 diagonals, i32 row,
                                 block_writer *writer, const real *values, real *val)
{
    const i32 *col = a->col_idx + begin;
    i32 before = -1;

    for (i32 k = 0; k < diagonals; k++) {
        const i32 place = col[k] - a->base;
        if (place <= before || place > a->cols - DIAGONAL_ROWS || writer->is_full)
            return false;
        write_block(writer, place - row, full_mask());
        i64 from = begin + k;
        UNROLL
        for (i32 i = 0; i < DIAGONAL_ROWS; i++) {
            *val++ = values[from];
            from += diagonals;
        }
        before = place;
    }
    return true;
}

/* Any slice. */
static bool write_diagonals(const strip_rows *r, i32 row, diagonal_finder *f,
                            block_writer *writer, const real *values, real *val)
{
    if (!begin_slice(r, row, f))
        return false;
    while (find_diagonals(f)) {
        for (i32 i = 0; i < f->count; i++)
            write_block(writer, f->first + f->place[i] - r->first - row, f->mask[f->place[i]]);
        const bool is_sound = stay_in_x(f) && !writer->is_full;
        if (is_sound)
            val = write_values(f, values, val);
        forget_diagonals(f);
        if (!is_sound)
            return false;
    }
    return true;
}

/* False where it cannot be done after all. */
static bool build_diagonals(const csr_source *a, const strip_rows *r, diagonal_finder *finder, strip *t, i64 s,
                            const strip_target *to)
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

        const i64 first = row_begin(&a->row_ptr, r->first + row);

        if (full ? !write_full_diagonals(a, first, full, r->first + row, &writer, to->values, val)
                 : !write_diagonals(r, row, finder, &writer, to->values, val))
            return false;
        val = to->val + row_begin(&a->row_ptr, r->first + row + slice_row_count(r->count, row));
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
            csr[i] = row_begin(&a->row_ptr, t->row + row + i);
        for (i32 p = 0; p < list->pairs; p++, pair += PAIR) {
            move_diagonal(move, csr, &own, pair[0] + t->row + row, first_mask(pair));
            move_diagonal(move, csr, &own, pair[1] + t->row + row, second_mask(pair));
        }
    }
}
