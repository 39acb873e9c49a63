/* test_records.c: what bench_records_read takes from a file, and what it refuses. */
#define _POSIX_C_SOURCE 200809L  /* mkstemp */
#include "bench/records/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../tap.h"

#define RUN "{\"record\": \"run\", \"schema\": 1, \"version\": \"0.1.0\", \"cpu\": \"a CPU\", " \
            "\"threads\": 2, \"command\": [\"spmvbench\", \"run\", \"it's.mtx\", \"\"]}\n"
#define KEY "\"input\": \"a.mtx\", \"type\": \"f64\", \"offset\": \"i32\""
#define MATRIX "{\"record\": \"matrix\", " KEY ", \"rows\": 3, \"complete\": true"

static char path[] = "/tmp/spmvbench-records-XXXXXX";

/* Reads a file with this text. */
static bool read_text(const char *text, bench_records *out, spmv_error *error)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
    return bench_records_read(path, out, error);
}

static void test_reading(void)
{
    bench_records r;
    spmv_error error = { SPMV_OK, "" };
    const bool good = read_text(
        RUN MATRIX "}\n"
        "{\"record\": \"result\", " KEY ", \"method\": \"csr5\", \"target\": \"zen4\", "
        "\"set\": {\"csr5.sigma\": \"8\", \"csr5.omega\": \"4\"}, \"correct\": true, "
        "\"seconds\": 2.5e-4, \"ratio\": null, \"later\": [1]}\n"
        "{\"record\": \"later\"}\n"
        "{\"record\": \"end\", \"complete\": true, \"reason\": \"done\"}\n", &r, &error);

    ok(good && r.matrix_count == 1 && r.result_count == 1 && r.matrix[0].rows == 3 &&
           r.matrix[0].complete && r.result[0].correct && r.result[0].seconds == 2.5e-4,
       "a run with a matrix and a result: %s", error.text);
    ok(good && strcmp(r.result[0].set, "csr5.omega=4 csr5.sigma=8") == 0,
       "parameters of the sweep stand in the order of their names");
    ok(good && isnan(r.result[0].ratio) && r.result[0].samples == -1 && r.matrix[0].cols == -1 &&
           r.result[0].failure[0] == '\0',
       "what a record lacks is NaN, -1 or an empty text");
    ok(good && r.ended && r.complete && r.threads == 2 && strcmp(r.cpu, "a CPU") == 0,
       "the run and its end are read");
    ok(good && strcmp(r.command, "spmvbench run 'it'\\''s.mtx' ''") == 0,
       "the command is quoted for a shell");
    bench_records_free(&r);
}

static void test_later_groups(void)
{
    bench_records r;
    spmv_error error = { SPMV_OK, "" };
    const bool good = read_text(
        RUN MATRIX "}\n"
        "{\"record\": \"result\", " KEY ", \"method\": \"old\", \"target\": \"t\", "
        "\"correct\": true}\n"
        "{\"record\": \"matrix\", \"input\": \"b.mtx\", \"type\": \"f64\", \"offset\": \"i32\"}\n"
        "{\"record\": \"result\", \"input\": \"b.mtx\", \"type\": \"f64\", \"offset\": \"i32\", "
        "\"method\": \"b\", \"target\": \"t\", \"correct\": true}\n"
        "{\"record\": \"end\", \"complete\": true}\n" RUN MATRIX ", \"results\": 2}\n"
        "{\"record\": \"result\", " KEY ", \"method\": \"new\", \"target\": \"t\", "
        "\"correct\": false}\n"
        "{\"record\": \"result\", " KEY ", \"method\": \"cut", &r, &error);

    ok(good && r.matrix_count == 2 && r.result_count == 2 &&
           strcmp(r.result[0].method, "new") == 0 && strcmp(r.result[1].method, "b") == 0,
       "a later group takes the place of an earlier one: %s", error.text);
    ok(good && !r.ended, "the last run has no end");
    ok(good && !r.matrix[0].complete,
       "a line that was cut is ignored, and its group is not complete");
    bench_records_free(&r);
}

static void test_refusals(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "", "has no record of spmvbench" },
        { "hello\n", ":1: not a record of spmvbench" },
        { "input,type\n", ":1: a table of --save FILE.csv; expected the records of" },
        { "[1]\n", ":1: not a record of spmvbench: 'record' is missing" },
        { "{\"cpu\": \"x\"}\n", ":1: not a record of spmvbench: 'record' is missing" },
        { MATRIX "}\n", ":1: record 'matrix' stands before the first 'run'" },
        { "{\"record\": \"run\", \"schema\": 2}\n", ":1: schema 2, of another version" },
        { "{\"record\": \"run\"}\n", ":1: 'schema' is missing" },
        { "{\"record\": \"run\", \"schema\": 1, \"command\": \"x\"}\n", ":1: 'command' is not" },
        { RUN "{\"record\": \"matrix\"}\n", ":2: 'input' is missing" },
        { RUN "{\"record\": \"result\", " KEY ", \"method\": \"m\", \"target\": \"t\", "
          "\"correct\": true}\n", ":2: a result of 'a.mtx' in f64 and i32, without a matrix" },
        { RUN MATRIX ", \"nnz\": \"many\"}\n", ":2: 'nnz' is a text; expected a whole number" },
        { RUN MATRIX ", \"nnz\": 1e99}\n", ":2: 'nnz' is a number; expected a whole number" },
        { RUN "{\"record\": \"matrix\",\n", ":2: not a record" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_records r;
        spmv_error error = { SPMV_OK, "" };
        const bool good = read_text(cases[i].text, &r, &error);
        ok(!good && strstr(error.text, cases[i].message) && strstr(error.text, path) && !r.owned,
           "refused: %s", error.text);
        if (good)
            bench_records_free(&r);
    }
    bench_records r;
    spmv_error error = { SPMV_OK, "" };
    ok(!bench_records_read("/none/here.jsonl", &r, &error) &&
           strstr(error.text, "/none/here.jsonl"),
       "a file that is not there: %s", error.text);
}

int main(void)
{
    const int file = mkstemp(path);

    if (file < 0)
        return 1;
    close(file);
    test_reading();
    test_later_groups();
    test_refusals();
    unlink(path);
    return tap_done();
}
