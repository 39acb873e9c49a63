/* row_endings.c: how many rows are not as long as the row before, and how many are empty, by some of them. A CPU
 * foresees where a row ends that is like the last one, and mostly not where it is not: for many methods
 * that is what a row costs (docs/performance.md, "The automatic choice").
 */

enum {
    ROW_SAMPLES = 64,            /* places, evenly spread */
    ROWS_A_SAMPLE = 16           /* rows there, side by side, so that few lines are read */
};

/* Rows, of all. */
typedef struct row_endings {
    f64 uneven, empty;
} row_endings;

static row_endings row_endings_of(const spmv_layout *layout)
{
    const offset *row_ptr = csr_row_ptr(layout);
    const i64 rows = layout->csr.rows;
    const i64 samples = i64_min(ROW_SAMPLES, i64_ceil_div(rows, ROWS_A_SAMPLE));
    row_endings all;
    i64 looked_at = 0;
    i64 uneven = 0;
    i64 empty = 0;

    for (i64 i = 0; i < samples; i++) {
        const i64 first = i64_max(share_begin(i, rows, samples), 1);
        const i64 end = i64_min(first + ROWS_A_SAMPLE, rows);
        for (i64 row = first; row < end; row++) {
            const i64 length = (i64)row_ptr[row + 1] - (i64)row_ptr[row];
            uneven += length != (i64)row_ptr[row] - (i64)row_ptr[row - 1];
            empty += length == 0;
        }
        looked_at += i64_max(end - first, 0);
    }
    all.uneven = (f64)rows * (f64)uneven / (f64)i64_max(looked_at, 1);
    all.empty = (f64)rows * (f64)empty / (f64)i64_max(looked_at, 1);
    return all;
}
