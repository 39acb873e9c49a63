/* summary.c: see summary.h. */
#include "bench/report/summary.h"

#include <stddef.h>

#include "bench/output/message.h"
#include "bench/matrices/statistics.h"
#include "bench/output/table.h"

typedef struct line {
    const char *name;
    size_t offset;               /* of a double of bench_statistics */
    double factor;
    const char *format;
} line;

#define FIELD(name) offsetof(bench_statistics, name)

static const line lines[] = {
    { "empty rows, %", FIELD(empty), 100, "%.2f" },
    { "rows as long as the one before, %", FIELD(repeated), 100, "%.1f" },
    { "consecutive columns in a run", FIELD(run), 1, "%.2f" },
    { "distance from the diagonal, % of columns", FIELD(distance), 100, "%.2f" },
    { "entries within 64 columns of it, %", FIELD(near), 100, "%.1f" },
    { "entries below or right below one of the row before, %", FIELD(kept), 100, "%.1f" },
    { "lines of x that 64 rows read, per entry", FIELD(lines), 1, "%.4f" },
    { "of these not read by the 64 rows before, %", FIELD(fresh), 100, "%.1f" },
    { "entries in the fullest 1 % of columns, %", FIELD(hubs), 100, "%.1f" },
};

/* A negative number is unknown. */
static void add_row_of_integers(bench_table *table, const char *name, const int64_t *numbers,
                                size_t count)
{
    bench_table_add(table, "%s", name);
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < 0)
            bench_table_add(table, "-");
        else
            bench_table_add(table, "%lld", (long long)numbers[i]);
}

static void add_lengths(bench_table *table, const bench_statistics *s, size_t count)
{
    int64_t numbers[2] = { 0 };
    char name[64];

    for (int q = 0; q < BENCH_QUANTILES; q++) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = s[i].quantile[q];
        snprintf(name, sizeof name, "row length at %g %% of the rows",
                 bench_quantile_points[q] * 1e-4);
        add_row_of_integers(table, name, numbers, count);
    }
    for (int k = 1; k < BENCH_LONGEST; k++) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = s[i].longest[k];
        snprintf(name, sizeof name, "longest row but %d", k);
        add_row_of_integers(table, name, numbers, count);
    }
}

int bench_summary_print(const bench_source *source, FILE *out)
{
    const bench_matrix *const matrix[2] = { source->matrix, source->original };
    const size_t count = source->original ? 2 : 1;
    bench_statistics s[2];
    char name[BENCH_PRINTABLE_BYTES];
    bench_table *table = bench_table_create(1 + count, 1);

    for (size_t i = 0; i < count; i++)
        if (bench_statistics_compute(&matrix[i]->csr, &s[i])) {
            bench_table_destroy(table);
            return -1;
        }
    fprintf(out, "matrix   %s: %lld x %lld, %lld nonzeros\n\n", bench_printable(name, source->name),
            (long long)s[0].rows, (long long)s[0].cols, (long long)s[0].nnz);
    bench_table_add(table, "%s", "");
    bench_table_add(table, "%s", count > 1 ? "look-alike" : "matrix");
    if (count > 1)
        bench_table_add(table, "%s", "original");
    add_lengths(table, s, count);
    for (size_t l = 0; l < sizeof lines / sizeof lines[0]; l++) {
        bench_table_add(table, "%s", lines[l].name);
        for (size_t i = 0; i < count; i++)
            bench_table_add(table, lines[l].format, lines[l].factor *
                            *(const double *)((const char *)&s[i] + lines[l].offset));
    }
    bench_table_print(table, out);
    bench_table_destroy(table);
    return 0;
}
