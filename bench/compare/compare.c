/* compare.c: see compare.h. */
#include "bench/compare/compare.h"

#include <math.h>
#include <stdlib.h>

typedef struct interval {
    double median, low, high;
} interval;

static interval time_of(const bench_record_result *r, bool relative)
{
    if (!r->correct)
        return (interval){ NAN, NAN, NAN };
    if (!relative)
        return (interval){ r->seconds, r->low, r->high };
    return (interval){ 1 / r->ratio, 1 / r->ratio_high, 1 / r->ratio_low };
}

static bench_change change_of(const bench_pair *p, interval before, interval after)
{
    if (p->before->correct != p->after->correct)
        return p->after->correct ? BENCH_MENDED : BENCH_BROKEN;
    if (after.low > before.high)
        return BENCH_SLOWER;
    return after.high < before.low ? BENCH_FASTER : BENCH_UNCHANGED;
}

static const bench_record_result *find(const bench_records *in, size_t matrix,
                                       const bench_record_result *wanted)
{
    size_t count;
    const size_t first = bench_records_first_result(in, matrix, &count);

    for (size_t i = first; i < first + count; i++)
        if (bench_records_same_contender(&in->result[i], wanted))
            return &in->result[i];
    return NULL;
}

/* A contender that declines the matrix was not compared in either run. */
static bool takes_part(const bench_record_result *r)
{
    return r && !r->left_out;
}

static int by_importance(const void *a, const void *b)
{
    const bench_pair *x = a, *y = b;
    const int broken = (y->change == BENCH_BROKEN) - (x->change == BENCH_BROKEN);
    const double rx = isnan(x->ratio) ? 0 : x->ratio, ry = isnan(y->ratio) ? 0 : y->ratio;

    if (broken)
        return broken;
    return rx != ry ? (rx < ry) - (rx > ry)
         : x->before < y->before ? -1 : x->before > y->before;
}

static bench_pair pair_of(const bench_records *before, const bench_record_result *a,
                          const bench_record_result *b, bool relative)
{
    const interval ta = time_of(a, relative), tb = time_of(b, relative);
    bench_pair p = { .before = a, .after = b, .matrix = &before->matrix[a->matrix],
                     .before_time = ta.median, .after_time = tb.median,
                     .ratio = tb.median / ta.median };

    p.change = change_of(&p, ta, tb);
    return p;
}

bool bench_compare(const bench_records *before, const bench_records *after, bool relative,
                   bench_comparison *out)
{
    double logs = 0;
    size_t timed = 0, taking_part = 0, matrix = 0;

    *out = (bench_comparison){ .mean_ratio = NAN };
    out->pair = calloc(before->result_count + 1, sizeof *out->pair);
    if (!out->pair)
        return false;
    for (size_t i = 0; i < after->result_count; i++)
        taking_part += takes_part(&after->result[i]);
    for (size_t i = 0; i < before->result_count; i++) {
        const bench_record_result *a = &before->result[i];
        if (i == 0 || a->matrix != a[-1].matrix)
            matrix = bench_records_find(after, &before->matrix[a->matrix]);
        const bench_record_result *b = find(after, matrix, a);
        if (!takes_part(a) || !takes_part(b)) {
            out->only_before += takes_part(a);
            continue;
        }
        const bench_pair p = pair_of(before, a, b, relative);
        out->pair[out->count++] = p;
        out->changes[p.change]++;
        if (isfinite(p.ratio) && p.ratio > 0) {
            logs += log(p.ratio);
            timed++;
        }
    }
    out->only_after = taking_part - out->count;
    if (timed > 0)
        out->mean_ratio = exp(logs / (double)timed);
    qsort(out->pair, out->count, sizeof *out->pair, by_importance);
    return true;
}

void bench_comparison_free(bench_comparison *comparison)
{
    free(comparison->pair);
    *comparison = (bench_comparison){ .pair = NULL };
}

bool bench_pair_fails(const bench_pair *pair, double limit)
{
    return pair->change == BENCH_BROKEN ||
           (pair->change == BENCH_SLOWER && pair->ratio > 1 + limit);
}
