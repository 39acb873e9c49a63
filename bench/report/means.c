/* means.c: see means.h. */
#include "bench/report/means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output/table.h"
#include "bench/report/group_table.h"

typedef struct mean {
    const bench_record_result *contender;    /* its first result */
    double logarithms;                       /* the sum of those of its speeds */
    double least;
    size_t groups, fastest;                  /* in which it was timed; was the fastest of ours */
} mean;

static bool counts(const bench_record_result *r)
{
    return !r->peer && r->correct && r->ratio > 0;
}

static double speed_of(const mean *m)
{
    return exp(m->logarithms / (double)m->groups);
}

/* What was timed on more matrices is first: means over different matrices cannot be compared. */
static int compare_means(const void *a, const void *b)
{
    const mean *m = a, *n = b;

    if (m->groups != n->groups)
        return m->groups > n->groups ? -1 : 1;
    if (m->logarithms != n->logarithms)
        return m->logarithms > n->logarithms ? -1 : 1;
    return m->contender < n->contender ? -1 : 1;
}

static size_t collect(const bench_records *records, mean *means)
{
    size_t count = 0;

    for (size_t i = 0; i < records->result_count; i++) {
        const bench_record_result *r = &records->result[i];
        size_t k = 0;
        if (!counts(r))
            continue;
        while (k < count && !bench_records_same_contender(means[k].contender, r))
            k++;
        if (k == count)
            means[count++] = (mean){ .contender = r, .least = r->ratio };
        means[k].logarithms += log(r->ratio);
        means[k].least = fmin(means[k].least, r->ratio);
        means[k].groups++;
        means[k].fastest += bench_group_best(records, r->matrix, false) == r;
    }
    qsort(means, count, sizeof *means, compare_means);
    return count;
}

static bool has_parameters(const bench_records *records)
{
    for (size_t i = 0; i < records->result_count; i++)
        if (counts(&records->result[i]) &&
            (records->result[i].set[0] || records->result[i].settings[0]))
            return true;
    return false;
}

static void print_table(const bench_records *records, const mean *means, size_t count, FILE *out)
{
    static const char *const heads[] = { "contender", "over CSR", "least", "fastest on", "of" };
    enum { COLUMNS = sizeof heads / sizeof heads[0], WORDS = 1 };
    bench_table *table = bench_table_create(COLUMNS, WORDS);

    for (size_t i = 0; i < COLUMNS; i++)
        bench_table_add(table, "%s", heads[i]);
    for (size_t i = 0; i < count; i++) {
        char parameters[1024];
        bench_group_parameters(means[i].contender, parameters, sizeof parameters);
        bench_table_add(table, "%s %s%s%s", means[i].contender->method,
                        means[i].contender->target, parameters[0] ? " " : "", parameters);
        bench_table_add(table, "%.2f", speed_of(&means[i]));
        bench_table_add(table, "%.2f", means[i].least);
        bench_table_add(table, "%zu", means[i].fastest);
        bench_table_add(table, "%zu", means[i].groups);
    }
    fprintf(out, "\nsweep    over %zu races: geometric mean and least of the speed over the plain "
            "CSR loop\n\n", records->matrix_count);
    bench_table_print(table, out);
    bench_table_destroy(table);
}

void bench_means_print(const bench_records *records, FILE *out)
{
    if (records->matrix_count < 2 || !has_parameters(records))
        return;
    mean *means = calloc(records->result_count, sizeof *means);
    if (means)
        print_table(records, means, collect(records, means), out);
    else
        fputs("\n(no means: out of memory)\n", out);
    free(means);
}
