/* sweep_curves.c: curves of a sweep over two parameters. See evaluators.h. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "bench/experiments/contenders.h"
#include "bench/experiments/evaluators.h"
#include "common/fail.h"

enum { MOST_VALUES = 64 };

/* The values of a key, ascending. */
typedef struct values {
    double value[MOST_VALUES];
    size_t count;
} values;

static void insert(values *v, double value)
{
    size_t at = 0;

    while (at < v->count && v->value[at] < value)
        at++;
    if (isnan(value) || v->count == MOST_VALUES || (at < v->count && v->value[at] == value))
        return;
    memmove(&v->value[at + 1], &v->value[at], (v->count - at) * sizeof v->value[0]);
    v->value[at] = value;
    v->count++;
}

static values values_of(const bench_records *records, const char *key)
{
    values v = { .count = 0 };

    for (size_t i = 0; i < records->result_count; i++)
        if (records->result[i].correct)
            insert(&v, bench_result_number(&records->result[i], key));
    return v;
}

/* A sweep: its keys, and one of its value types and targets. */
typedef struct sweep {
    const bench_records *records;
    const char *x, *curve, *type, *target;
} sweep;

static const char *type_of(const bench_records *records, const bench_record_result *result)
{
    return records->matrix[result->matrix].type;
}

/* The harmonic mean of GFlop/s over all matrices of the type; NaN: a matrix lacks the combination.
 */
static double speed_at(const sweep *s, double x, double curve)
{
    double sum = 0;
    size_t count = 0, matrices = 0;

    for (size_t m = 0; m < s->records->matrix_count; m++)
        matrices += strcmp(s->records->matrix[m].type, s->type) == 0;
    for (size_t i = 0; i < s->records->result_count; i++) {
        const bench_record_result *r = &s->records->result[i];
        if (!r->correct || !(r->gflops > 0) || strcmp(type_of(s->records, r), s->type) != 0 ||
            strcmp(r->target, s->target) != 0 || bench_result_number(r, s->x) != x ||
            bench_result_number(r, s->curve) != curve)
            continue;
        sum += 1 / r->gflops;
        count++;
    }
    return count > 0 && count == matrices ? (double)count / sum : NAN;
}

/* Whether result `index` is the first of the sweep with its type and target; likewise with its
 * target. Results without the key are not of the sweep. */
static bool is_first(const bench_records *records, size_t index, const char *key, bool of_target)
{
    const bench_record_result *r = &records->result[index];

    if (!r->correct || isnan(bench_result_number(r, key)))
        return false;
    for (size_t i = 0; i < index; i++) {
        const bench_record_result *other = &records->result[i];
        if (other->correct && !isnan(bench_result_number(other, key)) &&
            strcmp(other->target, r->target) == 0 &&
            (of_target || strcmp(type_of(records, other), type_of(records, r)) == 0))
            return false;
    }
    return true;
}

static const char *short_key(const char *key)
{
    const char *dot = strrchr(key, '.');

    return dot ? dot + 1 : key;
}

/* Adds the curves of a type and a target, and a sentence about the fastest and the slowest point.
 */
static void add_curves(const sweep *s, const values *x, const values *curve, bool named,
                       size_t panel, bench_figure *figure)
{
    size_t most[2] = { 0, 0 }, least[2] = { 0, 0 };
    double high = NAN, low = NAN;

    for (size_t i = 0; i < x->count; i++)
        for (size_t c = 0; c < curve->count; c++) {
            const double speed = speed_at(s, x->value[i], curve->value[c]);
            char label[32], series[128];
            if (isnan(speed))
                continue;
            snprintf(label, sizeof label, "%g", x->value[i]);
            snprintf(series, sizeof series, "%s=%g%s%s", short_key(s->curve), curve->value[c],
                     named ? " " : "", named ? s->target : "");
            bench_figure_number(figure, panel, label, series, speed);
            if (!(speed <= high)) {
                high = speed;
                most[0] = i, most[1] = c;
            }
            if (!(speed >= low)) {
                low = speed;
                least[0] = i, least[1] = c;
            }
        }
    if (!isnan(high))
        bench_figure_found(figure, "%s %s: fastest at %s=%g %s=%g, %.3g GFlop/s; slowest at %s=%g "
                           "%s=%g, %.3g", s->target, s->type, short_key(s->x), x->value[most[0]],
                           short_key(s->curve), curve->value[most[1]], high, short_key(s->x),
                           x->value[least[0]], short_key(s->curve), curve->value[least[1]], low);
}

/* The panel of a type. */
static size_t panel_of(bench_figure *figure, size_t *panels, const sweep *s)
{
    static const char *const title[] = { "Harmonic mean of the speed, f32",
                                         "Harmonic mean of the speed, f64" };
    const size_t type = strcmp(s->type, "f32") == 0 ? 0 : 1;

    if (panels[type] == SIZE_MAX)
        panels[type] = bench_figure_panel(figure, BENCH_CURVES, title[type], short_key(s->x),
                                          "GFlop/s");
    return panels[type];
}

bool bench_evaluate_sweep(const bench_records *records, const char *x, const char *curve,
                          bench_figure *figure, spmv_error *error)
{
    const values xs = values_of(records, x), curves = values_of(records, curve);
    size_t targets = 0, panels[2] = { SIZE_MAX, SIZE_MAX };

    if (xs.count == 0 || curves.count == 0)
        return sg_fail(error, "no result has both %s and %s in its --set", x, curve);
    for (size_t i = 0; i < records->result_count; i++)
        targets += is_first(records, i, x, true);
    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        const sweep s = { records, x, curve, type_of(records, r), r->target };
        if (is_first(records, i, x, false))
            add_curves(&s, &xs, &curves, targets > 1, panel_of(figure, panels, &s), figure);
    }
    if (figure->findings == 0)
        return sg_fail(error, "no combination of %s and %s was timed on every matrix", x, curve);
    return true;
}
