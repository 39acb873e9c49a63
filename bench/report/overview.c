/* overview.c: see overview.h. */
#include "bench/report/overview.h"

#include <math.h>
#include <string.h>

#include "bench/output/message.h"
#include "bench/output/table.h"
#include "bench/report/group_table.h"
#include "bench/report/means.h"

/* Whether groups differ in their types. */
static bool has_types(const bench_records *records)
{
    for (size_t i = 1; i < records->matrix_count; i++)
        if (strcmp(records->matrix[i].type, records->matrix[0].type) != 0)
            return true;
    return false;
}

static double gflops(const bench_records *records, size_t matrix, const bench_record_result *r)
{
    return r ? 1e-9 * bench_record_flops(&records->matrix[matrix]) / r->seconds : NAN;
}

static void add_number(bench_table *table, const char *format, double number)
{
    bench_table_add(table, isfinite(number) ? format : "-", number);
}

/* ---- a line for each group ------------------------------------------------------------------- */

/* Which columns are shown. */
typedef struct shown_columns {
    bool types, peers, of_a, of_one, of_type;
} shown_columns;

static void add_group(bench_table *table, const bench_records *records, size_t i,
                      const shown_columns *has)
{
    const bench_record_result *own = bench_group_best(records, i, false);
    const bench_record_result *peer = bench_group_best(records, i, true);
    char name[256], parameters[1024] = "";

    bench_group_name(&records->matrix[i], name, sizeof name);
    bench_table_add(table, "%s", name);
    if (has->types)
        bench_table_add(table, "%s", records->matrix[i].type);
    if (own)
        bench_group_parameters(own, parameters, sizeof parameters);
    bench_table_add(table, own ? "%s %s%s%s" : "-", own ? own->method : "",
                    own ? own->target : "", parameters[0] ? " " : "", parameters);
    if (has->peers)
        bench_table_add(table, "%s", peer ? peer->method : "-");
    add_number(table, "%.4g", own ? own->seconds * 1e3 : NAN);
    bench_add_half_width(table, own);
    add_number(table, "%.2f", own ? own->ratio : NAN);
    if (has->peers)
        add_number(table, "%.2f", own && peer ? bench_group_time(records, peer) /
                                                bench_group_time(records, own) : NAN);
    if (has->of_a)
        add_number(table, "%.2f", own ? own->of_a_ratio : NAN);
    if (has->of_one)
        add_number(table, "%.2f", own ? own->of_one_ratio : NAN);
    if (has->of_type)
        add_number(table, "%.2f", own ? own->of_type_ratio : NAN);
    add_number(table, "%.3f", gflops(records, i, own));
    if (has->peers)
        add_number(table, "%.3f", gflops(records, i, peer));
}

static shown_columns shown_of(const bench_records *records, bool peers)
{
    shown_columns has = { .types = has_types(records), .peers = peers };

    for (size_t i = 0; i < records->matrix_count; i++) {
        has.of_a = has.of_a || records->matrix[i].transposed;
        has.of_one = has.of_one || records->matrix[i].columns > 1;
        has.of_type = has.of_type || records->matrix[i].values[0];
    }
    return has;
}

static void print_groups(const bench_records *records, bool peers, FILE *out)
{
    const shown_columns has = shown_of(records, peers);
    const struct {
        const char *head;
        bool is_shown;
    } columns[] = {
        { "matrix", true }, { "type", has.types }, { "fastest", true }, { "peer", peers },
        { "time ms", true }, { "+-", true }, { "over CSR", true }, { "over peer", peers },
        { "of A x", has.of_a }, { "of one", has.of_one }, { "of type", has.of_type },
        { "GFlop/s", true }, { "peer's", peers },
    };
    enum { COLUMNS = sizeof columns / sizeof columns[0], WORDS = 2 };
    size_t count = 0;

    for (size_t i = 0; i < COLUMNS; i++)
        count += columns[i].is_shown;
    bench_table *table = bench_table_create(count, (size_t)(WORDS + has.types + peers));
    for (size_t i = 0; i < COLUMNS; i++)
        if (columns[i].is_shown)
            bench_table_add(table, "%s", columns[i].head);
    for (size_t i = 0; i < records->matrix_count; i++)
        add_group(table, records, i, &has);
    bench_table_print(table, out);
    bench_table_destroy(table);
}

