/* slices.c: see slices.h. */
#include "bench/gpu/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/race/timing.h"

enum { WIDE = 1 << PROTOTYPE_WIDE, NARROW = 1 << PROTOTYPE_NARROW,
       DIAGONALS = 1 << PROTOTYPE_DIAGONALS, RUNS = 1 << PROTOTYPE_RUNS,
       KINDS = WIDE | NARROW | DIAGONALS | RUNS };
enum { LEAST_ALIKE = 16,         /* rows of one pattern, for slices of their own */
       MOST_MISSING = 62, MOST_WINDOW = 1024 };

typedef struct settings {
    const char *detail;
    int kinds;
    prototype_loop loop;
    int most;                    /* entries of a lane; longer rows get more lanes */
    int window;
} settings;

static const settings table[] = {
    { "wide plain", WIDE, PROTOTYPE_PLAIN, 32, 256 },
    { "narrow plain", WIDE | NARROW, PROTOTYPE_PLAIN, 32, 256 },
    { "kinds plain", KINDS, PROTOTYPE_PLAIN, 32, 256 },
    { "kinds eight", KINDS, PROTOTYPE_EIGHT, 32, 256 },
    { "kinds ahead", KINDS, PROTOTYPE_AHEAD, 32, 256 },
    { "kinds ahead-eight", KINDS, PROTOTYPE_AHEAD_EIGHT, 32, 256 },
    { "kinds bulk", KINDS, PROTOTYPE_BULK, 32, 256 },
    { "kinds ahead blocks=128", KINDS, PROTOTYPE_AHEAD_128, 32, 256 },
    { "kinds ahead cached", KINDS, PROTOTYPE_CACHED, 32, 256 },
    { "kinds persistent", KINDS, PROTOTYPE_PERSISTENT, 32, 256 },
    { "kinds persistent-bulk", KINDS, PROTOTYPE_PERSISTENT_BULK, 32, 256 },
    { "kinds ahead lane=96", KINDS, PROTOTYPE_AHEAD, 96, 256 },
    { "kinds eight lane=16", KINDS, PROTOTYPE_EIGHT, 16, 256 },
    { "kinds plain lane=8", KINDS, PROTOTYPE_PLAIN, 8, 256 },
    { "kinds plain lane=8 window=1024", KINDS, PROTOTYPE_PLAIN, 8, 1024 },
    { "kinds ahead window=1024", KINDS, PROTOTYPE_AHEAD, 32, 1024 },
};
enum { COUNT = sizeof table / sizeof table[0] };

size_t gpu_prototype_count(void)
{
    return COUNT;
}

prototype_loop gpu_prototype_loop(size_t of)
{
    return table[of].loop;
}

/* ---- the plan of a window ------------------------------------------------------------------ */

typedef struct row_facts {
    uint64_t pattern;            /* hash of the columns minus the row */
    int32_t row, length;
    int32_t class;               /* 0: of a common pattern; 1: runs; 2: others */
} row_facts;

typedef struct slice_plan {
    int32_t first, count;        /* in the window's order; of a part: the row, and its number */
    int32_t width, kind, lanes_log, base;
    uint64_t pattern;
} slice_plan;

typedef struct window_plan {
    row_facts *rows;             /* in the order of slices */
    slice_plan *slices;
    int32_t count;
    uint64_t slices_at, values_at, columns_at;
} window_plan;

