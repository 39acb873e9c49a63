/* faulty.c: see faulty.h.
 *
 * The method copies the nonzeros in tiles of TILE; a chunk is one tile. A first step leaves the sum
 * of each row of a tile in a slot of the workspace (a tile has nonzeros of at most TILE rows). A
 * second step adds the slots of each row in the order of tiles, and writes y. The method is slow,
 * but can have each fault of the papers' code.
 *
 *     number[0]  fault            array[0]  col_idx, counted from 0
 *     number[1]  tiles            array[1]  val
 *                                 array[2]  first row of each tile, i32
 *                                 array[3]  a flag for each tile, used by one fault
 *                                 array[4]  with the setting "reversed": y's order, backwards
 *
 * Values are f64, row pointers have 64 bits.
 */
#define _POSIX_C_SOURCE 200809L
#include "faulty.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { TILE = 16, ROW_CHUNK = 32 };

/* name, description, property, whether only a run by libspmv shows it */
#define FAULTS(F)                                                                                  \
    F(NONE, "no fault", P_CONTRACT, false)                                                         \
    F(TOO_MANY_STEPS, "lists more steps than are allowed", P_CONTRACT, false)                      \
    F(READS_PAST_X, "reads one element past x", P_MEMORY, false)                                   \
    F(WRONG_LONG_ROWS, "forgets a row's third tile", P_EXACT, false)                               \
    F(ROUNDS_TO_F32, "multiplies in f32", P_BOUND, false)                                          \
    F(MULTIPLIES_OLD_Y, "0*y instead of 0", P_BETA_ZERO, false)                                    \
    F(ALPHA_ZERO_READS, "alpha = 0 multiplies all the same", P_ALPHA_ZERO, false)                  \
    F(LAST_CHUNK_WINS, "a result that depends on which chunk ran last", P_ORDER, false)            \
    F(COUNTS_CHUNKS, "counts its chunks without a lock", P_PARALLEL, true)                         \
    F(RANGE_DEPENDS, "a result that depends on how chunks are shared out", P_THREADS, true)        \
    F(TRUSTS_WORKSPACE, "takes the workspace for zeros", P_WORKSPACE, true)                        \
    F(SHARED_BUFFER, "one buffer for all multiplications", P_AT_ONCE, true)                        \
    F(WRITES_CSR, "changes a value of the caller's", P_UNCHANGED, false)                           \
    F(HIDDEN_BORROW, "reads row_ptr without saying so", P_COPY, false)                             \
    F(KEEPS_VALUES, "ignores new values", P_UPDATE, true)                                          \
    F(FORGETS_BASE, "gives columns back from 0", P_RESTORE, true)                                  \
    F(ACCUMULATES, "y += instead of y =", F_ACCUMULATES, false)                                    \
    F(NOT_AN_ORDER, "an order of y that has a row twice", P_SETTINGS, true)                        \
    F(ROUNDS_BY_SETTING, "a setting that changes how a row is rounded", P_SETTINGS, true)          \
    F(NO_ALPHA, "alpha left out", F_ALPHA_BETA, false)                                             \
    F(SKIPS_EMPTY_ROWS, "empty rows never written", F_EMPTY_ROWS, false)                           \
    F(SKIPS_LEADING, "leading empty rows never written", F_LEADING_EMPTY, false)                   \
    F(TRAILING_OUT_OF_BOUNDS, "writes past y at exact tile multiples", F_TRAILING_EMPTY, false)    \
    F(INDEX_MINUS_ONE, "nnz = 0 reads index -1", F_NO_NONZEROS, false)                             \
    F(LAUNCHES_NOTHING, "nnz <= one tile launches nothing", F_SMALL, false)                        \
    F(MASKS_31_BITS, "31-bit masks on 64-bit indices", F_31_BITS, false)                           \
    F(IN_PLACE, "swaps two of the caller's columns while it builds", F_IN_PLACE, false)            \
    F(PREFIX_INF, "sums of rows as differences of prefix sums", F_ONE_INF, false)                  \
    F(PREFIX_LOSS, "sums of rows as differences of prefix sums", F_PREFIX, false)                  \
    F(PADDING, "adds 0*x[0]", F_PADDING, false)                                                    \
    F(PERMUTED, "y in reversed order", F_PERMUTED, false)                                          \
    F(BETA_MINUS_ONE, "adds (beta - 1)*y to y", F_NAN_SURVIVES, false)                             \
    F(FLAGS, "a flag a tile in the layout", F_METADATA, false)                                     \
    F(LAST_GROUP, "the last group of rows is always whole", F_LAST_GROUP, false)                   \
    F(STALE_SLOT, "adds the slot behind a tile that ends with a row", F_STALE_SLOT, false)         \
    F(OLD_VALUES, "clears y before beta is applied", F_OLD_VALUES, false)                          \
    F(COLUMNS_ROUND, "several vectors are rounded to f32", P_COLUMNS, false)                       \
    F(COLUMNS_DIFFER, "rounds otherwise if there is more than one column", P_COLUMNS, false)       \
    F(COLUMNS_WRITE_BETWEEN, "writes between the columns of y", P_COLUMNS, false)                  \
    F(COLUMNS_READ_BETWEEN, "adds 0*x behind the columns of x", P_COLUMNS, false)

