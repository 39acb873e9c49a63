/* lengths.c: see lengths.h.
 *
 * 1. a few rows get a fixed length: one the shortest, one the longest, and the giants;
 * 2. each other node draws a number, which is its place in the distribution of lengths;
 * 3. bisection finds the scale of that distribution at which the sum comes close to nnz;
 * 4. the difference is spread over the rows, one entry each.
 *
 * A draw is one of 2^20 places in the distribution, so step 3 needs only a histogram of draws.
 */
#include "bench/matrices/lookalike/lengths.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench/matrices/lookalike/streams.h"
#include "common/fail.h"

enum { PLACE_BITS = 20, PLACES = 1 << PLACE_BITS, SCALE_BITS = 30, FIXED_MAX = 16 };

typedef struct fixed_row {
    int64_t row, length;
} fixed_row;

typedef struct fitting {
    const bench_facts *facts;
    const bench_model *model;
    uint64_t seed;
    int64_t min, max;            /* bounds of a length */
    fixed_row fixed[FIXED_MAX];
    size_t fixed_count;
    int64_t fixed_sum;
    uint32_t *histogram;         /* of the other rows' draws; then the counts of `step` */
    int32_t *step;               /* values of the distribution, in thousandths of the average */
    int64_t steps;
    int32_t *length;             /* length of each row */
    spmv_error *error;
} fitting;

#define fail(f, ...) (sg_fail((f)->error, __VA_ARGS__), SPMV_INVALID_MATRIX)

/* ---- the facts ----------------------------------------------------------------------------- */

/* Checks whether the facts can belong to a matrix. */
static spmv_status check_facts(const fitting *f)
{
    const bench_facts *a = f->facts;
    const bool has_min = a->row_min != BENCH_UNKNOWN, has_max = a->row_max != BENCH_UNKNOWN;
    const int64_t avg = a->rows > 0 ? a->nnz / a->rows : 0;
    const int64_t rounded = a->rows > 0 && a->nnz % a->rows ? avg + 1 : avg;

    if (a->rows < 0 || a->cols < 0 || a->nnz < 0 || a->rows > INT32_MAX || a->cols > INT32_MAX)
        return fail(f, "%s: %" PRId64 " x %" PRId64 " with %" PRId64 " nonzeros: expected 0 to "
                    "2^31 - 1 rows and columns", a->name, a->rows, a->cols, a->nnz);
    if (a->nnz > a->rows * a->cols)
        return fail(f, "%s: %" PRId64 " nonzeros do not fit into %" PRId64 " x %" PRId64
                    "; a look-alike has at most one a place", a->name, a->nnz, a->rows, a->cols);
    if ((has_min && a->row_min < 0) || (has_max && a->row_max > a->cols) ||
        (has_min && has_max && a->row_min > a->row_max))
        return fail(f, "%s: rows of %" PRId64 " to %" PRId64 " entries; expected 0 <= shortest <= "
                    "longest <= %" PRId64 " columns", a->name, a->row_min, a->row_max, a->cols);
    if (a->row_avg != BENCH_UNKNOWN && a->row_avg != avg && a->row_avg != rounded)
        return fail(f, "%s: rows of %" PRId64 " entries on average, but %" PRId64 " nonzeros in %"
                    PRId64 " rows are %" PRId64 " to %" PRId64, a->name, a->row_avg, a->nnz,
                    a->rows, avg, rounded);
    return SPMV_OK;
}

/* Converts thousandths of the average length to a length. */
static int64_t times_average(const bench_facts *a, int64_t thousandths)
{
    return a->rows == 0 ? 0 : a->nnz / a->rows * thousandths / 1000 +
                              a->nnz % a->rows * thousandths / a->rows / 1000;
}

/* Takes the bounds of row lengths from the facts, or else from the model. */
static void choose_bounds(fitting *f)
{
    const bench_facts *a = f->facts;
    const int64_t least = times_average(a, f->model->quantile[0]);
    const int64_t most = times_average(a, f->model->quantile[BENCH_QUANTILES - 1]) + 1;

    f->max = a->row_max != BENCH_UNKNOWN ? a->row_max : most < a->cols ? most : a->cols;
    f->min = a->row_min != BENCH_UNKNOWN ? a->row_min : least < f->max ? least : f->max;
    if (f->max < f->min)
        f->max = f->min;
}

