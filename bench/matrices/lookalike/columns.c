/* columns.c: see columns.h and the drawing in model.h.
 *
 * A row is drawn in place: pieces are drawn until the row is full, the row is sorted, duplicates
 * are dropped, and more pieces are drawn. If all pieces are near and their places are full, the row
 * gets the nearest free columns.
 */
#include "bench/matrices/lookalike/columns.h"

#include <stdlib.h>
#include <string.h>

#include "bench/matrices/lookalike/streams.h"

enum { ROUNDS = 12, RUN_MAX = 1 << 20, DENSE = 8, HUBS = 2 };

/* All places and sizes are in nodes, not in rows or columns. */
typedef struct drawing {
    const bench_facts *facts;
    const bench_model *model;
    uint64_t seed;
    int64_t node, patch;         /* of this row */
    int64_t home;                /* the node's place on the diagonal */
    int64_t nodes;               /* nodes of a row of the matrix */
    int32_t octaves;             /* nodes < 2^octaves */
    uint64_t piece;              /* number of the next piece */
    bench_random own;
} drawing;

static int32_t octaves_of(int64_t nodes)
{
    int32_t octaves = 0;

    while (octaves < 62 && (int64_t)1 << octaves <= nodes)
        octaves++;
    return octaves;
}

static bool happens(bench_random *random, int32_t chance)
{
    return (int32_t)(bench_random_bits(random) >> 54) < chance;          /* chance of 1024 */
}

static int64_t home_of(const drawing *d, int64_t node)
{
    const int64_t row = node * d->model->node;
    return row * d->facts->cols / d->facts->rows / d->model->node;
}

/* ---- pieces -------------------------------------------------------------------------------- */

static bench_piece draw_kind(const bench_model *model, bench_random *random)
{
    int64_t sum = 0;

    for (int i = 0; i < BENCH_PIECES; i++)
        sum += model->weight[i];
    int64_t left = bench_random_below(random, sum);
    int kind = 0;
    while (left >= model->weight[kind])
        left -= model->weight[kind++];
    return (bench_piece)kind;
}

static int64_t draw_run(const bench_model *model, bench_random *random)
{
    int64_t run = model->run;

    while (run < RUN_MAX && happens(random, model->longer))
        run++;
    return run;
}

/* Draws a distance of 2^e to 2^(e+1) and a sign. All e from model->nearest to the reach have the
 * same chance. */
static int64_t draw_distance(const drawing *d, bench_random *random)
{
    const int32_t farthest = d->octaves * d->model->reach / 16;
    const int32_t nearest = d->model->nearest < farthest ? d->model->nearest : farthest - 1;
    const int32_t octave = farthest < 1 ? 0
        : nearest + (int32_t)bench_random_below(random, farthest - nearest);
    const uint64_t bits = bench_random_bits(random);
    const int64_t distance = ((int64_t)1 << octave) +
                             (int64_t)(bits >> 1 & (((uint64_t)1 << octave) - 1));

    return bits & 1 ? distance : -distance;
}

/* Draws a hub: a region of random size that contains the node, then one of its few hubs. */
static int64_t draw_hub(const drawing *d, bench_random *random, int64_t *count)
{
    const int32_t smallest = octaves_of(d->model->patch);
    const int32_t levels = d->octaves > smallest ? d->octaves - smallest : 0;
    const int32_t octave = smallest + (int32_t)bench_random_below(random, levels + 1);
    const int64_t size = (int64_t)1 << octave;
    const int64_t begin = d->home & ~(size - 1);
    const int64_t end = begin + size < d->nodes ? begin + size : d->nodes;
    const uint64_t rank = (uint64_t)bench_random_below(random, HUBS);
    bench_random hub = bench_random_stream(d->seed, STREAM_HUB, (uint64_t)begin * 1024 +
                                           (uint64_t)octave * HUBS + rank);

    *count = draw_run(d->model, &hub);
    return begin + (end > begin ? bench_random_below(&hub, end - begin) : 0);
}

static int64_t draw_jitter(drawing *d)
{
    const int64_t most = d->model->jitter;
    return most > 0 ? bench_random_below(&d->own, 2 * most + 1) - most : 0;
}