#define ENUMERATE(name, what, property, by_plans) FAULT_##name,
enum { FAULTS(ENUMERATE) FAULT_COUNT };

static bool has(const spmv_layout *layout, int fault)
{
    return layout->number[0] == fault;
}

/* ---- layout -------------------------------------------------------------------------------- */

static int64_t row_offset(const spmv_layout *layout, int64_t row)
{
    const int64_t offset = ((const int64_t *)layout->csr.row_ptr)[row] - layout->csr.base;
    return has(layout, FAULT_MASKS_31_BITS) ? offset & 0x7fffffff : offset;
}

static spmv_status size_for(spmv_layout *layout, int fault)
{
    static const char *const names[] = { "col_idx", "val", "first_row", "flags", "order" };
    static const size_t bytes[] = { sizeof(int32_t), sizeof(double), sizeof(int32_t), 1,
                                    sizeof(int32_t) };
    const int64_t ordered = layout->setting[0] ? layout->csr.rows : 0;
    const int64_t nnz = layout->csr.nnz, tiles = (nnz + TILE - 1) / TILE;

    layout->number[0] = fault;
    layout->number[1] = tiles;
    layout->array_count = 5;
    layout->permutes_y = layout->setting[0] ? 5 : 0;
    for (int i = 0; i < 5; i++) {
        layout->array[i].name = names[i];
        layout->array[i].bytes = (size_t)(i < 2 ? nnz : i < 4 ? tiles : ordered) * bytes[i];
    }
    layout->borrows = fault == FAULT_HIDDEN_BORROW ? 0 : SPMV_BORROWS_ROW_PTR;
    layout->workspace_bytes = (size_t)tiles * TILE * sizeof(double);
    return SPMV_OK;
}

