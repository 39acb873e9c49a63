/* series.c: see series.h. */
#include "bench/race/series.h"

#include "bench/output/table.h"

/* ---- the summary --------------------------------------------------------------------------- */

/* The fastest peer of a matrix, or peer_count. */
static size_t best_peer(const bench_series_result *s, size_t peer_count)
{
    size_t best = peer_count;

    for (size_t p = 0; p < peer_count; p++)
        if (s->peer_seconds[p] > 0 &&
            (best == peer_count || s->peer_seconds[p] < s->peer_seconds[best]))
            best = p;
    return best;
}

/* Our methods against a peer, over the matrices for which both have a time. Means are harmonic. */
typedef struct comparison {
    size_t matrices;
    double ratio;                /* our speed over the peer's */
    double own_speed, peer_speed;    /* flops a second */
} comparison;

/* Compares with peer `peer`; if `peer` is peer_count, with the best peer of each matrix. */
static comparison compare(const bench_series_result *results, size_t count, size_t peer,
                          size_t peer_count)
{
    comparison c = { .matrices = 0 };
    double ratios = 0, own = 0, other = 0;

    for (size_t i = 0; i < count; i++) {
        const bench_series_result *s = &results[i];
        const size_t p = peer < peer_count ? peer : best_peer(s, peer_count);
        if (s->own_seconds > 0 && p < peer_count && s->peer_seconds[p] > 0) {
            ratios += s->own_seconds / s->peer_seconds[p];
            own += s->own_seconds / s->flops;
            other += s->peer_seconds[p] / s->flops;
            c.matrices++;
        }
    }
    if (c.matrices > 0) {
        c.ratio = (double)c.matrices / ratios;
        c.own_speed = (double)c.matrices / own;
        c.peer_speed = (double)c.matrices / other;
    }
    return c;
}

static void print_table(const bench_series_result *results, size_t count, const bench_peers *peers,
                        FILE *out)
{
    static const char *const heads[] = {
        "matrix", "fastest", "peer", "GFlop/s", "peer's", "ratio"
    };
    enum { COLUMNS = sizeof heads / sizeof heads[0], WORDS = 3 };
    bench_table *table = bench_table_create(COLUMNS, WORDS);

    for (size_t i = 0; i < COLUMNS; i++)
        bench_table_add(table, "%s", heads[i]);
    for (size_t i = 0; i < count; i++) {
        const bench_series_result *s = &results[i];
        const size_t p = best_peer(s, peers->count);
        const double own = s->own_seconds, other = p < peers->count ? s->peer_seconds[p] : 0;

        bench_table_add(table, "%s", s->name);
        bench_table_add(table, "%s", own > 0 ? s->own : "-");
        bench_table_add(table, "%s", other > 0 ? peers->peer[p]->name : "-");
        bench_table_add(table, own > 0 ? "%.3f" : "-", own > 0 ? 1e-9 * s->flops / own : 0);
        bench_table_add(table, other > 0 ? "%.3f" : "-", other > 0 ? 1e-9 * s->flops / other : 0);
        bench_table_add(table, own > 0 && other > 0 ? "%.2f" : "-", own > 0 ? other / own : 0);
    }
    bench_table_print(table, out);
    bench_table_destroy(table);
}

/* A line for each peer, since a strong peer may have skipped matrices. */
static void print_peers(const bench_series_result *results, size_t count, const bench_peers *peers,
                        FILE *out)
{
    static const char *const heads[] = { "over", "ratio", "GFlop/s", "its", "matrices", "version" };
    enum { COLUMNS = sizeof heads / sizeof heads[0], WORDS = 1 };
    bench_table *table = bench_table_create(COLUMNS, WORDS);

    for (size_t i = 0; i < COLUMNS; i++)
        bench_table_add(table, "%s", heads[i]);
    for (size_t p = 0; p < peers->count; p++) {
        const comparison c = compare(results, count, p, peers->count);
        const char *format = c.matrices > 0 ? "%.2f" : "-";

        bench_table_add(table, "%s", peers->peer[p]->name);
        bench_table_add(table, format, c.ratio);
        bench_table_add(table, format, 1e-9 * c.own_speed);
        bench_table_add(table, format, 1e-9 * c.peer_speed);
        bench_table_add(table, "%zu", c.matrices);
        bench_table_add(table, "%s", peers->peer[p]->origin);
    }
    bench_table_print(table, out);
    bench_table_destroy(table);
}

/* The matrix with the least ratio; or count. */
static size_t find_least(const bench_series_result *results, size_t count, size_t peer_count,
                         double *least)
{
    size_t where = count;

    for (size_t i = 0; i < count; i++) {
        const bench_series_result *s = &results[i];
        const size_t p = best_peer(s, peer_count);
        const double ratio = p < peer_count && s->own_seconds > 0
                                 ? s->peer_seconds[p] / s->own_seconds : 0;
        if (ratio > 0 && (where == count || ratio < *least)) {
            *least = ratio;
            where = i;
        }
    }
    return where;
}

static void print_noise(const bench_series_result *results, size_t count, FILE *out)
{
    size_t noisy = 0;

    for (size_t i = 0; i < count; i++)
        noisy += results[i].is_noisy;
    if (noisy > 0)
        fprintf(out, "note     on %zu of them the machine was busy: see their notes\n", noisy);
}

void bench_series_print(const bench_series_result *results, size_t count, const bench_peers *peers,
                        FILE *out)
{
    const comparison best = compare(results, count, peers->count, peers->count);
    double least = 0;
    const size_t where = find_least(results, count, peers->count, &least);

    fputc('\n', out);
    print_table(results, count, peers, out);
    if (where == count)
        return;
    fputc('\n', out);
    print_peers(results, count, peers, out);
    fprintf(
        out,
        "\nsummary  %zu matrices: %.2f times as fast as the best peer of each (harmonic mean), at "
        "least %.2f (%s)\n",
        best.matrices, best.ratio, least, results[where].name);
    print_noise(results, count, out);
}
