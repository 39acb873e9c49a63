/* test_overview.c: the summary over several matrices, from invented results. */
#define _GNU_SOURCE              /* open_memstream */
#include "bench/report/overview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"

/* Whether a line has the words in this order, with only blanks between them. */
static int has_line(const char *text, const char *words)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line, *word = words;
        while (*word && *at && *at != '\n') {
            if (*at == ' ' || *word == ' ') {
                if (*at != *word)
                    break;
                at += strspn(at, " ");
                word += strspn(word, " ");
            } else if (*at++ != *word++) {
                word = "no";
                break;
            }
        }
        if (!*word)
            return 1;
    }
    return 0;
}

enum { COUNT = 18 };

/* Names are given here. */
static char *print(const bench_records *records, size_t expected)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    bench_overview_print(records, expected, out);
    fclose(out);
    return text;
}

/* Adds a result of this time; 0: it was not timed. */
static void add_result(bench_records *records, size_t matrix, const char *method, bool peer,
                       double seconds)
{
    bench_record_result r = bench_record_result_empty();

    r.matrix = matrix;
    r.method = method;
    r.module = peer ? "Peer 1" : "";
    r.target = peer ? "peer" : "here";
    r.peer = peer;
    r.correct = true;
    if (seconds > 0) {
        r.seconds = r.fastest = seconds;
        r.low = seconds * 0.99;
        r.high = seconds * 1.01;
        r.ratio = 3 / seconds;
    }
    bench_records_add_result(records, &r);
}

/* Adds a matrix of 2e9 nonzeros with a method of ours and two peers. */
static void add_group(bench_records *records, const char *input, const char *type, double own,
                      double first, double second)
{
    bench_record_matrix m = bench_record_matrix_empty();
    size_t index;

    m.input = input;
    m.type = type;
    m.offset = "i32";
    m.nnz = 2000000000;
    m.competitors = 0;
    bench_records_add_matrix(records, &m, &index);
    add_result(records, index, "csr5", false, own);
    add_result(records, index, "first", true, first);
    add_result(records, index, "second", true, second);
}

static void test_means(void)
{
    bench_records records = { .path = NULL };

    add_group(&records, "lookalike:dense2", "f64", 1, 2, 0);
    add_group(&records, "some/where/b.mtx.gz", "f64", 1, 2, 0.5);
    add_group(&records, "model:poisson7:10", "f64", 1, 2, 0);
    char *text = print(&records, 3);
    ok(has_line(text, "matrix fastest peer time ms +- over CSR over peer GFlop/s peer's"),
       "what decides is first");
    ok(has_line(text, "dense2 csr5 here first 1000 1.0% 3.00 2.00 4.000 2.000"), "a line a matrix");
    ok(has_line(text, "b.mtx.gz csr5 here second 1000 1.0% 3.00 0.50 4.000 8.000"),
       "with the best peer of that one");
    ok(has_line(text, "poisson7:10 csr5 here"), "names lack their kind and their folder");
    ok(has_line(text, "first 2.00 4.00 2.00 3 Peer 1") &&
           has_line(text, "second 0.50 4.00 8.00 1 Peer 1"),
       "a line a peer, however few matrices it did, and our speed on the same ones");
    /* 3 / (1/2 + 1/0.5 + 1/2) */
    ok(strstr(text, "summary  3 matrices: 1.00 times as fast as the best peer of each (harmonic "
              "mean), at least 0.50 (b.mtx.gz)\n") != NULL &&
           strstr(text, "summary  3 matrices: 3.00 times as fast as the plain CSR loop"),
       "the harmonic mean, and the least");
    ok(strstr(text, "missing") == NULL, "no race is missing");
    free(text);
    text = print(&records, 5);
    ok(strstr(text, "note     2 of 5 races are missing\n") != NULL, "missing races are counted");
    free(text);

    records.result[0].high = 30;
    text = print(&records, 3);
    ok(has_line(text, "dense2 csr5 here first 1000 >999%"), "a useless interval has no digits");
    free(text);

    add_group(&records, "lookalike:dense2", "f32", 4, 1, 0);
    text = print(&records, 4);
    ok(has_line(text, "dense2 f32 csr5 here first 4000") && strstr(text, "summary  4 races: "),
       "several types have a column");
    free(text);
    bench_records_free(&records);
}

