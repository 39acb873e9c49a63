/* simd_runs.c: strips of runs, and parts of split rows, multiplied. */

/* Values of runs, FETCH_AHEAD bytes before they are needed. Some CPUs foresee them too late where
 * rows are read side by side, and wait for too few lines on their way to the first cache: for the
 * second one they wait for more. */
DEVICE void fetch_runs(const real *val)
{
    if (PREFETCH_LEVEL == 2)
        fetch_stream(val);
    else
        fetch_ahead(val);
}

/* sum plus the products of a vector of windows; moves val on. */
DEVICE vreal add_windows(const real **val, const real *x, const u16 *at, vreal sum)
{
    const u32 mask = at[RUN_WINDOWS];

    fetch_runs(*val);
    fetch_soon(at);
    sum = v_fma_where(m_from_bits(mask), expand(*val, mask), v_load_runs(x, at), sum);
    *val += u32_popcount(mask);
    return sum;
}

/* The sum of so many segments; moves to what is behind them. */
DEVICE real runs_sum(const u16 **index, i32 segments, const real **val, const real *x)
{
    const u16 *at = *index;
    const real *from = *val;
    vreal even = v_zero();
    vreal odd = v_zero();

    for (; segments > 0; segments--) {
        const real *base = x + run_base(at);
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at + RUN_WORDS < end; at += 2 * RUN_WORDS) {
            even = add_windows(&from, base, at, even);
            odd = add_windows(&from, base, at + RUN_WORDS, odd);
        }
        if (at < end) {
            even = add_windows(&from, base, at, even);
            at += RUN_WORDS;
        }
    }
    *index = at;
    *val = from;
    return v_sum(v_add(even, odd));
}

/* As runs_sum, of two or three rows of `length` entries that have the same columns: *sum, sum[1]
 * and, of three, sum[2]. */
DEVICE void runs_sums(const u16 **index, i32 segments, const real *val, i64 length, const real *x, i32 rows,
                      real *sum)
{
    const u16 *at = *index;
    vreal first = v_zero();
    vreal second = v_zero();
    vreal third = v_zero();

    for (; segments > 0; segments--) {
        const real *base = x + run_base(at);
        const u16 *end = at + RUN_HEAD + at[2] * RUN_WORDS;

        for (at += RUN_HEAD; at < end; at += RUN_WORDS) {
            const u32 mask = at[RUN_WINDOWS];
            const vmask lanes = m_from_bits(mask);
            const vreal from = v_load_runs(base, at);
            fetch_runs(val);
            fetch_runs(val + length);
            if (rows > 2)
                fetch_runs(val + 2 * length);
            first = v_fma_where(lanes, expand(val, mask), from, first);
            second = v_fma_where(lanes, expand(val + length, mask), from, second);
            if (rows > 2)
                third = v_fma_where(lanes, expand(val + 2 * length, mask), from, third);
            val += u32_popcount(mask);
        }
    }
    *index = at;
    sum[0] = v_sum(first);
    sum[1] = v_sum(second);
    sum[2] = rows > 2 ? v_sum(third) : 0;
}

/* Rows from `word` of ROW on that are multiplied at once: two or three with the same columns, or
 * one. Of four twice two. */
DEVICE i32 rows_at_once(const u16 *word, i32 left)
{
    i32 rows = 1;

    while (rows < left && rows < 5 && word[rows] & SAME_COLUMNS)
        rows++;
    return rows == 4 ? 2 : rows == 5 ? 3 : rows;
}

DEVICE void multiply_runs(const strips_matrix *a, const strips_vectors *v, const strip *t, i64 s, i32 rows)
{
    const u16 *next = (const u16 *)(a->index + strip_index(t->entry, s));
    const u16 *at = next;
    const real *val = a->val + t->entry;
    const real alpha = v->alpha;
    const real beta = v->beta;
    const i32 end = t->row + rows;
    i32 many;

    for (i32 row = t->row; row < end; row += many) {
        const i32 word = a->row[row];
        at = word & SAME_COLUMNS ? at : next;
        next = at;
        many = rows_at_once(a->row + row, end - row);
        if (many == 1) {
            y_store(v->y, row, runs_sum(&next, word & ~SAME_COLUMNS, &val, v->x), alpha, beta);
        } else {
            const i64 length = row_length(&a->row_ptr, row);
            real sum[3];
            runs_sums(&next, word & ~SAME_COLUMNS, val, length, v->x, many, sum);
            val += many * length;
            for (i32 i = 0; i < many; i++)
                y_store(v->y, row + i, sum[i], alpha, beta);
        }
    }
}

/* The sum of the part of a split row that strip s has. */
DEVICE real part_sum(const strips_matrix *a, const real *x, const strip *t, i64 s, strip_part which)
{
    const part_range p = part_entries(a, s, which, split_row_of(t, which));
    const i32 *index = a->index + p.index;
    const u16 *at = (const u16 *)index;
    const real *val = a->val + p.begin;

    return t->part_segments[which] ? runs_sum(&at, t->part_segments[which], &val, x)
                                   : row_sum(index, val, x, 0, p.end - p.begin);
}