/* The row that holds nonzero k. */
static int64_t find_row(const spmv_layout *layout, int64_t k)
{
    int64_t low = 0, high = layout->csr.rows - 1;

    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (row_offset(layout, middle) <= k)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void copy_values(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    const int64_t end = last * TILE < layout->csr.nnz ? last * TILE : layout->csr.nnz;

    if (first * TILE < end)
        memcpy((double *)layout->array[1].data + first * TILE,
               (const double *)layout->csr.val + first * TILE,
               (size_t)(end - first * TILE) * sizeof(double));
}

static void build_tiles(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    const int64_t end = last * TILE < layout->csr.nnz ? last * TILE : layout->csr.nnz;
    int32_t *col_idx = layout->array[0].data;
    int32_t *own = (int32_t *)(uintptr_t)layout->csr.col_idx;

    if (has(layout, FAULT_IN_PLACE) && end > 1) {
        const int32_t kept = own[0];
        own[0] = own[1];
        own[1] = kept;
    }
    if (has(layout, FAULT_WRITES_CSR) && end > 0)
        ((double *)(uintptr_t)layout->csr.val)[0] += 1;
    for (int64_t k = first * TILE; k < end; k++)
        col_idx[k] = layout->csr.col_idx[k] - layout->csr.base;
    for (int64_t tile = first; tile < last; tile++) {
        ((int32_t *)layout->array[2].data)[tile] = (int32_t)find_row(layout, tile * TILE);
        ((char *)layout->array[3].data)[tile] = 0;
    }
    copy_values(job, first, last);
}

static int32_t add_step(spmv_step *step, int32_t n, void (*run)(const spmv_job *, int64_t, int64_t),
                        int64_t grid)
{
    step[n] = (spmv_step){ "step", run, grid };
    return n + 1;
}

static void build_order(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    const int64_t rows = layout->csr.rows;
    int32_t *order = layout->array[4].data;

    (void)first;
    (void)last;
    for (int64_t k = 0; k < rows; k++)
        order[k] = (int32_t)(rows - 1 - k);
    if (has(layout, FAULT_NOT_AN_ORDER))
        order[0] = order[rows - 1];
}

static int32_t build_steps(const spmv_layout *layout, spmv_step *step)
{
    const int32_t n = add_step(step, 0, build_tiles, layout->number[1]);
    return add_step(step, n, build_order, layout->array[4].bytes ? 1 : 0);
}

static int32_t update_steps(const spmv_layout *layout, spmv_step *step)
{
    return add_step(step, 0, copy_values, has(layout, FAULT_KEEPS_VALUES) ? 0 : layout->number[1]);
}

static void restore_tiles(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    const int64_t end = last * TILE < layout->csr.nnz ? last * TILE : layout->csr.nnz;
    const int32_t base = has(layout, FAULT_FORGETS_BASE) ? 0 : layout->csr.base;

    for (int64_t k = first * TILE; k < end; k++) {
        if (job->col_idx_out)
            job->col_idx_out[k] = ((const int32_t *)layout->array[0].data)[k] + base;
        if (job->val_out)
            ((double *)job->val_out)[k] = ((const double *)layout->array[1].data)[k];
    }
}

static int32_t restore_steps(const spmv_job *job, spmv_step *step)
{
    return add_step(step, 0, restore_tiles, job->layout->number[1]);
}

/* ---- sums of the rows of a tile ------------------------------------------------------------ */

static double shared_slots[1 << 20];     /* of SHARED_BUFFER: the fault itself */

/* For COUNTS_CHUNKS: the number depends on the order of chunks. */
static double count_chunk(void)
{
    static atomic_int chunks;
    return atomic_fetch_add(&chunks, 1);
}

static double *slots_of(const spmv_job *job)
{
    return has(job->layout, FAULT_SHARED_BUFFER) ? shared_slots : job->workspace;
}

static double product(const spmv_job *job, int64_t k)
{
    const double a = ((const double *)job->layout->array[1].data)[k];
    const int64_t col = ((const int32_t *)job->layout->array[0].data)[k];
    const int64_t place = job->columns > 0 ? col * job->x_stride : col;
    const double x = ((const double *)job->x)[place];

    if (has(job->layout, FAULT_COLUMNS_READ_BETWEEN) && job->x_stride > job->columns &&
        col + 1 < job->layout->csr.cols)
        return a * x + 0 * ((const double *)job->x)[place + 1];
    return has(job->layout, FAULT_ROUNDS_TO_F32) ? (float)a * (float)x : a * x;
}

static double sum_of(const spmv_job *job, int64_t tile, int64_t begin, int64_t end)
{
    double sum = 0, before = 0;

    for (int64_t k = begin; k < end; k++)
        sum += product(job, k);
    if (has(job->layout, FAULT_PADDING) && end % TILE)
        sum += 0 * ((const double *)job->x)[0];
    if (!has(job->layout, FAULT_PREFIX_INF) && !has(job->layout, FAULT_PREFIX_LOSS))
        return sum;
    for (int64_t k = tile * TILE; k < begin; k++)
        before += product(job, k);
    sum = before;
    for (int64_t k = begin; k < end; k++)
        sum += product(job, k);
    return sum - before;
}

/* Slot i of a tile belongs to its i-th row with nonzeros. */
static void multiply_tile(const spmv_job *job, int64_t tile)
{
    const spmv_layout *layout = job->layout;
    const int64_t nnz = layout->csr.nnz;
    const int64_t tile_end = (tile + 1) * TILE < nnz ? (tile + 1) * TILE : nnz;
    double *slot = slots_of(job) + tile * TILE;
    int64_t row = ((const int32_t *)layout->array[2].data)[tile];

    if (has(layout, FAULT_FLAGS))
        ((char *)layout->array[3].data)[tile] = 1;
    for (int64_t k = tile * TILE; k < tile_end; row++) {
        const int64_t row_end = row_offset(layout, row + 1);
        const int64_t end = row_end < tile_end ? row_end : tile_end;
        if (end <= k)
            continue;
        *slot = (has(layout, FAULT_TRUSTS_WORKSPACE) ? *slot : 0) + sum_of(job, tile, k, end);
        slot++;
        k = end;
    }
}

static void multiply_tiles(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    volatile double unused = 0;

    if (has(layout, FAULT_READS_PAST_X))
        unused = ((const double *)job->x)[layout->csr.cols];
    if (has(layout, FAULT_OLD_VALUES))
        memset(job->y, 0, (size_t)layout->csr.rows * sizeof(double));
    (void)unused;
    for (int64_t tile = first; tile < last; tile++)
        multiply_tile(job, tile);
    if (has(layout, FAULT_COUNTS_CHUNKS))
        slots_of(job)[first * TILE] *= 1 + 1e-15 * count_chunk();
    if (has(layout, FAULT_RANGE_DEPENDS) && first < last)
        slots_of(job)[first * TILE] *= 1 + 1e-15 * (double)(last - first);
    if (has(layout, FAULT_LAST_CHUNK_WINS) && layout->csr.nnz > 0)
        slots_of(job)[0] *= 1 + 1e-15 * (double)first;
}

/* ---- sums of rows, over tiles -------------------------------------------------------------- */

static double sum_row(const spmv_job *job, int64_t row)
{
    const spmv_layout *layout = job->layout;
    const int64_t begin = row_offset(layout, row), end = row_offset(layout, row + 1);
    const int32_t *first_row = layout->array[2].data;
    double sum = 0;

    for (int64_t tile = begin / TILE; begin < end && tile * TILE < end; tile++) {
        int64_t slot = 0;
        for (int64_t r = first_row[tile]; r < row; r++)
            slot += row_offset(layout, r + 1) > row_offset(layout, r);
        if (has(layout, FAULT_WRONG_LONG_ROWS) && tile == begin / TILE + 2)
            continue;
        sum += slots_of(job)[tile * TILE + slot];
        if (has(layout, FAULT_STALE_SLOT) && end == (tile + 1) * TILE && slot + 1 < TILE)
            sum += slots_of(job)[tile * TILE + slot + 1];
    }
    return sum;
}

static void write_row(const spmv_job *job, int64_t row, double sum)
{
    const spmv_layout *layout = job->layout;
    const double alpha = has(layout, FAULT_NO_ALPHA) ? 1 : job->alpha;
    const bool backwards = has(layout, FAULT_PERMUTED) || layout->permutes_y;
    const int64_t place = backwards ? layout->csr.rows - 1 - row : row;
    double *y = (double *)job->y + (job->columns > 0 ? place * job->y_row_stride : place);

    if (has(layout, FAULT_COLUMNS_ROUND) && job->columns > 0)
        sum = (double)(float)sum;
    if (has(layout, FAULT_COLUMNS_DIFFER) && job->columns > 1)
        sum = sum * 3 / 3;
    if (has(layout, FAULT_ROUNDS_BY_SETTING) && layout->permutes_y)
        sum = sum * 3 / 3;
    if (has(layout, FAULT_ACCUMULATES))
        *y += alpha * sum;
    else if (has(layout, FAULT_BETA_MINUS_ONE))
        *y += (job->beta - 1) * *y + alpha * sum;
    else if (job->beta == 0 && !has(layout, FAULT_MULTIPLIES_OLD_Y))
        *y = alpha * sum;
    else
        *y = alpha * sum + job->beta * *y;
}

static bool is_skipped(const spmv_layout *layout, int64_t row)
{
    const int64_t begin = row_offset(layout, row);

    if (begin < row_offset(layout, row + 1))
        return false;
    return has(layout, FAULT_SKIPS_EMPTY_ROWS) || (has(layout, FAULT_SKIPS_LEADING) && begin == 0);
}

static void write_rows(const spmv_job *job, int64_t first, int64_t last)
{
    const spmv_layout *layout = job->layout;
    const int64_t rows = layout->csr.rows;
    const int64_t end = last * ROW_CHUNK < rows ? last * ROW_CHUNK : rows;
    volatile double unused = 0;

    /* Lets other threads use the shared buffer, so that this fault shows every time. */
    if (has(layout, FAULT_SHARED_BUFFER))
        nanosleep(&(struct timespec){ 0, 200000 }, NULL);
    for (int64_t row = first * ROW_CHUNK; row < end; row++)
        if (!is_skipped(layout, row))
            write_row(job, row, sum_row(job, row));
    if (has(layout, FAULT_LAST_GROUP) && end == rows)
        for (int64_t row = end; row % ROW_CHUNK; row++)
            ((double *)job->y)[row] = 0;
    if (has(layout, FAULT_TRAILING_OUT_OF_BOUNDS) && end == rows && layout->csr.nnz % TILE == 0 &&
        row_offset(layout, rows - 1) == layout->csr.nnz)
        ((double *)job->y)[rows] = 0;
    if (has(layout, FAULT_INDEX_MINUS_ONE) && layout->csr.nnz == 0)
        unused = ((const double *)job->layout->csr.row_ptr)[-1];
    (void)unused;
}

static int32_t launches(const spmv_job *job, spmv_step *step)
{
    const spmv_layout *layout = job->layout;
    const int64_t row_chunks = (layout->csr.rows + ROW_CHUNK - 1) / ROW_CHUNK;
    int32_t n = 0;

    if (has(layout, FAULT_TOO_MANY_STEPS)) {
        for (n = 0; n <= SPMV_MAX_STEPS;)
            n = add_step(step, n, write_rows, 0);
        return SPMV_MAX_STEPS;
    }
    if (has(layout, FAULT_LAUNCHES_NOTHING) && layout->csr.nnz <= TILE)
        return 0;
    n = add_step(step, n, multiply_tiles, layout->number[1]);
    return add_step(step, n, write_rows, row_chunks);
}

/* With alpha = 0, scales rows, since write_rows would read the matrix. */
static void scale_rows(const spmv_job *job, int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; row++) {
        double *y = (double *)job->y + (job->columns > 0 ? row * job->y_row_stride : row);
        *y = job->beta == 0 ? 0 : job->beta * *y;
    }
}

