/* print.c: see print.h. */
#include "bench/inspect/print.h"

#include <stdarg.h>
#include <string.h>

#include "bench/output/terminal.h"

typedef struct view {
    const bench_structure *s;
    int columns;
    FILE *out;
} view;

__attribute__((format(printf, 3, 4))) static void line(const view *v, const char *label,
                                                       const char *format, ...)
{
    char text[1600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bench_print_wrapped(label, text, v->columns, v->out);
}

/* A share in percent that says 0 and 100 only if it is exactly that. */
static const char *percent(double share, char buffer[16])
{
    if (share <= 0 || share >= 1)
        snprintf(buffer, 16, "%d%%", share > 0 ? 100 : 0);
    else if (share < 0.001)
        snprintf(buffer, 16, "<0.1%%");
    else if (share > 0.999)
        snprintf(buffer, 16, ">99.9%%");
    else
        snprintf(buffer, 16, "%.1f%%", 100 * share);
    return buffer;
}

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void print_sizes(const view *v, const char *name)
{
    const bench_structure *s = v->s;
    char text[16], sizes[96];

    /* A name is not broken: it may have several spaces in a row. */
    snprintf(sizes, sizeof sizes, "%lld x %lld, %lld nonzeros", (long long)s->rows,
             (long long)s->cols, (long long)s->nnz);
    if (strlen("matrix   : ") + strlen(name) + strlen(sizes) <= (size_t)v->columns) {
        fprintf(v->out, "matrix   %s: %s\n", name, sizes);
    } else {
        fprintf(v->out, "matrix   %s:\n", name);
        line(v, "", "%s", sizes);
    }
    if (s->nnz == 0)
        return;
    if (s->lengths.min == s->lengths.max)
        line(v, "rows", "all of %lld nonzeros", (long long)s->lengths.max);
    else
        line(v, "rows", "of %lld to %lld nonzeros, on average %.2f; %lld empty (%s)",
             (long long)s->lengths.min, (long long)s->lengths.max, s->lengths.average,
             (long long)s->lengths.empty, percent(share(s->lengths.empty, s->rows), text));
    if (s->lengths.min != s->lengths.max)
        line(v, "", "%lld row%s (%s) hold%s half of the nonzeros", (long long)s->half_rows,
             s->half_rows == 1 ? "" : "s", percent(share(s->half_rows, s->rows), text),
             s->half_rows == 1 ? "s" : "");
    line(v, "columns", "%lld empty (%s); %.3g%% of all places have a nonzero",
         (long long)s->empty_cols, percent(share(s->empty_cols, s->cols), text),
         100 * (double)s->places / ((double)s->rows * (double)s->cols));
}

static void print_symmetry(const view *v)
{
    const bench_structure *s = v->s;

    line(v, "symmetry", "%s",
         s->rows != s->cols      ? "none: not square"
         : s->symmetric_values   ? "places and values"
         : s->skew_values        ? "places; values are skew-symmetric"
         : s->symmetric          ? "places only"
                                 : "none");
}

static void print_band(const view *v)
{
    const bench_structure *s = v->s;
    char on[16], full[16];

    line(v, "band", "%lld below the diagonal, %lld above; profile %.4g", (long long)s->lower,
         (long long)s->upper, s->profile);
    line(v, "", "%lld diagonals with nonzeros; %s of the nonzeros on the main one, %s on diagonals "
         "that are at least half full", (long long)s->diagonals,
         percent(share(s->on_diagonal, s->places), on), percent(s->on_full_diagonals, full));
}

static void print_neighbours(const view *v)
{
    const bench_structure *s = v->s;
    char full[BENCH_BLOCK_EDGES][16], fill[BENCH_BLOCK_EDGES][16], text[16];

    for (int i = 0; i < BENCH_BLOCK_EDGES; i++) {
        percent(s->block[i].full, full[i]);
        percent(s->block[i].fill, fill[i]);
    }
    line(v, "blocks", "share of the nonzeros in full blocks: 2x2 %s, 3x3 %s, 4x4 %s; all blocks "
         "together are full to %s, %s, %s", full[0], full[1], full[2], fill[0], fill[1], fill[2]);
    line(v, "runs", "of %.2f consecutive columns on average; windows of %d columns are full to %s",
         s->run, BENCH_WINDOW, percent(s->window, text));
}

static void print_values(const view *v)
{
    const bench_values *values = &v->s->values;
    const bool many = values->distinct > BENCH_DISTINCT_MOST;
    char list[160] = "", text[16];

    if (values->distinct <= BENCH_DISTINCT_SHOWN)
        for (int64_t i = 0; i < values->distinct; i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.9g",
                     i > 0 ? ", " : ": ", values->shown[i]);
    line(v, "values", "%s%lld different%s; f32 %s%s", many ? "more than " : "",
         many ? (long long)BENCH_DISTINCT_MOST : (long long)values->distinct, list,
         values->inexact == 0 ? "holds all of them exactly" : "rounds ",
         values->inexact == 0 ? "" : percent(share(values->inexact, v->s->nnz), text));
    if (values->zeros > 0)
        line(v, "", "%lld nonzeros are stored zeros", (long long)values->zeros);
    if (values->non_finite > 0)
        line(v, "", "%lld are inf or nan", (long long)values->non_finite);
}

static void print_order(const view *v)
{
    const bench_structure *s = v->s;

    if (s->unsorted_rows > 0)
        line(v, "order", "columns of %lld rows are not sorted", (long long)s->unsorted_rows);
    if (s->duplicates > 0)
        line(v, "twice", "%lld nonzeros have the place of another one", (long long)s->duplicates);
}

void bench_structure_print(const bench_structure *structure, const char *name, int columns,
                           FILE *out)
{
    const view v = { structure, columns, out };

    print_sizes(&v, name);
    if (structure->nnz == 0)
        return;
    print_symmetry(&v);
    print_band(&v);
    print_neighbours(&v);
    print_values(&v);
    print_order(&v);
}