static int32_t column(const spmv_csr *csr, int64_t k)
{
    return csr->col_idx[k] - csr->base;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static row_facts look_at_row(const spmv_csr *csr, const settings *s, int64_t row)
{
    const int64_t begin = bench_csr_offset(csr, row), end = bench_csr_offset(csr, row + 1);
    row_facts f = { .row = (int32_t)row, .length = (int32_t)(end - begin), .class = 2 };

    f.pattern = mix(0, (uint64_t)f.length);
    for (int64_t k = begin; k < end && f.length <= s->most; k++)
        f.pattern = mix(f.pattern, (uint64_t)(column(csr, k) - row));
    if (!(s->kinds & RUNS) || f.length == 0 || f.length % 3 != 0)
        return f;
    for (int64_t k = begin; k < end; k += 3)
        if (column(csr, k + 1) != column(csr, k) + 1 || column(csr, k + 2) != column(csr, k) + 2)
            return f;
    f.class = 1;
    return f;
}

static int by_pattern(const void *first, const void *second)
{
    const row_facts *a = first, *b = second;

    return a->pattern != b->pattern ? (a->pattern < b->pattern ? -1 : 1)
                                    : (a->row > b->row) - (a->row < b->row);
}

static int by_class(const void *first, const void *second)
{
    const row_facts *a = first, *b = second;

    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return a->class == 0 ? by_pattern(a, b) : (a->row > b->row) - (a->row < b->row);
}

static int log_of_lanes(int64_t length, int most)
{
    int log = 0;

    while (log < 5 && length > (int64_t)most << log)
        log++;
    return log;
}

/* Runs have columns of 16 bits, so a window in which they would not do has none. */
static void allow_classes(const spmv_csr *csr, const settings *s, row_facts *rows, int32_t count)
{
    int32_t low = INT32_MAX, high = 0, runs = 0;

    if (s->kinds & DIAGONALS) {
        qsort(rows, (size_t)count, sizeof *rows, by_pattern);
        for (int32_t i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && rows[end].pattern == rows[i].pattern; end++)
                ;
            if (end - i >= LEAST_ALIKE && rows[i].length > 0 && rows[i].length <= s->most)
                for (int32_t k = i; k < end; k++)
                    rows[k].class = 0;
        }
    }
    for (int32_t i = 0; i < count; i++)
        if (rows[i].class == 1) {
            const int64_t begin = bench_csr_offset(csr, rows[i].row);
            for (int64_t k = begin; k < begin + rows[i].length; k++) {
                low = column(csr, k) < low ? column(csr, k) : low;
                high = column(csr, k) > high ? column(csr, k) : high;
            }
            runs++;
        }
    for (int32_t i = 0; i < count && (runs < 32 || high - low > UINT16_MAX); i++)
        if (rows[i].class == 1)
            rows[i].class = 2;
}

static bool have_same_pattern(const spmv_csr *csr, const row_facts *rows, int32_t count)
{
    const int64_t first = bench_csr_offset(csr, rows[0].row);

    for (int32_t i = 1; i < count; i++) {
        const int64_t begin = bench_csr_offset(csr, rows[i].row);
        if (rows[i].length != rows[0].length)
            return false;
        for (int32_t k = 0; k < rows[0].length; k++)
            if (column(csr, begin + k) - rows[i].row != column(csr, first + k) - rows[0].row)
                return false;
    }
    return true;
}

static void choose_kind(const spmv_csr *csr, const settings *s, const row_facts *rows,
                        slice_plan *slice)
{
    int32_t low = INT32_MAX, high = 0;

    for (int32_t i = 0; i < slice->count; i++) {
        const int64_t begin = bench_csr_offset(csr, rows[i].row);
        for (int64_t k = begin; k < begin + rows[i].length; k++) {
            low = column(csr, k) < low ? column(csr, k) : low;
            high = column(csr, k) > high ? column(csr, k) : high;
        }
    }
    slice->base = low == INT32_MAX ? 0 : low;
    if (rows[0].class == 0 && have_same_pattern(csr, rows, slice->count))
        slice->kind = PROTOTYPE_DIAGONALS;
    else if (rows[0].class == 1)
        slice->kind = PROTOTYPE_RUNS;
    else if (slice->width > 0 && (s->kinds & NARROW) && high - low <= UINT16_MAX)
        slice->kind = PROTOTYPE_NARROW;
    else
        slice->kind = PROTOTYPE_WIDE;
}

static int32_t units_of(const row_facts *row)
{
    return row->class == 1 ? row->length / 3 : row->length;
}