/* ---- a line for each peer -------------------------------------------------------------------- */

/* Our methods against others, over the groups for which both have a time. Means are harmonic. */
typedef struct comparison {
    size_t groups;
    double ratio;                /* our speed over the other's */
    double own_speed, other_speed;   /* GFlop/s */
    double least;                /* ratio */
    size_t where;                /* the group of the least ratio */
} comparison;

typedef struct sums {
    comparison *result;
    double ratios, own, other;
} sums;

static void add_pair(sums *s, const bench_records *records, size_t group,
                     const bench_record_result *own, const bench_record_result *other)
{
    comparison *c = s->result;
    const double ratio = own && other ? bench_group_time(records, other) /
                                        bench_group_time(records, own) : NAN;

    if (!isfinite(ratio))
        return;
    s->ratios += 1 / ratio;
    s->own += 1 / gflops(records, group, own);
    s->other += 1 / gflops(records, group, other);
    if (c->groups == 0 || ratio < c->least) {
        c->least = ratio;
        c->where = group;
    }
    c->groups++;
    c->ratio = (double)c->groups / s->ratios;
    c->own_speed = (double)c->groups / s->own;
    c->other_speed = (double)c->groups / s->other;
}

/* The time of the peer of this name in a group; NULL: none. */
static const bench_record_result *find_peer(const bench_records *records, size_t group,
                                            const char *name)
{
    size_t count;
    const size_t first = bench_records_first_result(records, group, &count);

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (r->peer && r->correct && r->seconds > 0 && strcmp(r->method, name) == 0)
            return r;
    }
    return NULL;
}

/* Compares with the peer of this name; NULL: with the best of each group. */
static comparison compare(const bench_records *records, const char *name)
{
    comparison c = { .groups = 0 };
    sums s = { .result = &c };

    for (size_t i = 0; i < records->matrix_count; i++)
        add_pair(&s, records, i, bench_group_best(records, i, false),
                 name ? find_peer(records, i, name) : bench_group_best(records, i, true));
    return c;
}

/* Whether an earlier result has the same name. */
static bool is_repeated(const bench_records *records, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (records->result[i].peer &&
            strcmp(records->result[i].method, records->result[index].method) == 0)
            return true;
    return false;
}

/* A line for each peer, since a strong peer may have skipped matrices. */
static void print_peers(const bench_records *records, FILE *out)
{
    static const char *const heads[] = { "over", "ratio", "GFlop/s", "its", "matrices", "version" };
    enum { COLUMNS = sizeof heads / sizeof heads[0], WORDS = 1 };
    bench_table *table = bench_table_create(COLUMNS, WORDS);

    for (size_t i = 0; i < COLUMNS; i++)
        bench_table_add(table, "%s", heads[i]);
    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        if (!r->peer || is_repeated(records, i))
            continue;
        const comparison c = compare(records, r->method);
        const char *format = c.groups > 0 ? "%.2f" : "-";
        bench_table_add(table, "%s", r->method);
        bench_table_add(table, format, c.ratio);
        bench_table_add(table, format, c.own_speed);
        bench_table_add(table, format, c.other_speed);
        bench_table_add(table, "%zu", c.groups);
        bench_table_add(table, "%s", r->module);
    }
    bench_table_print(table, out);
    bench_table_destroy(table);
}

/* ---- the summary ----------------------------------------------------------------------------- */

static bool has_peers(const bench_records *records)
{
    for (size_t i = 0; i < records->result_count; i++)
        if (records->result[i].peer)
            return true;
    return false;
}