/* Whether the other rows can hold the remaining nonzeros. */
static bool has_room(const fitting *f)
{
    const int64_t others = f->facts->rows - (int64_t)f->fixed_count;

    return others >= 0 && f->facts->nnz >= f->fixed_sum + others * f->min &&
           f->facts->nnz <= f->fixed_sum + others * f->max;
}

/* Removes bounds that came from the model. */
static void widen_bounds(fitting *f)
{
    if (f->facts->row_min == BENCH_UNKNOWN)
        f->min = 0;
    if (f->facts->row_max == BENCH_UNKNOWN)
        f->max = f->facts->cols;
}

/* ---- rows with a fixed length -------------------------------------------------------------- */

static bool is_fixed(const fitting *f, int64_t row)
{
    for (size_t i = 0; i < f->fixed_count; i++)
        if (f->fixed[i].row == row)
            return true;
    return false;
}

static void fix_length(fitting *f, int64_t length)
{
    bench_random random = bench_random_stream(f->seed, STREAM_FIXED, f->fixed_count);
    int64_t row = bench_random_below(&random, f->facts->rows);

    while (is_fixed(f, row))
        row = (row + 1) % f->facts->rows;
    f->fixed[f->fixed_count++] = (fixed_row){ row, length };
    f->fixed_sum += length;
}

static spmv_status fix_rows(fitting *f)
{
    const bench_facts *a = f->facts;
    int64_t giant = f->max;

    if (a->rows == 0)
        return SPMV_OK;
    if (a->row_max != BENCH_UNKNOWN)
        fix_length(f, a->row_max);
    if (a->row_min != BENCH_UNKNOWN && a->row_min != a->row_max &&
        (int64_t)f->fixed_count < a->rows)
        fix_length(f, a->row_min);
    if (!has_room(f))
        widen_bounds(f);
    if (!has_room(f))
        return fail(f, "%s: %" PRId64 " rows of %" PRId64 " to %" PRId64 " entries cannot have %"
                    PRId64 " nonzeros in all", a->name, a->rows, f->min, f->max, a->nnz);
    for (int32_t i = 1; i < f->model->giants && f->fixed_count < FIXED_MAX; i++) {
        giant /= 2;
        if ((int64_t)f->fixed_count >= a->rows || giant <= 8 * (a->nnz / a->rows))
            break;
        fix_length(f, giant);
        if (has_room(f))
            continue;
        f->fixed_sum -= f->fixed[--f->fixed_count].length;
        break;
    }
    return SPMV_OK;
}

/* ---- all other rows ------------------------------------------------------------------------ */

static uint32_t place_of(const fitting *f, int64_t row)
{
    const int64_t node = row / f->model->node;
    bench_random own = bench_random_stream(f->seed, STREAM_LENGTHS, (uint64_t)node);
    const uint64_t bits = bench_random_bits(&own);

    if ((int32_t)(bits & (BENCH_WHOLE - 1)) >= f->model->alike)
        return (uint32_t)(bits >> (64 - PLACE_BITS));
    bench_random patch = bench_random_stream(f->seed, STREAM_PATCH_LENGTHS,
                                             (uint64_t)(node / f->model->patch));
    return (uint32_t)(bench_random_bits(&patch) >> (64 - PLACE_BITS));
}

/* The quantile at a place, in thousandths of the average; linear between the model's quantiles. */
static int64_t quantile_at(const bench_model *model, uint32_t place)
{
    const int64_t point = (int64_t)place * 1000000 / PLACES;
    int i = 0;

    while (i < BENCH_QUANTILES - 2 && point >= bench_quantile_points[i + 1])
        i++;
    const int64_t width = bench_quantile_points[i + 1] - bench_quantile_points[i];
    const int64_t rise = model->quantile[i + 1] - model->quantile[i];
    return model->quantile[i] + rise * (point - bench_quantile_points[i]) / width;
}