static bool plan_window(const spmv_csr *csr, const settings *s, int64_t from, int64_t to,
                        window_plan *out)
{
    int32_t count = 0;

    out->rows = malloc((size_t)(to - from) * sizeof *out->rows);
    out->slices = malloc((size_t)(to - from) * sizeof *out->slices);
    if (!out->rows || !out->slices)
        return false;
    for (int64_t r = from; r < to; r++) {
        out->rows[count] = look_at_row(csr, s, r);
        count += out->rows[count].length <= PROTOTYPE_PART;
    }
    allow_classes(csr, s, out->rows, count);
    qsort(out->rows, (size_t)count, sizeof *out->rows, by_class);
    for (int32_t i = 0; i < count;) {
        const row_facts *rows = &out->rows[i];
        const int log = log_of_lanes(rows[0].length, s->most), lanes = 1 << log;
        slice_plan *slice = &out->slices[out->count++];
        int32_t n = 1;

        *slice = (slice_plan){ .first = i, .lanes_log = log, .pattern = rows[0].pattern,
                               .width = (units_of(&rows[0]) + lanes - 1) / lanes };
        while (n < 32 / lanes && i + n < count && rows[n].class == rows[0].class &&
               slice->width - units_of(&rows[n]) / lanes <= MOST_MISSING &&
               (rows[0].class != 0 || rows[n].pattern == rows[0].pattern))
            n++;
        slice->count = n;
        choose_kind(csr, s, rows, slice);
        i += n;
    }
    return true;
}

static uint64_t values_of(const slice_plan *s)           /* in 32 values */
{
    return (uint64_t)s->width * (s->kind == PROTOTYPE_RUNS ? 3 : 1);
}

static uint64_t columns_of(const slice_plan *s)          /* in 64 bytes */
{
    return s->kind == PROTOTYPE_DIAGONALS ? 0
         : (uint64_t)s->width * (s->kind == PROTOTYPE_WIDE ? 2 : 1);
}

/* ---- parts of long rows -------------------------------------------------------------------- */

static int64_t part_begin(int64_t length, int64_t parts, int64_t part)
{
    return length * part / parts;
}

static int64_t parts_of(int64_t length)
{
    return length > PROTOTYPE_PART ? (length + PROTOTYPE_PART - 1) / PROTOTYPE_PART : 0;
}

static slice_plan plan_part(const spmv_csr *csr, const settings *s, int64_t begin, int64_t end)
{
    int32_t low = INT32_MAX, high = 0;

    for (int64_t k = begin; k < end; k++) {
        low = column(csr, k) < low ? column(csr, k) : low;
        high = column(csr, k) > high ? column(csr, k) : high;
    }
    const bool is_narrow = (s->kinds & NARROW) && high - low <= UINT16_MAX;
    return (slice_plan){ .width = (int32_t)((end - begin + 31) / 32), .lanes_log = 5, .base = low,
                         .kind = is_narrow ? PROTOTYPE_NARROW : PROTOTYPE_WIDE };
}

/* ---- filling ------------------------------------------------------------------------------- */

/* Place of a lane's j-th value or column in a slice; see slices.cu. */
static int64_t place(int64_t vector, int64_t j, int64_t lane, int64_t width)
{
    const int64_t whole = width / vector * vector;

    if (j < whole)
        return (j / vector * 32 + lane) * vector + j % vector;
    if (vector == 4 && width - whole >= 2 && j < whole + 2)
        return whole * 32 + lane * 2 + (j - whole);
    return j * 32 + lane;
}

typedef struct filling {
    const spmv_csr *csr;
    const settings *settings;
    prototype_arrays *arrays;
} filling;

static void put_value(const filling *f, int64_t at, int64_t k)
{
    if (f->csr->value_type == SPMV_F32)
        ((float *)f->arrays->values)[at] = ((const float *)f->csr->val)[k];
    else
        ((double *)f->arrays->values)[at] = ((const double *)f->csr->val)[k];
}