/* Draws the next piece. False: the node skips the piece. */
static bool draw_piece(drawing *d, int64_t *first, int64_t *count)
{
    const bench_model *m = d->model;
    bench_random patch = bench_random_stream(d->seed, STREAM_PIECE + d->piece, (uint64_t)d->patch);
    const int64_t run = draw_run(m, &patch);
    const bench_piece kind = draw_kind(m, &patch);
    const int64_t patch_home = home_of(d, d->patch * m->patch);

    *count = run;
    if (d->piece++ == 0 && m->diagonal) {
        *first = d->home - bench_random_below(&patch, run);
        return true;
    }
    switch (kind) {
    case BENCH_SHIFTED:
        *first = d->home + draw_distance(d, &patch) + draw_jitter(d);
        break;
    case BENCH_SHARED:
        *first = patch_home + draw_distance(d, &patch) + draw_jitter(d);
        break;
    case BENCH_OWN:
        *count = draw_run(m, &d->own);
        *first = d->home + draw_distance(d, &d->own);
        return true;
    case BENCH_HUB:
        *first = draw_hub(d, happens(&d->own, m->alike) ? &patch : &d->own, count);
        return true;
    default:
        *count = draw_run(m, &d->own);
        *first = bench_random_below(&d->own, d->nodes);
        return true;
    }
    return !happens(&d->own, m->skip);
}

/* Reflects places beyond the first or the last column. */
static int64_t reflect(int64_t place, int64_t end)
{
    if (place < 0)
        place = -place - 1;
    if (place >= end)
        place = 2 * end - 1 - place;
    return place < 0 ? 0 : place >= end ? end - 1 : place;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts short rows by insertion, since their pieces are mostly in order. */
static void sort(int32_t *col, int64_t count)
{
    enum { SHORT = 48 };

    if (count > SHORT) {
        qsort(col, (size_t)count, sizeof *col, compare);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        const int32_t moved = col[i];
        int64_t k = i;
        for (; k > 0 && col[k - 1] > moved; k--)
            col[k] = col[k - 1];
        col[k] = moved;
    }
}

/* Drops duplicates of sorted columns. Returns the remaining number. */
static int64_t drop_duplicates(int32_t *col, int64_t count)
{
    int64_t kept = count > 0;

    for (int64_t k = 1; k < count; k++)
        if (col[k] != col[kept - 1])
            col[kept++] = col[k];
    return kept;
}

/* Fills [have, length) with columns of pieces; fewer if pieces are skipped. Returns the new
 * count. */
static int64_t add_pieces(drawing *d, int32_t *col, int64_t have, int64_t length)
{
    const int64_t cols = d->facts->cols, width = d->model->node;

    for (int64_t tries = length - have + 16; tries > 0 && have < length; tries--) {
        int64_t first, count;
        if (!draw_piece(d, &first, &count))
            continue;
        for (int64_t n = first; n < first + count && have < length; n++)
            for (int64_t c = 0; c < width && have < length; c++)
                col[have++] = (int32_t)reflect(n * width + c, cols);
    }
    return have;
}

/* Adds the free columns nearest to the diagonal. */
static void add_nearest(const drawing *d, int32_t *col, int64_t have, int64_t length)
{
    const int64_t cols = d->facts->cols, home = reflect(d->home * d->model->node, cols);
    const int64_t sorted = have;

    for (int64_t away = 0; have < length; away++)
        for (int side = 0; side < 2 && have < length; side++) {
            const int64_t place = side ? home - away : home + away;
            const int32_t wanted = (int32_t)place;
            if (place < 0 || place >= cols || (side && away == 0) ||
                bsearch(&wanted, col, (size_t)sorted, sizeof *col, compare))
                continue;
            col[have++] = wanted;
        }
    sort(col, length);
}

/* Draws one column in each of `length` equal parts of the row. */
static void draw_spread(const bench_facts *facts, uint64_t seed, int64_t row, int32_t *col,
                        int64_t length)
{
    bench_random random = bench_random_stream(seed, STREAM_SPREAD, (uint64_t)row);

    for (int64_t k = 0; k < length; k++) {
        const int64_t begin = k * facts->cols / length, end = (k + 1) * facts->cols / length;
        col[k] = (int32_t)(begin + bench_random_below(&random, end - begin));
    }
}

void bench_columns_draw(const bench_facts *facts, const bench_model *model, uint64_t seed,
                        int64_t row, int32_t *col, int64_t length)
{
    drawing d = { .facts = facts, .model = model, .seed = seed, .node = row / model->node };
    int64_t have = 0;

    if (length >= model->spread || length >= facts->cols / DENSE) {
        draw_spread(facts, seed, row, col, length);
        return;
    }
    d.patch = d.node / model->patch;
    d.home = home_of(&d, d.node);
    d.nodes = (facts->cols + model->node - 1) / model->node;
    d.octaves = octaves_of(d.nodes);
    d.own = bench_random_stream(seed, STREAM_NODE, (uint64_t)d.node);
    for (int round = 0; round < ROUNDS && have < length; round++) {
        have = add_pieces(&d, col, have, length);
        sort(col, have);
        have = drop_duplicates(col, have);
    }
    if (have < length)
        add_nearest(&d, col, have, length);
}
