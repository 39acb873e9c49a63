/* group_heading.c: what stands above the table of a group. See group_table.h. */
#include "bench/output/message.h"
#include "bench/report/group_table.h"

/* With the bytes of x replaced by its moved cache lines, the CSR bytes. */
static double bytes_with_lines(const bench_record_matrix *m)
{
    return m->csr_bytes - (double)m->cols * bench_record_value_bytes(m) + (double)m->x_line_bytes;
}

static void print_yardsticks(const bench_record_matrix *m, FILE *out)
{
    if (m->read_rate > 0)
        fprintf(out, "reading  %.1f GB/s from an array as large as that", m->read_rate);
    if (m->read_rate > 0 && m->dram_rate > 0)
        fprintf(out, ", %.1f GB/s from one of %.0f MB", m->dram_rate, (double)m->dram_bytes * 1e-6);
    if (m->read_rate > 0)
        fputc('\n', out);
    if (m->gather_rate > 0)
        fprintf(out, "collect  %.3f GFlop/s, if reading all columns and x at them were all of it\n",
                m->gather_rate);
    if (m->x_line_bytes >= 0)
        fprintf(out, "lines    %.3g MB of x, by a model of caches of %.3g MB: all that moves, at "
                "the rate of reading, is %.0f%% of read\n", (double)m->x_line_bytes * 1e-6,
                (double)m->core_cache_bytes * 1e-6, 100 * m->csr_bytes / bytes_with_lines(m));
}

void bench_group_heading(const bench_records *records, size_t matrix, bool details, FILE *out)
{
    const bench_record_matrix *m = &records->matrix[matrix];
    char name[BENCH_PRINTABLE_BYTES];

    fprintf(out, "machine  %s, %lld thread%s, %s\n", records->cpu, (long long)records->threads,
            records->threads == 1 ? "" : "s", records->compiler);
    fprintf(out,
            "matrix   %s: %lld x %lld, %lld nonzeros, rows of %lld / %.2f / %lld "
            "(min / average / max), %lld empty\n",
            bench_printable(name, m->name), (long long)m->rows, (long long)m->cols,
            (long long)m->nnz, (long long)m->min_row, m->average_row, (long long)m->max_row,
            (long long)m->empty_rows);
    fprintf(out, "problem  y = %g*A*x + %g*y, %s values, %s row pointers, %.3g MB in CSR with x "
            "and y\n", m->alpha, m->beta, m->type, m->offset, m->csr_bytes * 1e-6);
    if (m->plain_seconds > 0)
        fprintf(out, "plain    %.4g us for the plain CSR loop, measured in the same rounds\n",
                m->plain_seconds * 1e6);
    if (details)
        print_yardsticks(m, out);
    fprintf(out, "legend   +- is the 95 %% confidence interval of the median time; over CSR, over "
            "peer: speed over the\n         plain CSR loop, over the best peer; %s\n",
            details ? "GFlop/s = 2*nnz/t; GB/s = CSR bytes/t; of read = GB/s\n"
                      "         over reading; prepare, update = their time/t; layout = its bytes "
                      "over A's in CSR;\n         error above 1 is wrong; --help says more"
                    : "--details shows what costs and limits each");
    fputc('\n', out);
}