/* The units sub, sub + lanes, ... of the entries from `begin` on. */
static void fill_lane(const filling *f, const slice_plan *s, const prototype_slice *slice,
                      int64_t begin, int64_t units, int64_t sub, int64_t lane)
{
    const int64_t lanes = (int64_t)1 << s->lanes_log;
    const int64_t vector = f->csr->value_type == SPMV_F32 ? 4 : 2;
    const int64_t values = (int64_t)slice->values_at * 32;
    uint16_t *narrow = (uint16_t *)f->arrays->columns + (int64_t)slice->columns_at * 32;
    int32_t *wide = (int32_t *)f->arrays->columns + (int64_t)slice->columns_at * 16;

    for (int64_t j = 0, unit = sub; unit < units; j++, unit += lanes) {
        if (s->kind == PROTOTYPE_RUNS) {
            const int64_t k = begin + 3 * unit, first = values + j * 96;
            put_value(f, first + lane * 2, k);
            put_value(f, first + lane * 2 + 1, k + 1);
            put_value(f, first + 64 + lane, k + 2);
            narrow[j * 32 + lane] = (uint16_t)(column(f->csr, k) - s->base);
            continue;
        }
        const int64_t k = begin + unit;
        put_value(f, values + place(vector, j, lane, s->width), k);
        if (s->kind == PROTOTYPE_NARROW)
            narrow[place(4, j, lane, s->width)] = (uint16_t)(column(f->csr, k) - s->base);
        else if (s->kind == PROTOTYPE_WIDE)
            wide[place(4, j, lane, s->width)] = column(f->csr, k);
    }
}

static void fill_head(const slice_plan *s, int64_t window, uint64_t values_at, uint64_t columns_at,
                      prototype_slice *out)
{
    *out = (prototype_slice){ (uint32_t)values_at, (uint32_t)columns_at, s->base,
                              (uint32_t)s->width | (uint32_t)s->kind << 8 |
                              (uint32_t)s->lanes_log << 10 | (uint32_t)window << 13 };
}

static int64_t lane_units(int64_t units, int64_t sub, int64_t lanes)
{
    return units > sub ? (units - sub + lanes - 1) / lanes : 0;
}

static void fill_window(const filling *f, const window_plan *w, int64_t window)
{
    uint64_t values_at = w->values_at, columns_at = w->columns_at;

    for (int32_t i = 0; i < w->count; i++) {
        const slice_plan *s = &w->slices[i];
        const int64_t lanes = (int64_t)1 << s->lanes_log;
        prototype_slice *slice = &f->arrays->slices[w->slices_at + (uint64_t)i];
        uint16_t *words = &f->arrays->lanes[(w->slices_at + (uint64_t)i) * 32];

        fill_head(s, window, values_at, columns_at, slice);
        for (int64_t lane = 0; lane < 32; lane++) {
            const int64_t at = lane / lanes, sub = lane % lanes;
            words[lane] = PROTOTYPE_ABSENT << 10;
            if (at >= s->count)
                continue;
            const row_facts *row = &w->rows[s->first + at];
            const int64_t units = units_of(row);
            words[lane] = (uint16_t)((s->width - lane_units(units, sub, lanes)) << 10 |
                                     row->row % f->settings->window);
            fill_lane(f, s, slice, bench_csr_offset(f->csr, row->row), units, sub, lane);
        }
        values_at += values_of(s);
        columns_at += columns_of(s);
    }
}

static void fill_part(const filling *f, const slice_plan *s, int64_t begin, int64_t end,
                      int64_t index, uint64_t values_at, uint64_t columns_at)
{
    prototype_slice *slice = &f->arrays->slices[index];

    fill_head(s, 0, values_at, columns_at, slice);
    for (int64_t lane = 0; lane < 32; lane++) {
        f->arrays->lanes[index * 32 + lane] =
            (uint16_t)((s->width - lane_units(end - begin, lane, 32)) << 10);
        fill_lane(f, s, slice, begin, end - begin, lane, lane);
    }
}

