/* storage.c: see storage.h. */
#include "bench/inspect/storage.h"

#include <math.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/output/terminal.h"

/* A statistic of the layout; NaN: the plan has no such one. */
static double figure_of(const spmv_plan *plan, const char *name)
{
    spmv_figure figure[SPMV_MAX_FIGURES];
    int32_t count = 0;

    if (spmv_plan_figures(plan, figure, &count))
        return NAN;
    for (int32_t i = 0; i < count; i++)
        if (strcmp(figure[i].name, name) == 0)
            return figure[i].value;
    return NAN;
}

double bench_storage_share(const spmv_plan *plan, int64_t nnz, const char *name)
{
    const double count = figure_of(plan, name);

    return nnz > 0 && !isnan(count) ? count / (double)nnz : 0;
}

/* A way to store nonzeros, and the statistic that counts them. */
typedef struct kind {
    const char *name, *figure;
} kind;

/* Appends "equal 97.4 %, by a table 2.6 %": the kinds that some nonzeros have, and a name for the
 * others. */
static void list_kinds(const spmv_plan *plan, int64_t nnz, const kind *kinds, size_t count,
                       const char *others, char *text, size_t bytes)
{
    double sum = 0;
    size_t used = strlen(text);

    for (size_t i = 0; i < count && used < bytes; i++) {
        const double share = bench_storage_share(plan, nnz, kinds[i].figure);
        if (share > 0)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s %.3g %%",
                                     sum > 0 ? ", " : "", kinds[i].name, 100 * share);
        sum += share;
    }
    if (sum < 0.9995 && used < bytes)
        snprintf(text + used, bytes - used, "%s%s %.3g %%", sum > 0 ? ", " : "", others,
                 100 * (1 - sum));
}

void bench_storage_print(const spmv_plan *plan, const spmv_csr *csr, int columns, FILE *out)
{
    static const kind storages[] = {
        { "diagonals", "nonzeros in diagonals" },
        { "runs", "nonzeros in runs" },
        { "lanes and long rows", "nonzeros in lanes and long rows" },
    };
    static const kind codings[] = {
        { "equal", "with equal values" },
        { "by a table", "with codes of values" },
        { "in f32", "with values in f32" },
    };
    const double column_bytes = figure_of(plan, "bytes of a column");
    const double value_bytes = figure_of(plan, "bytes of a value");
    char text[400];

    if (csr->nnz == 0 || isnan(column_bytes) || isnan(value_bytes))
        return;
    snprintf(text, sizeof text, "columns take %.2f bytes a nonzero: ", column_bytes);
    list_kinds(plan, csr->nnz, storages, sizeof storages / sizeof storages[0], "split rows", text,
               sizeof text);
    bench_print_wrapped("stored", text, columns, out);
    snprintf(text, sizeof text, "values take %.2f bytes of %zu: ", value_bytes,
             bench_value_bytes(csr->value_type));
    list_kinds(plan, csr->nnz, codings, sizeof codings / sizeof codings[0], "as they are", text,
               sizeof text);
    bench_print_wrapped("", text, columns, out);
}
