/* exact.c: see exact.h. Pure functions. */
#include "bench/matrices/lookalike/exact.h"

#include <stdbool.h>
#include <string.h>

/* ---- an epidemic --------------------------------------------------------------------------- */

/* A Markov chain over the numbers of susceptible (s) and infected (i) people, s + i <= n: a
 * triangle of (n + 1)*(n + 2)/2 states. mc2depi has 525825 = 1025*1026/2 rows of 4 entries, of
 * which 3*1025 are missing, and no row of 1. So each row has its diagonal and three neighbours, and
 * each neighbour is missing along one side of the triangle. The three neighbours are chosen here:
 * an infection (s - 1, i + 1), a recovery (s, i - 1) and an arrival (s + 1, i). */

static int64_t triangle(int64_t side)
{
    return side * (side + 1) / 2;
}

/* The first row with s susceptible people. */
static int64_t begin_of(int64_t side, int64_t s)
{
    return triangle(side) - triangle(side - s);
}

static int64_t recognise_epidemic(const bench_facts *facts)
{
    int64_t side = 1;

    while (triangle(side) < facts->rows)
        side++;
    return side > 1 && triangle(side) == facts->rows && facts->cols == facts->rows &&
           facts->nnz == 4 * facts->rows - 3 * side ? side : 0;
}

static int64_t draw_epidemic(int64_t side, int64_t row, int32_t *col)
{
    int64_t low = 0, high = side, count = 0;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (begin_of(side, middle) <= row)
            low = middle;
        else
            high = middle;
    }
    const int64_t s = low, i = row - begin_of(side, s);
    const int64_t place[] = { begin_of(side, s - 1) + i + 1, row - 1, row,
                              begin_of(side, s + 1) + i };
    const bool there[] = { s > 0, i > 0, true, s + i < side - 1 };
    for (int k = 0; k < 4; k++)
        if (there[k]) {
            if (col)
                col[count] = (int32_t)place[k];
            count++;
        }
    return count;
}

/* ---- quarks -------------------------------------------------------------------------------- */

/* Wilson's hopping matrix on a lattice of side^4 sites, each with 4 spins of 3 colours.
 * conf5_4-8x8-05 has 49152 = 8^4 * 12 rows of 39 = 13 * 3 entries. In each of the six directions of
 * space, (1 +- gamma) couples a spin with itself and with one other spin. In the two directions of
 * time it is diagonal and couples half of the spins forwards, half backwards. The order of sites,
 * spins and colours is chosen here: colours fastest, then spins. */

enum { SPINS = 4, COLOURS = 3, SITE = SPINS * COLOURS, COUPLED = 13 * COLOURS };

static int64_t recognise_quarks(const bench_facts *facts)
{
    int64_t side = 3;            /* with fewer sites, both neighbours are the same site */

    while (side * side * side * side * SITE < facts->rows)
        side++;
    return side * side * side * side * SITE == facts->rows && facts->cols == facts->rows &&
           facts->nnz == COUPLED * facts->rows ? side : 0;
}

static void insert_colours(int32_t *col, int64_t count, int64_t first)
{
    int64_t k = count;

    for (; k > 0 && col[k - COLOURS] > first; k -= COLOURS)
        memcpy(col + k, col + k - COLOURS, COLOURS * sizeof *col);
    for (int64_t c = 0; c < COLOURS; c++)
        col[k + c] = (int32_t)(first + c);
}

static int64_t draw_quarks(int64_t side, int64_t row, int32_t *col)
{
    /* The partner of a spin in the chiral basis: gamma_x and gamma_y, gamma_z. */
    static const int64_t partner[3][SPINS] = { { 3, 2, 1, 0 }, { 3, 2, 1, 0 }, { 2, 3, 0, 1 } };
    const int64_t site = row / SITE, spin = row % SITE / COLOURS;
    int64_t count = 0, stride = 1;

    for (int axis = 0; axis < 4 && col; axis++, stride *= side)
        for (int64_t step = -1; step <= 1; step += 2) {
            const int64_t at = site / stride % side;
            const int64_t there = site + ((at + step + side) % side - at) * stride;
            if (axis == 3 && (spin < 2) != (step > 0))
                continue;
            insert_colours(col, count, there * SITE + spin * COLOURS);
            count += COLOURS;
            if (axis == 3)
                continue;
            insert_colours(col, count, there * SITE + partner[axis][spin] * COLOURS);
            count += COLOURS;
        }
    return COUPLED;
}

/* -------------------------------------------------------------------------------------------- */

static const bench_exact table[] = {
    { "stencil", "Markov chain of an epidemic on a triangle of states", recognise_epidemic,
      draw_epidemic },
    { "stencil-blocks", "Wilson's hopping matrix on a lattice of four dimensions",
      recognise_quarks, draw_quarks },
};

const bench_exact *bench_exact_find(const bench_facts *facts, int64_t *side)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].kind, facts->kind) != 0)
            continue;
        *side = table[i].recognise(facts);
        if (*side > 0)
            return &table[i];
    }
    return NULL;
}