/* Sets `base` of slices of diagonals. Slices with the same pattern share it. */
static bool make_patterns(const spmv_csr *csr, window_plan *windows, int64_t count,
                          prototype_layout *out)
{
    size_t slices = 0, entries = 0, room = 64;
    struct { const slice_plan *slice; } *seen;
    int32_t *patterns;

    for (int64_t w = 0; w < count; w++)
        for (int32_t i = 0; i < windows[w].count; i++)
            if (windows[w].slices[i].kind == PROTOTYPE_DIAGONALS) {
                slices++;
                entries += (size_t)(windows[w].slices[i].width + 3) / 4 * 4;
            }
    while (room < 2 * slices)
        room *= 2;
    seen = calloc(room, sizeof *seen);
    patterns = calloc(entries + 4, sizeof *patterns);
    out->arrays.patterns = patterns;
    if (!seen || !patterns) {
        free(seen);
        return false;
    }
    size_t used = 0;
    for (int64_t w = 0; w < count; w++)
        for (int32_t i = 0; i < windows[w].count; i++) {
            slice_plan *s = &windows[w].slices[i];
            if (s->kind != PROTOTYPE_DIAGONALS)
                continue;
            const int32_t row = windows[w].rows[s->first].row;
            const int64_t begin = bench_csr_offset(csr, row);
            size_t at = s->pattern & (room - 1);
            for (; seen[at].slice; at = (at + 1) & (room - 1)) {
                bool same = seen[at].slice->width == s->width;
                for (int32_t k = 0; k < s->width && same; k++)
                    same = patterns[seen[at].slice->base + k] == column(csr, begin + k) - row;
                if (same)
                    break;
            }
            if (seen[at].slice) {
                s->base = seen[at].slice->base;
                continue;
            }
            seen[at].slice = s;
            s->base = (int32_t)used;
            for (int32_t k = 0; k < s->width; k++)
                patterns[used + (size_t)k] = column(csr, begin + k) - row;
            used += (size_t)(s->width + 3) / 4 * 4;
        }
    free(seen);
    out->patterns_bytes = (used + 4) * sizeof *patterns;
    return true;
}

static bool allocate(const spmv_csr *csr, uint64_t slices, uint64_t values, uint64_t columns,
                     uint64_t parts, prototype_layout *out)
{
    prototype_arrays *a = &out->arrays;
    const size_t value_bytes = bench_value_bytes(csr->value_type);

    out->values_bytes = values * 32 * value_bytes;
    out->columns_bytes = columns * 64;
    out->partials_bytes = parts * value_bytes;
    a->slice_count = (int32_t)slices;
    a->part_count = (int32_t)parts;
    a->values = calloc(out->values_bytes + 1, 1);
    a->columns = calloc(out->columns_bytes + 1, 1);
    a->slices = calloc(slices + 1, sizeof *a->slices);
    a->lanes = calloc(slices + 1, 32 * sizeof *a->lanes);
    a->parts = calloc(parts + 1, sizeof *a->parts);
    a->partials = calloc(out->partials_bytes + 1, 1);
    a->counters = calloc(out->long_rows + 1, sizeof *a->counters);
    return values < UINT32_MAX && columns < UINT32_MAX && slices < INT32_MAX / 32 && a->values &&
           a->columns && a->slices && a->lanes && a->parts && a->partials && a->counters;
}