static int32_t launches_or_scale(const spmv_job *job, spmv_step *step)
{
    if (job->alpha == 0 && !has(job->layout, FAULT_ALPHA_ZERO_READS))
        return add_step(step, 0, scale_rows, job->layout->csr.rows);
    return launches(job, step);
}

/* ---- several vectors ----------------------------------------------------------------------- */

/* Runs a step for one column after the other. */
static void for_columns(const spmv_job *job, int64_t first, int64_t last,
                        void (*run)(const spmv_job *, int64_t, int64_t))
{
    for (int32_t c = 0; c < job->columns; c++) {
        spmv_job one = *job;
        one.x = (const double *)job->x + c;
        one.y = (double *)job->y + c * job->y_column_stride;
        one.workspace = (char *)job->workspace + (size_t)c * job->layout->workspace_bytes;
        run(&one, first, last);
    }
}

static void multiply_tiles_columns(const spmv_job *job, int64_t first, int64_t last)
{
    for_columns(job, first, last, multiply_tiles);
}

static void write_rows_columns(const spmv_job *job, int64_t first, int64_t last)
{
    const int64_t rows = job->layout->csr.rows;

    for_columns(job, first, last, write_rows);
    if (has(job->layout, FAULT_COLUMNS_WRITE_BETWEEN) && first == 0 && rows > 1 &&
        job->y_row_stride > job->columns)
        ((double *)job->y)[job->columns] = 0;
}

