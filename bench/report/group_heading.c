/* group_heading.c: what stands above the table of a group. See group_table.h. */
#include <stdlib.h>
#include <string.h>

#include "bench/output/message.h"
#include "bench/output/terminal.h"
#include "bench/report/group_table.h"

/* With the bytes of x replaced by its moved cache lines, the CSR bytes. */
static double bytes_with_lines(const bench_record_matrix *m)
{
    return m->csr_bytes - bench_record_x_bytes(m) + (double)m->x_line_bytes;
}

/* What the legend leaves out, for products that have columns of their own. */
static void print_product_legend(const bench_record_matrix *m, int columns, FILE *out)
{
    if (m->transposed)
        bench_print_wrapped("columns", "of A x: time over that with A in place of its transpose, "
                            "by the same method; prepare: time to make the plan over that of a "
                            "multiplication; over CSR: the plain CSR loop multiplies by A",
                            columns, out);
    if (m->columns > 1)
        bench_print_wrapped(m->transposed ? "" : "columns", "of one: time over that of one vector "
                            "by the same method; bound: that ratio if time were bytes; over CSR: "
                            "the plain CSR loop multiplies one vector after another", columns,
                            out);
    if (m->values[0])
        bench_print_wrapped(m->transposed || m->columns > 1 ? "" : "columns", "of type: time over "
                            "that with the values as they are, by the same method; bytes: that "
                            "ratio if time were bytes of the matrix, x and y", columns, out);
}

/* "y = 1*A*x + 0*y", "Y = 1*A^T*X + 0*Y for 8 row-major vectors" */
static void write_product(const bench_record_matrix *m, char *text, size_t bytes)
{
    const bool several = m->columns > 1;
    const int used = snprintf(text, bytes, "%c = %g*A%s*%c + %g*%c", several ? 'Y' : 'y', m->alpha,
                              m->transposed ? "^T" : "", several ? 'X' : 'x', m->beta,
                              several ? 'Y' : 'y');

    if (several && used > 0 && (size_t)used < bytes)
        snprintf(text + used, bytes - (size_t)used, " for %lld %s-major vectors",
                 (long long)m->columns, m->order);
}

/* "copy 10.1, scale 9.5, add 10.8, triad 10.7 GB/s", of the JSON of the record. */
static void write_stream(const char *stream, char *text, size_t bytes)
{
    static const char *const names[] = { "copy", "scale", "add", "triad" };
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0] && used < bytes; i++) {
        const char *at = strstr(stream, names[i]);
        const char *colon = at ? strchr(at, ':') : NULL;
        if (colon)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s %.1f", used ? ", " : "",
                                     names[i], strtod(colon + 1, NULL));
    }
}

static void print_yardsticks(const bench_record_matrix *m, int columns, FILE *out)
{
    char text[256], first[64] = "";

    if (m->read_rate > 0)
        fprintf(out, "reading  %.1f GB/s from an array as large as that", m->read_rate);
    if (m->read_rate > 0 && m->dram_rate > 0)
        fprintf(out, ", %.1f GB/s from one of %.0f MB", m->dram_rate, (double)m->dram_bytes * 1e-6);
    if (m->read_rate > 0)
        fputc('\n', out);
    write_stream(m->stream, text, sizeof text);
    if (text[0])
        fprintf(out, "stream   %s GB/s\n", text);
    if (m->gather_rate > 0)
        fprintf(out, "collect  %.3f GFlop/s, if reading all columns and x at them were all of it\n",
                m->gather_rate);
    if (m->x_line_bytes >= 0) {
        if (m->x_l1_line_bytes >= 0)
            snprintf(first, sizeof first, "; %.3g MB come into first caches of %.3g MB",
                     (double)m->x_l1_line_bytes * 1e-6, (double)m->l1_cache_bytes * 1e-6);
        snprintf(text, sizeof text, "%.3g MB of x, by a model of caches of %.3g MB: all that "
                 "moves, at the rate of reading, is %.0f%% of read%s",
                 (double)m->x_line_bytes * 1e-6, (double)m->core_cache_bytes * 1e-6,
                 100 * m->csr_bytes / bytes_with_lines(m), first);
        bench_print_wrapped("lines", text, columns, out);
    }
}

#define LEGEND "time: median of a multiplication; +-: half of its 95 % confidence interval; over " \
               "CSR: speed over that of the plain CSR loop in the same rounds; over peer: speed " \
               "over that of the fastest peer; "

static const char legend[] = LEGEND "--details shows what costs and limits each";
static const char details_legend[] =
    LEGEND "GFlop/s = 2*nnz/t; GB/s = CSR bytes/t; of read = GB/s over reading; prepare, update = "
    "their time/t; layout = its bytes over A's in CSR; error above 1 is wrong; --details --help "
    "says more";

void bench_group_heading(const bench_records *records, size_t matrix, bool first, bool details,
                         FILE *out)
{
    const bench_record_matrix *m = &records->matrix[matrix];
    const int columns = bench_terminal_columns(out);
    char name[BENCH_PRINTABLE_BYTES], rows[96], product[120], text[BENCH_PRINTABLE_BYTES + 256];

    if (first) {
        snprintf(text, sizeof text, "%s, %lld thread%s, %s", records->cpu,
                 (long long)records->threads, records->threads == 1 ? "" : "s", records->compiler);
        bench_print_wrapped("machine", text, columns, out);
        bench_print_wrapped("legend", details ? details_legend : legend, columns, out);
        print_product_legend(m, columns, out);
        fputc('\n', out);
    }
    /* A model has the name that a command line takes; a look-alike is called one. */
    if (strncmp(m->input, "model:", 6) == 0)
        bench_group_name(m, name, sizeof name);
    else
        bench_printable(name, m->name);
    if (m->min_row < m->max_row)
        snprintf(rows, sizeof rows, "%lld to %lld, on average %.2f", (long long)m->min_row,
                 (long long)m->max_row, m->average_row);
    else
        snprintf(rows, sizeof rows, "%lld", (long long)m->max_row);
    snprintf(text, sizeof text, "%s: %lld x %lld, %lld nonzeros; rows of %s; %lld empty", name,
             (long long)m->rows, (long long)m->cols, (long long)m->nnz, rows,
             (long long)m->empty_rows);
    bench_print_wrapped("matrix", text, columns, out);
    write_product(m, product, sizeof product);
    snprintf(text, sizeof text, "%s%s in %s, %s%s%s%s row pointers; %.3g MB in CSR with %s",
             product, m->ones ? ", A and x of ones," : "", m->type,
             m->values[0] ? "values rounded to " : "", m->values, m->values[0] ? ", " : "",
             m->offset, m->csr_bytes * 1e-6, m->columns > 1 ? "X and Y" : "x and y");
    bench_print_wrapped("problem", text, columns, out);
    if (m->plain_seconds > 0)
        fprintf(out, "plain    %.4g us for the plain CSR loop%s%s, measured in the same rounds\n",
                m->plain_seconds * 1e6, m->transposed ? " of A*x" : "",
                m->columns > 1 ? " on each vector" : "");
    if (details)
        print_yardsticks(m, columns, out);
    fputc('\n', out);
}