static bool build(const spmv_csr *csr, const settings *s, window_plan *windows, int64_t count,
                  prototype_layout *out)
{
    uint64_t slices = 0, values = 0, columns = 0, parts = 0;
    bool good = true;
    const filling f = { csr, s, &out->arrays };

#pragma omp parallel for schedule(dynamic, 16) reduction(&& : good)
    for (int64_t w = 0; w < count; w++) {
        const int64_t from = w * s->window, to = from + s->window;
        good = plan_window(csr, s, from, to < csr->rows ? to : csr->rows, &windows[w]) && good;
    }
    if (!good || !make_patterns(csr, windows, count, out))
        return false;

    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t length = bench_csr_offset(csr, r + 1) - bench_csr_offset(csr, r);
        parts += (uint64_t)parts_of(length);
        out->long_rows += parts_of(length) > 0;
    }
    slice_plan *part_plans = calloc(parts + 1, sizeof *part_plans);
    int64_t *part_begins = calloc(2 * parts + 2, sizeof *part_begins);
    prototype_part *facts = calloc(parts + 1, sizeof *facts);
    good = part_plans && part_begins && facts;
    int32_t row_index = 0;
    for (int64_t r = 0, p = 0; r < csr->rows && good; r++) {
        const int64_t begin = bench_csr_offset(csr, r);
        const int64_t length = bench_csr_offset(csr, r + 1) - begin;
        const int64_t n = parts_of(length);
        for (int64_t i = 0; i < n; i++) {
            part_begins[2 * (p + i)] = begin + part_begin(length, n, i);
            part_begins[2 * (p + i) + 1] = begin + part_begin(length, n, i + 1);
            facts[p + i] = (prototype_part){ (int32_t)r, (int32_t)p, (int32_t)n, row_index };
        }
        row_index += n > 0;
        p += n;
    }
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t p = 0; p < (good ? (int64_t)parts : 0); p++)
        part_plans[p] = plan_part(csr, s, part_begins[2 * p], part_begins[2 * p + 1]);

    for (uint64_t p = 0; p < parts && good; p++) {
        values += values_of(&part_plans[p]);
        columns += columns_of(&part_plans[p]);
        out->share[part_plans[p].kind] += (double)values_of(&part_plans[p]);
    }
    const uint64_t part_values = values, part_columns = columns;
    slices = parts;
    for (int64_t w = 0; w < count; w++) {
        windows[w].slices_at = slices;
        windows[w].values_at = values;
        windows[w].columns_at = columns;
        slices += (uint64_t)windows[w].count;
        for (int32_t i = 0; i < windows[w].count; i++) {
            values += values_of(&windows[w].slices[i]);
            columns += columns_of(&windows[w].slices[i]);
            out->share[windows[w].slices[i].kind] += (double)values_of(&windows[w].slices[i]);
        }
    }
    good = good && allocate(csr, slices, values, columns, parts, out);
    out->arrays.window = s->window;
    out->arrays.rows = (int32_t)csr->rows;
    out->stored = csr->nnz > 0 ? 32.0 * (double)values / (double)csr->nnz : 0;
    for (int k = 0; k < 4 && values > 0; k++)
        out->share[k] /= (double)values;
    if (good) {
        uint64_t values_at = 0, columns_at = 0;
        for (uint64_t p = 0; p < parts; p++) {
            fill_part(&f, &part_plans[p], part_begins[2 * p], part_begins[2 * p + 1], (int64_t)p,
                      values_at, columns_at);
            values_at += values_of(&part_plans[p]);
            columns_at += columns_of(&part_plans[p]);
            out->arrays.parts[p] = facts[p];
        }
        (void)part_values, (void)part_columns;
#pragma omp parallel for schedule(dynamic, 16)
        for (int64_t w = 0; w < count; w++)
            fill_window(&f, &windows[w], w);
    }
    free(part_plans);
    free(part_begins);
    free(facts);
    return good;
}

bool gpu_prototype_layout(const spmv_csr *csr, size_t of, prototype_layout *out)
{
    const settings *s = &table[of];
    const int64_t count = (csr->rows + s->window - 1) / s->window;
    window_plan *windows = calloc((size_t)count + 1, sizeof *windows);

    *out = (prototype_layout){ .stored = 0 };
    const bool good = windows && count < 1 << 19 && build(csr, s, windows, count, out);
    for (int64_t w = 0; w < count && windows; w++) {
        free(windows[w].rows);
        free(windows[w].slices);
    }
    free(windows);
    return good;
}

void gpu_prototype_free(prototype_layout *layout)
{
    prototype_arrays *a = &layout->arrays;

    free(a->values);
    free(a->columns);
    free(a->slices);
    free(a->lanes);
    free(a->patterns);
    free(a->parts);
    free(a->partials);
    free(a->counters);
    *layout = (prototype_layout){ .stored = 0 };
}

/* ---- contenders ---------------------------------------------------------------------------- */

typedef struct prototype_state {
    size_t of;
    prototype_arrays *replica;
    size_t count;
} prototype_state;

static bool upload(const prototype_layout *l, size_t value_bytes, prototype_arrays *out,
                   gpu_error *error)
{
    const prototype_arrays *a = &l->arrays;
    const size_t slices = (size_t)a->slice_count, parts = (size_t)a->part_count;
    const struct {
        const void *from;
        size_t bytes;
        void **to;
    } arrays[] = {
        { a->values, l->values_bytes, &out->values },
        { a->columns, l->columns_bytes, &out->columns },
        { a->slices, slices * sizeof *a->slices, (void **)&out->slices },
        { a->lanes, slices * 32 * sizeof *a->lanes, (void **)&out->lanes },
        { a->patterns, l->patterns_bytes, (void **)&out->patterns },
        { a->parts, parts * sizeof *a->parts, (void **)&out->parts },
        { a->partials, parts * value_bytes, &out->partials },
        { a->counters, l->long_rows * sizeof *a->counters, (void **)&out->counters },
    };
    bool good = true;

    out->slice_count = a->slice_count;
    out->part_count = a->part_count;
    out->window = a->window;
    out->rows = a->rows;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && good; i++)
        good = gpu_upload(arrays[i].from, arrays[i].bytes, arrays[i].bytes + 16, arrays[i].to,
                          error);
    return good;
}