/* The length at a quantile, for a scale: whole nodes, within the bounds. */
static int64_t length_at(const fitting *f, int64_t quantile, int64_t scale)
{
    const int64_t node = f->model->node;
    const int64_t exact = (quantile * scale) >> (SCALE_BITS - 10);       /* in 1024ths */
    const int64_t length = (exact + node * 512) / (node * 1024) * node;

    return length < f->min ? f->min : length > f->max ? f->max : length;
}

static int64_t sum_at(const fitting *f, int64_t scale)
{
    int64_t sum = f->fixed_sum;

    for (int64_t i = 0; i < f->steps; i++)
        sum += f->histogram[i] * length_at(f, f->step[i], scale);
    return sum;
}

/* Merges places of the histogram with the same value, which speeds up the bisection. */
static void compact(fitting *f)
{
    for (uint32_t place = 0; place < PLACES; place++) {
        const uint32_t count = f->histogram[place];
        const int32_t value = (int32_t)quantile_at(f->model, place);
        if (count == 0)
            continue;
        f->histogram[place] = 0;
        if (f->steps == 0 || f->step[f->steps - 1] != value)
            f->step[f->steps++] = value;
        f->histogram[f->steps - 1] += count;
    }
}

/* The largest scale whose lengths add up to nnz or less; 0 if there is none. */
static int64_t find_scale(const fitting *f)
{
    int64_t low = 0, high = (int64_t)1 << 40;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (sum_at(f, middle) <= f->facts->nnz)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* How many entries a row can get, or lose if step is -1. */
static int64_t room_of(const fitting *f, int64_t row, int64_t step)
{
    return is_fixed(f, row) ? 0 : step > 0 ? f->max - f->length[row] : f->length[row] - f->min;
}

/* Adds `missing` entries, or removes them if negative, spread evenly over the rows that have room.
 * Returns the number of entries still missing. */
static int64_t spread_evenly(const fitting *f, int64_t missing)
{
    const int64_t step = missing < 0 ? -1 : 1, wanted = missing < 0 ? -missing : missing;
    int64_t able = 0, met = 0, done = 0;

    for (int64_t r = 0; r < f->facts->rows; r++)
        able += room_of(f, r, step) > 0;
    for (int64_t r = 0; r < f->facts->rows && done < wanted; r++) {
        const int64_t room = room_of(f, r, step);
        if (room == 0)
            continue;
        /* One in able/wanted rows gets an entry, or each row gets a few. */
        const int64_t share = wanted >= able ? wanted / able
                            : (met + 1) * wanted / able - met * wanted / able;
        const int64_t given = share < room ? share : room;
        met++;
        f->length[r] += (int32_t)(step * given);
        done += given;
    }
    return missing - step * done;
}

static void fit(fitting *f)
{
    const bench_facts *a = f->facts;
    int64_t sum = f->fixed_sum;

    for (int64_t r = 0; r < a->rows; r++)
        if (!is_fixed(f, r))
            f->histogram[place_of(f, r)]++;
    compact(f);
    const int64_t scale = find_scale(f);
    for (int64_t r = 0; r < a->rows; r++) {
        if (is_fixed(f, r))
            continue;
        f->length[r] = (int32_t)length_at(f, quantile_at(f->model, place_of(f, r)), scale);
        sum += f->length[r];
    }
    for (size_t i = 0; i < f->fixed_count; i++)
        f->length[f->fixed[i].row] = (int32_t)f->fixed[i].length;

    /* Ends, since has_room was true. */
    for (int64_t missing = a->nnz - sum; missing != 0;)
        missing = spread_evenly(f, missing);
}

spmv_status bench_lengths_draw(const bench_facts *facts, const bench_model *model, uint64_t seed,
                               int32_t *length, spmv_error *error)
{
    fitting f = { .facts = facts, .model = model, .seed = seed, .length = length,
                  .error = error };
    spmv_status status = check_facts(&f);

    if (!status) {
        choose_bounds(&f);
        status = fix_rows(&f);
    }
    if (status)
        return status;
    f.histogram = calloc(PLACES, sizeof *f.histogram);
    f.step = malloc(PLACES * sizeof *f.step);
    if (f.histogram && f.step) {
        fit(&f);
    } else {
        sg_fail(error, "%s: out of memory for the row lengths", facts->name);
        status = SPMV_OUT_OF_MEMORY;
    }
    free(f.histogram);
    free(f.step);
    return status;
}
