/* lengths.c: see lengths.h.
 *
 * 1. a few rows get a fixed length: one the shortest, one the longest, and the giants;
 * 2. each other node draws a number, which is its place in the distribution of lengths;
 * 3. bisection finds the scale of that distribution at which the sum comes close to nnz;
 * 4. the difference is spread over the rows, one entry each.
 *
 * A draw is one of 2^20 places in the distribution, so step 3 needs only a histogram of draws.
 * Where the model states how many rows are short, the rows with the lowest draws are, and steps 3
 * and 4 run for short and long rows apart.
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

/* Rows whose lengths are fitted together, without those of a fixed length. */
typedef struct part {
    int64_t min, max;            /* bounds of a length */
    int64_t rows, nnz;
    int64_t begin, end;          /* of its steps */
    int64_t scale;               /* of the distribution */
    int64_t missing;             /* nonzeros beyond those at the scale; negative: too many */
} part;

/* A value of the distribution, in thousandths of the average, and the rows that drew it. */
typedef struct drawn {
    int32_t value;
    uint32_t rows;
} drawn;

typedef struct fitting {
    const bench_facts *facts;
    const bench_model *model;
    uint64_t seed;
    part part[2];                /* all rows; or the short ones, then the long ones */
    int parts;
    fixed_row fixed[FIXED_MAX];
    size_t fixed_count;
    uint32_t *histogram;         /* of the other rows' draws */
    uint32_t last_place;         /* of part 0, */
    int64_t last_rows;           /* which has so many of its rows */
    drawn *step;
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
static void choose_parts(fitting *f)
{
    const bench_facts *a = f->facts;
    const bench_model *m = f->model;
    const bool has_min = a->row_min != BENCH_UNKNOWN, has_max = a->row_max != BENCH_UNKNOWN;
    const int64_t least = times_average(a, m->quantile[0]);
    const int64_t most = times_average(a, m->quantile[BENCH_QUANTILES - 1]) + 1;

    f->parts = 1;
    f->part[0] = (part){ .rows = a->rows, .nnz = a->nnz };
    f->part[0].max = has_max ? a->row_max : most < a->cols ? most : a->cols;
    f->part[0].min = has_min ? a->row_min : least < f->part[0].max ? least : f->part[0].max;
    if (f->part[0].max < f->part[0].min)
        f->part[0].max = f->part[0].min;
    if (m->short_rows == 0)
        return;
    f->parts = 2;
    f->part[0] = (part){ .min = has_min ? a->row_min : least > 0, .max = BENCH_SHORT,
                         .rows = m->short_rows, .nnz = m->short_nnz };
    f->part[1] = (part){ .min = BENCH_SHORT + 1, .max = has_max ? a->row_max : a->cols,
                         .rows = a->rows - m->short_rows, .nnz = a->nnz - m->short_nnz };
}

/* Whether the rows without a fixed length can hold the remaining nonzeros. */
static bool has_room(const fitting *f)
{
    for (int i = 0; i < f->parts; i++) {
        const part *p = &f->part[i];
        if (p->rows < 0 || p->nnz < p->rows * p->min || p->nnz > p->rows * p->max)
            return false;
    }
    return true;
}

/* Removes bounds that came from the model. */
static void widen_bounds(fitting *f)
{
    if (f->facts->row_min == BENCH_UNKNOWN)
        f->part[0].min = 0;
    if (f->facts->row_max == BENCH_UNKNOWN)
        f->part[f->parts - 1].max = f->facts->cols;
}

/* ---- rows with a fixed length -------------------------------------------------------------- */

static bool is_fixed(const fitting *f, int64_t row)
{
    for (size_t i = 0; i < f->fixed_count; i++)
        if (f->fixed[i].row == row)
            return true;
    return false;
}

/* Takes rows of this length out of what is fitted, or puts them back if -1. */
static void take_rows(fitting *f, int64_t length, int64_t rows)
{
    part *p = &f->part[f->parts > 1 && length > f->part[0].max];

    p->rows -= rows;
    p->nnz -= rows * length;
}

static void fix_length(fitting *f, int64_t length)
{
    bench_random random = bench_random_stream(f->seed, STREAM_FIXED, f->fixed_count);
    int64_t row = bench_random_below(&random, f->facts->rows);

    while (is_fixed(f, row))
        row = (row + 1) % f->facts->rows;
    f->fixed[f->fixed_count++] = (fixed_row){ row, length };
    take_rows(f, length, 1);
}

static spmv_status fix_rows(fitting *f)
{
    const bench_facts *a = f->facts;
    const bench_model *m = f->model;
    /* Long rows that are fitted by themselves have no giants beside them. */
    const int32_t giants = f->parts > 1 && a->row_max == BENCH_UNKNOWN ? 0 : m->giants;
    int64_t giant = f->part[f->parts - 1].max;

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
                    PRId64 " nonzeros in all", a->name, a->rows, f->part[0].min,
                    f->part[f->parts - 1].max, a->nnz);
    for (int32_t i = 1; i < giants && f->fixed_count < FIXED_MAX; i++) {
        giant = i == 1 && m->second > 0 ? m->second : giant / 2;
        if ((int64_t)f->fixed_count >= a->rows || giant <= 8 * (a->nnz / a->rows))
            break;
        fix_length(f, giant);
        if (has_room(f))
            continue;
        take_rows(f, f->fixed[--f->fixed_count].length, -1);
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
static int64_t length_at(const fitting *f, const part *p, int64_t quantile, int64_t scale)
{
    const int64_t node = f->model->node;
    const int64_t exact = (quantile * scale) >> (SCALE_BITS - 10);       /* in 1024ths */
    const int64_t length = (exact + node * 512) / (node * 1024) * node;

    return length < p->min ? p->min : length > p->max ? p->max : length;
}

static int64_t sum_at(const fitting *f, const part *p, int64_t scale)
{
    int64_t sum = 0;

    for (int64_t i = p->begin; i < p->end; i++)
        sum += f->step[i].rows * length_at(f, p, f->step[i].value, scale);
    return sum;
}

/* Gives the parts their places, and merges those with the same value, which speeds up the
 * bisection. */
static void divide_places(fitting *f)
{
    part *p = &f->part[0];
    int64_t steps = 0, left = p->rows;

    f->last_place = PLACES;
    for (uint32_t place = 0; place < PLACES; place++) {
        const int32_t value = (int32_t)quantile_at(f->model, place);
        int64_t rows = f->histogram[place];
        if (f->parts > 1 && p == &f->part[0] && rows >= left) {
            f->step[steps++] = (drawn){ value, (uint32_t)left };
            f->last_place = place;
            f->last_rows = left;
            rows -= left;
            p->end = steps;
            (++p)->begin = steps;
        }
        if (rows == 0)
            continue;
        left -= rows;
        if (steps == p->begin || f->step[steps - 1].value != value)
            f->step[steps++] = (drawn){ value, 0 };
        f->step[steps - 1].rows += (uint32_t)rows;
    }
    p->end = steps;
}

/* The part of the next row with this place. */
static const part *part_of(fitting *f, uint32_t place)
{
    if (place < f->last_place || (place == f->last_place && f->last_rows-- > 0))
        return &f->part[0];
    return &f->part[f->parts - 1];
}

/* The largest scale whose lengths add up to the part's nonzeros or less; 0 if there is none. */
static int64_t find_scale(const fitting *f, const part *p)
{
    int64_t low = 0, high = (int64_t)1 << 40;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (sum_at(f, p, middle) <= p->nnz)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* How many entries a row can get, or lose if step is -1; 0 if it is not of the part. */
static int64_t room_of(const fitting *f, const part *p, int64_t row, int64_t step)
{
    const int64_t length = f->length[row];

    return length < p->min || length > p->max || is_fixed(f, row) ? 0
         : step > 0 ? p->max - length : length - p->min;
}

/* Adds `missing` entries, or removes them if negative, spread evenly over the rows that have room.
 * Returns the number of entries still missing. */
static int64_t spread_evenly(const fitting *f, const part *p, int64_t missing)
{
    const int64_t step = missing < 0 ? -1 : 1, wanted = missing < 0 ? -missing : missing;
    int64_t able = 0, met = 0, done = 0;

    for (int64_t r = 0; r < f->facts->rows; r++)
        able += room_of(f, p, r, step) > 0;
    for (int64_t r = 0; r < f->facts->rows && done < wanted; r++) {
        const int64_t room = room_of(f, p, r, step);
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
    const int64_t rows = f->facts->rows;

    for (int64_t r = 0; r < rows; r++)
        if (!is_fixed(f, r))
            f->histogram[place_of(f, r)]++;
    divide_places(f);
    for (int i = 0; i < f->parts; i++) {
        part *p = &f->part[i];
        p->scale = find_scale(f, p);
        p->missing = p->nnz - sum_at(f, p, p->scale);
    }
    for (int64_t r = 0; r < rows; r++) {
        if (is_fixed(f, r))
            continue;
        const uint32_t place = place_of(f, r);
        const part *p = part_of(f, place);
        f->length[r] = (int32_t)length_at(f, p, quantile_at(f->model, place), p->scale);
    }
    for (size_t i = 0; i < f->fixed_count; i++)
        f->length[f->fixed[i].row] = (int32_t)f->fixed[i].length;

    /* Ends, since has_room was true. */
    for (int i = 0; i < f->parts; i++)
        for (int64_t missing = f->part[i].missing; missing != 0;)
            missing = spread_evenly(f, &f->part[i], missing);
}

spmv_status bench_lengths_draw(const bench_facts *facts, const bench_model *model, uint64_t seed,
                               int32_t *length, spmv_error *error)
{
    fitting f = { .facts = facts, .model = model, .seed = seed, .length = length,
                  .error = error };
    spmv_status status = check_facts(&f);

    if (!status) {
        choose_parts(&f);
        status = fix_rows(&f);
    }
    if (status)
        return status;
    f.histogram = calloc(PLACES, sizeof *f.histogram);
    f.step = malloc((PLACES + 1) * sizeof *f.step);
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