/* The layout is kept for the next contender, which may have the same. */
static const prototype_layout *layout_of(const spmv_csr *csr, size_t of)
{
    static prototype_layout kept;
    static const settings *kept_of;
    static const spmv_csr *kept_csr;
    const settings *s = &table[of];

    if (kept_of && kept_csr == csr && kept_of->kinds == s->kinds && kept_of->most == s->most &&
        kept_of->window == s->window)
        return &kept;
    gpu_prototype_free(&kept);
    kept_of = gpu_prototype_layout(csr, of, &kept) ? s : NULL;
    kept_csr = csr;
    return kept_of ? &kept : NULL;
}

static bool prepare(gpu_contender *c, gpu_error *error)
{
    prototype_state *s = c->state;
    const spmv_csr *csr = &c->setup->problem->matrix->csr;
    const size_t replicas = c->setup->vectors->count;
    const double begin = bench_seconds();
    const prototype_layout *layout = layout_of(csr, s->of);
    bool good = layout != NULL;

    if (!good)
        snprintf(error->text, sizeof error->text, "slices: out of memory");
    s->replica = good ? calloc(replicas, sizeof *s->replica) : NULL;
    good = good && s->replica;
    for (size_t i = 0; i < replicas && good; i++) {
        s->count++;
        good = upload(layout, bench_value_bytes(csr->value_type), &s->replica[i], error);
        if (i == 0)
            c->first_seconds = c->prepare_seconds = c->analysis_seconds = bench_seconds() - begin;
    }
    if (!good)
        return false;
    c->stored = layout->stored;
    fprintf(stderr, "%s %s: %.3f stored, wide %.3f, narrow %.3f, diagonals %.3f, runs %.3f; "
            "%d slices, %d parts, %.2f s\n", c->name, c->detail, layout->stored,
            layout->share[0], layout->share[1], layout->share[2], layout->share[3],
            layout->arrays.slice_count, layout->arrays.part_count, c->first_seconds);
    return true;
}

static bool enqueue(const gpu_contender *c, size_t replica, gpu_error *error)
{
    const prototype_state *s = c->state;
    const gpu_problem *p = c->setup->problem;
    const cudaError_t code = (cudaError_t)gpu_prototype_launch(
        table[s->of].loop, p->matrix->csr.value_type == SPMV_F32, &s->replica[replica],
        c->setup->vectors->x[replica], c->setup->vectors->y[replica], p->alpha, p->beta,
        c->setup->device->multiprocessors, c->setup->device->stream);

    return gpu_check(code, "the kernel of slices", error);
}

static void destroy(gpu_contender *c)
{
    prototype_state *s = c->state;

    for (size_t i = 0; i < s->count; i++) {
        const prototype_arrays *a = &s->replica[i];
        cudaFree(a->values);
        cudaFree(a->columns);
        cudaFree(a->slices);
        cudaFree(a->lanes);
        cudaFree(a->patterns);
        cudaFree(a->parts);
        cudaFree(a->partials);
        cudaFree(a->counters);
    }
    free(s->replica);
    free(s);
}

static const gpu_kind kind = { "slices", prepare, enqueue, destroy };

size_t gpu_prototypes_list(const gpu_setup *setup, gpu_contender *out, size_t room,
                           gpu_error *error)
{
    size_t count = 0;

    for (; count < COUNT && count < room; count++) {
        prototype_state *s = calloc(1, sizeof *s);
        if (!s) {
            snprintf(error->text, sizeof error->text, "slices: out of memory");
            break;
        }
        s->of = count;
        out[count] = (gpu_contender){ .kind = &kind, .setup = setup, .state = s };
        snprintf(out[count].name, sizeof out[count].name, "slices");
        snprintf(out[count].target, sizeof out[count].target, "sm_90");
        snprintf(out[count].detail, sizeof out[count].detail, "%s", table[count].detail);
    }
    return count;
}
