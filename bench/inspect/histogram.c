/* histogram.c: see histogram.h. */
#include "bench/inspect/histogram.h"

enum { FEW = 12, SHORT = 48 };

/* A class for each length that occurs; false: there are more than FEW. */
static int take_each(const spmv_csr *csr, bench_histogram *out)
{
    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t length = bench_csr_length(csr, r);
        int at = 0;
        while (at < out->count && out->entry[at].least < length)
            at++;
        if (at < out->count && out->entry[at].least == length)
            continue;
        if (out->count == FEW)
            return 0;
        for (int i = out->count++; i > at; i--)
            out->entry[i] = out->entry[i - 1];
        out->entry[at] = (bench_length_class){ length, length, 0, 0 };
    }
    return 1;
}

static void add_class(bench_histogram *out, int64_t least, int64_t most)
{
    out->entry[out->count++] = (bench_length_class){ least, most, 0, 0 };
}

/* Classes from the shortest to the longest row. Empty rows are a class of their own. */
static void divide(const bench_row_lengths *lengths, bench_histogram *out)
{
    const int64_t first = lengths->min > 0 ? lengths->min : 1, last = lengths->max;
    const int64_t width = (last - first + FEW) / FEW;

    out->count = 0;
    if (lengths->min == 0)
        add_class(out, 0, 0);
    if (last <= SHORT)
        for (int64_t least = first; least <= last; least += width)
            add_class(out, least, least + width - 1);
    else
        for (int64_t most = 1; most / 2 < last; most *= 2)
            if (most >= first)
                add_class(out, most / 2 + 1 > first ? most / 2 + 1 : first, most);
    out->entry[out->count - 1].most = last;
}

void bench_histogram_create(const spmv_csr *csr, bench_histogram *out)
{
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);

    out->count = 0;
    if (!take_each(csr, out))
        divide(&lengths, out);
    for (int64_t r = 0; r < csr->rows; r++) {
        const int64_t length = bench_csr_length(csr, r);
        int at = 0;
        while (out->entry[at].most < length)
            at++;
        out->entry[at].rows++;
        out->entry[at].nnz += length;
    }
}