/* Two values of a parameter on two matrices, of which one is missing. */
static void test_sweep(void)
{
    bench_records records = { .path = NULL };

    add_group(&records, "model:poisson7:10", "f64", 1, 2, 0);
    add_result(&records, 0, "csr5", false, 0.5);
    char *text = print(&records, 1);
    ok(strstr(text, "sweep ") == NULL, "one matrix needs no means");
    free(text);
    add_group(&records, "a.mtx", "f64", 2, 1, 0);
    add_result(&records, 1, "csr5", false, 0.25);
    add_result(&records, 1, "csr5", false, 0.1);
    text = print(&records, 2);
    ok(strstr(text, "sweep ") == NULL, "nor do contenders without parameters");
    free(text);
    records.result[0].set = records.result[4].set = "csr5.sigma=8";
    records.result[3].set = records.result[7].set = "csr5.sigma=16";
    records.result[8].set = "csr5.sigma=24";
    text = print(&records, 2);
    const char *table = strstr(text, "sweep    over 2 races");
    ok(table && has_line(table, "contender over CSR least fastest on of"),
       "a sweep over several matrices has a table");
    /* 3 / 0.5 and 3 / 0.25; 3 / 1 and 3 / 2 */
    ok(table && has_line(table, "csr5 here sigma=16 8.49 6.00 1 2") &&
           has_line(table, "csr5 here sigma=8 2.12 1.50 0 2") &&
           has_line(table, "csr5 here sigma=24 30.00 30.00 1 1"),
       "the geometric mean, the least, and how often a contender was the fastest");
    ok(table && strstr(table, "sigma=16") < strstr(table, "sigma=8 ") &&
           strstr(table, "sigma=8 ") < strstr(table, "sigma=24"),
       "the best is first, and what lacks a matrix last");
    diag_lines(text);
    free(text);
    bench_records_free(&records);
}

static void test_nothing(void)
{
    bench_records records = { .path = NULL };
    char *text = print(&records, 2);

    ok(text[0] == '\0', "without any result nothing is printed");
    free(text);
    add_group(&records, "a.mtx", "f64", 0, 1, 0);
    text = print(&records, 1);
    ok(has_line(text, "a.mtx - first") &&
           strstr(text, "summary") == NULL,
       "without a result of ours there is no summary");
    free(text);
    bench_records_free(&records);
}

static void test_budget(void)
{
    bench_records records = { .path = NULL };
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    add_group(&records, "quiet.mtx", "f64", 1, 2, 0);
    add_group(&records, "noisy.mtx", "f32", 1, 2, 0);
    for (size_t i = 0; i < records.result_count; i++) {
        bench_record_result *r = &records.result[i];
        r->ratio_low = r->ratio * 0.99;
        r->ratio_high = r->ratio * 1.01;
    }
    records.result[3].ratio_high = records.result[3].ratio * 1.41;
    records.result[4].ratio_low = NAN;
    bench_budget_print(&records, 89.6, 120, out);
    fclose(out);
    ok(strcmp(text, "\nbudget   90 of 120 seconds; speeds over CSR are known to 2 % for 2 of 4 "
              "results\nnoisy    noisy.mtx f32: csr5 +-21%, first\n") == 0,
       "what a budget reached, and where it did not");
    diag_lines(text);
    free(text);
    bench_records_free(&records);
}

int main(void)
{
    test_means();
    test_sweep();
    test_nothing();
    test_budget();
    return tap_done();
}