static void scale_rows_columns(const spmv_job *job, int64_t first, int64_t last)
{
    for_columns(job, first, last, scale_rows);
}

static int32_t launches_columns(const spmv_job *job, spmv_step *step)
{
    const spmv_layout *layout = job->layout;

    if (job->alpha == 0)
        return add_step(step, 0, scale_rows_columns, layout->csr.rows);
    add_step(step, 0, multiply_tiles_columns, layout->number[1]);
    return add_step(step, 1, write_rows_columns, (layout->csr.rows + ROW_CHUNK - 1) / ROW_CHUNK);
}

/* ---- modules ------------------------------------------------------------------------------- */

static int32_t usable(void)
{
    return 1;
}

static const spmv_setting settings[] = { { "reversed", "y is backwards", 0, 1, 0 } };

static const spmv_param params[] = { { "tile", TILE, "faulty.c" },
                                     { "row_chunk", ROW_CHUNK, "faulty.c" } };

#define DEFINE(name_, what, property, by_plans)                                                    \
    static spmv_status size_##name_(spmv_layout *layout)                                           \
    {                                                                                              \
        return size_for(layout, FAULT_##name_);                                                    \
    }                                                                                              \
    static const spmv_method_ops ops_##name_ = {                                                   \
        .layout_size = size_##name_, .build_steps = build_steps, .update_steps = update_steps,     \
        .restore_steps = restore_steps, .launches = launches_or_scale,                             \
        .launches_columns = launches_columns, .settings = settings, .setting_count = 1,            \
    };                                                                                             \
    static const spmv_module module_##name_ = {                                                    \
        .abi = SPMV_MODULE_ABI, .name = "faulty_" #name_, .method = "faulty_" #name_,              \
        .target = "test", .generator = "none", .value_type = SPMV_F64, .offset_type = SPMV_I64,    \
        .param_count = 2, .params = params, .usable = usable, .ops = &ops_##name_,                 \
    };
FAULTS(DEFINE)

#define LIST(name_, what, property, by_plans) { what, property, by_plans, &module_##name_ },
static const faulty list[] = { FAULTS(LIST) };

#define POINT(name_, what, property, by_plans) &module_##name_,
const spmv_module *const faulty_table[] = { FAULTS(POINT) NULL };

const faulty *faulty_modules(size_t *count)
{
    *count = FAULT_COUNT;
    return list;
}