/* The harmonic mean of speeds over the plain CSR loop; 0: no group has one. */
static double mean_over_csr(const bench_records *records, size_t *groups)
{
    double sum = 0;

    *groups = 0;
    for (size_t i = 0; i < records->matrix_count; i++) {
        const bench_record_result *own = bench_group_best(records, i, false);
        if (own && own->ratio > 0) {
            sum += 1 / own->ratio;
            ++*groups;
        }
    }
    return sum > 0 ? (double)*groups / sum : 0;
}

static void print_summary(const bench_records *records, const char *things, FILE *out)
{
    const comparison best = compare(records, NULL);
    char name[256];
    size_t groups;
    const double over_csr = mean_over_csr(records, &groups);

    if (over_csr > 0)
        fprintf(out, "\nsummary  %zu %s: %.2f times as fast as the plain CSR loop (harmonic "
                "mean)\n", groups, things, over_csr);
    if (best.groups == 0)
        return;
    bench_group_name(&records->matrix[best.where], name, sizeof name);
    fprintf(out, "summary  %zu %s: %.2f times as fast as the best peer of each (harmonic mean), at "
            "least %.2f (%s)\n", best.groups, things, best.ratio, best.least, name);
}

static void print_noise(const bench_records *records, FILE *out)
{
    size_t noisy = 0;

    for (size_t i = 0; i < records->matrix_count; i++)
        noisy += bench_group_is_noisy(records, i);
    if (noisy > 0)
        fprintf(out, "note     on %zu of them the machine was busy: see their notes\n", noisy);
}

void bench_overview_print(const bench_records *records, size_t expected, FILE *out)
{
    const bool peers = has_peers(records);

    if (records->matrix_count == 0)
        return;
    fputc('\n', out);
    print_groups(records, peers, out);
    bench_means_print(records, out);
    if (peers && compare(records, NULL).groups > 0) {
        fputc('\n', out);
        print_peers(records, out);
    }
    print_summary(records, has_types(records) ? "races" : "matrices", out);
    print_noise(records, out);
    if (records->matrix_count < expected)
        fprintf(out, "note     %zu of %zu races %s missing\n", expected - records->matrix_count,
                expected, expected - records->matrix_count == 1 ? "is" : "are");
}

/* ---- the budget ------------------------------------------------------------------------------ */

/* Half the width of the interval of the speed over the plain CSR loop; NaN: not known. */
static double uncertainty(const bench_record_result *r)
{
    return (r->ratio_high - r->ratio_low) / 2 / r->ratio;
}

static bool has_ratio(const bench_record_result *r)
{
    return r->correct && r->ratio > 0;
}

/* A line with the noisy results of a group, if it has any. */
static void print_noisy(const bench_records *records, size_t matrix, FILE *out)
{
    size_t count, shown = 0;
    const size_t first = bench_records_first_result(records, matrix, &count);
    char name[256], contender[256], escaped[BENCH_PRINTABLE_BYTES];

    bench_group_name(&records->matrix[matrix], name, sizeof name);
    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (!has_ratio(r) || uncertainty(r) <= bench_noise_bound)
            continue;
        if (shown++ == 0)
            fprintf(out, "noisy    %s %s: ", name, records->matrix[matrix].type);
        snprintf(contender, sizeof contender, "%s%s%.200s", r->method, r->set[0] ? " " : "",
                 r->set);
        fprintf(out, "%s%s", shown > 1 ? ", " : "", bench_printable(escaped, contender));
        if (isfinite(uncertainty(r)))
            fprintf(out, " +-%.0f%%", 100 * uncertainty(r));
    }
    if (shown > 0)
        fputc('\n', out);
}

void bench_budget_print(const bench_records *records, double spent, double budget, FILE *out)
{
    size_t known = 0, all = 0;

    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        all += has_ratio(r);
        known += has_ratio(r) && uncertainty(r) <= bench_noise_bound;
    }
    fprintf(out, "\nbudget   %.0f of %.0f seconds; speeds over CSR are known to %g %% for %zu of "
            "%zu results\n", spent, budget, 100 * bench_noise_bound, known, all);
    for (size_t i = 0; i < records->matrix_count; i++)
        print_noisy(records, i, out);
}
