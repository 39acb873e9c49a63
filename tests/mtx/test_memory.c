/* Memory: every allocation may fail, the peak is bounded, and hostile size lines allocate
 * nothing. */
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "bench/matrices/mtx/mtx_read.h"
#include "text.h"

enum { HOSTILE_LIMIT = 16 << 20 };

static void text_fill(text_buffer *out, const char *banner, bool has_values, int size, int entries)
{
    text_printf(out, "%%%%MatrixMarket matrix coordinate %s\n%d %d %d\n", banner, size, size,
                entries);
    for (int i = 0; i < entries; i++) {
        int a = (int)((int64_t)i * 7919 % size), b = (int)((int64_t)i * 104729 % size);
        text_printf(out, "%d %d", (a > b ? a : b) + 1, (a > b ? b : a) + 1);
        text_printf(out, has_values ? " %.17g\n" : "\n", i / 3.0);
    }
}

/* Lets the first, second, third ... allocation fail, until a reading succeeds. */
static void failures(const char *name, const void *bytes, size_t size)
{
    int64_t grants = 0;
    bool good = true;
    mtx_status status = MTX_OUT_OF_MEMORY;
    for (; good && status == MTX_OUT_OF_MEMORY && grants < 10000; grants++) {
        mtx_memory memory;
        mtx_matrix m;
        mtx_error err = { 0 };
        mtx_memory_init(&memory, 0);
        memory.grants = grants;
        status = mtx_read_memory_within(&memory, name, bytes, size, NULL, &m, &err);
        if (status == MTX_OK)
            mtx_free(&m);
        else
            good = status == MTX_OUT_OF_MEMORY && memory.used == 0 && !m.row_ptr &&
                   strstr(err.text, name) && strstr(err.text, " no room for ");
        if (!good)
            diag("allocation %d: status %d, %s", (int)grants, (int)status, err.text);
    }
    ok(good && status == MTX_OK && grants > 5,
       "%s: each of %d allocations may fail without a leak", name, (int)grants - 1);
}

static void peak(const char *banner, bool has_values, int size, int entries)
{
    text_buffer t = { 0 };
    mtx_memory memory;
    mtx_matrix m;
    mtx_error err = { 0 };
    text_fill(&t, banner, has_values, size, entries);
    mtx_memory_init(&memory, 0);
    mtx_status status = mtx_read_memory_within(&memory, banner, t.bytes, t.size, NULL, &m, &err);
    if (ok(status == MTX_OK, "%s of %d rows is accepted", banner, size)) {
        uint64_t result = (uint64_t)(m.rows + 1) * sizeof *m.row_ptr +
                          (uint64_t)m.nnz * (sizeof *m.col_idx + sizeof *m.val);
        ok(memory.used == result, "%s: only the result is left", banner);
        ok(2 * memory.peak <= 5 * result + 2 * (1 << 20),
           "%s: a peak of %.2f times the result is at most 2.5 times and 1 MiB", banner,
           (double)memory.peak / (double)result);
        mtx_free(&m);
    }
    text_free(&t);
}

/* With `compressed`, the file's size says nothing about its entries. */
static void hostile_case(const char *text, bool compressed, mtx_status status, const char *words)
{
    text_buffer bytes = { 0 };
    mtx_memory memory;
    mtx_matrix m;
    mtx_error err = { 0 };
    if (compressed)
        text_add_gzip(&bytes, text, strlen(text));
    else
        text_add(&bytes, text, strlen(text));
    mtx_memory_init(&memory, HOSTILE_LIMIT);
    mtx_status found = mtx_read_memory_within(&memory, "hostile", bytes.bytes, bytes.size, NULL, &m,
                                              &err);
    ok(found == status && strstr(err.text, words) && memory.used == 0 && memory.peak < (1 << 20),
       "a hostile size line fails within 1 MiB: %s", err.text);
    text_free(&bytes);
}

static void hostile(void)
{
    static const struct {
        const char *text;
        mtx_status status;
        const char *words, *compressed;      /* NULL: the same words */
    } cases[] = {
        { "%%MatrixMarket matrix coordinate real general\n2147483647 2147483647 1000000000000000\n"
          "1 1 1\n", MTX_MALFORMED, "expected at most 15 in a file of 91 bytes",
          "ends after 1 entries, expected 1000000000000000" },
        { "%%MatrixMarket matrix coordinate pattern symmetric\n1 1 9223372036854775807\n1 1\n",
          MTX_MALFORMED, "expected at most 19 in a file of 79 bytes", "ends after 1 entries" },
        { "%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n", MTX_MALFORMED,
          "expected at most 32 in a file of 65 bytes", "ends after 1 entries" },
        { "%%MatrixMarket matrix coordinate pattern general\n2147483647 1 1\n1 1\n",
          MTX_OUT_OF_MEMORY, "no room for the row pointers: 17179869184 bytes", NULL },
    };
    enum { COUNT = sizeof cases / sizeof cases[0] };
    for (size_t i = 0; i < COUNT; i++) {
        hostile_case(cases[i].text, false, cases[i].status, cases[i].words);
        hostile_case(cases[i].text, true, cases[i].status,
                     cases[i].compressed ? cases[i].compressed : cases[i].words);
    }
    const mtx_options options = { .max_bytes = HOSTILE_LIMIT };
    const char *last = cases[COUNT - 1].text;
    mtx_matrix m;
    ok(mtx_read_memory("hostile", last, strlen(last), &options, &m, NULL) == MTX_OUT_OF_MEMORY,
       "max_bytes is kept");
}

/* A large column number allocates nothing. */
static void wide(void)
{
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n"
                               "1 2147483647 3\n1 2147483647 5\n1 1 6\n1 2147483647 7\n";
    mtx_memory memory;
    mtx_matrix m;
    mtx_memory_init(&memory, 1 << 20);
    if (ok(mtx_read_memory_within(&memory, "wide", text, strlen(text), NULL, &m, NULL) == MTX_OK,
           "a matrix of 2^31 - 1 columns needs little")) {
        ok(m.col_idx[0] == INT32_MAX - 1, "its last column is right");
        mtx_free(&m);
    }
}

int main(void)
{
    text_buffer general = { 0 }, symmetric = { 0 }, gzip = { 0 };
    text_fill(&general, "real general", true, 5000, 30000);
    text_fill(&symmetric, "pattern symmetric", false, 3000, 9000);
    text_add_gzip(&gzip, general.bytes, general.size);
    failures("general", general.bytes, general.size);
    failures("symmetric", symmetric.bytes, symmetric.size);
    failures("gzip", gzip.bytes, gzip.size);
    text_free(&general);
    text_free(&symmetric);
    text_free(&gzip);

    peak("real general", true, 50000, 270000);
    peak("real symmetric", true, 50000, 270000);
    peak("pattern general", false, 50000, 270000);
    peak("pattern symmetric", false, 1000, 270000);
    peak("real general", true, 400000, 100000);
    peak("real general", true, 700, 400000);
    hostile();
    wide();
    return tap_done();
}
