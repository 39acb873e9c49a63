/* test_series.c: the summary over several matrices, from invented results. */
#define _GNU_SOURCE              /* open_memstream */
#include "bench/race/series.h"

#include <stdlib.h>
#include <string.h>

#include "../tap.h"

static const spmv_peer first = { .name = "first", .origin = "First 1" },
                       second = { .name = "second", .origin = "Second 2" };
static const bench_peers peers = { .peer = { &first, &second }, .count = 2 };

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
static char *print(bench_series_result *results)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    for (int i = 0; i < COUNT; i++)
        snprintf(results[i].name, sizeof results[i].name, "m%d", i);
    bench_series_print(results, COUNT, &peers, out);
    fclose(out);
    return text;
}

static void test_means(void)
{
    bench_series_result *results = calloc(COUNT, sizeof *results);

    for (size_t i = 0; i < COUNT; i++)
        results[i] = (bench_series_result){ .own = "csr5 here", .own_seconds = 1, .flops = 4e9,
                                            .peer_seconds = { 2, i == 1 ? 0.5 : 0 } };
    char *text = print(results);
    ok(has_line(text, "m0 csr5 here first 4.000 2.000 2.00"), "a line a matrix");
    ok(has_line(text, "m1 csr5 here second 4.000 8.000 0.50"),
       "with the best peer of that one");
    ok(has_line(text, "first 2.00 4.00 2.00 18 First 1") &&
           has_line(text, "second 0.50 4.00 8.00 1 Second 2"),
       "a line a peer, however few matrices it did, and our speed on the same ones");
    /* 18 / (17 / 2 + 1 / 0.5) */
    ok(strstr(text, "summary  18 matrices: 1.71 times as fast as the best peer of each (harmonic "
              "mean), at least 0.50 (m1)\n") != NULL,
       "the harmonic mean, and the least");
    free(text);

    results[1] = (bench_series_result){ .own_seconds = 4, .flops = 4e9, .peer_seconds = { 1, 0 } };
    text = print(results);
    /* 18 / (17 / 2 + 4 / 1), 18 / (17 / 4 + 1 / 1), 18 / (17 / 2 + 1 / 4) */
    ok(has_line(text, "first 1.44 3.43 2.06 18 First 1") &&
           has_line(text, "second - - - 0 Second 2"),
       "of ratios and of speeds the harmonic mean");
    free(text);

    results[1] = (bench_series_result){ .own_seconds = 0 };
    text = print(results);
    ok(has_line(text, "m1 - - - - -") &&
           strstr(text, "summary  17 matrices: 2.00 times") != NULL,
       "a matrix without a result does not count");
    free(text);

    memset(results, 0, COUNT * sizeof *results);
    text = print(results);
    ok(strstr(text, "summary") == NULL, "without any there is no summary");
    free(text);
    free(results);
}

int main(void)
{
    test_means();
    return tap_done();
}
