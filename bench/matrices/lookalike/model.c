/* model.c: see model.h. Constant tables.
 *
 * The comment above a model names the source of its lengths and places: available matrices of the
 * same class (docs/reference/lookalikes.md compares them), or "chosen here".
 */
#include "bench/matrices/lookalike/model.h"

#include <string.h>

enum { NEVER = INT32_MAX, ONE_PATCH = 1 << 30 };

static const bench_model table[] = {
    /* In full rows nothing is drawn. With other facts columns are spread evenly. */
    { .kind = "dense", .meaning = "every place taken",
      .quantile = { 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000 },
      .node = 1, .patch = 1, .diagonal = true, .run = 8, .longer = 512, .reach = 16,
      .spread = NEVER,
      .weight = { [BENCH_ANYWHERE] = 1 } },
    /* Lengths chosen here, a bell between row_min and row_max. Places: as fem, longer runs. */
    { .kind = "clustered", .meaning = "groups of atoms that are near each other",
      .quantile = { 150, 300, 450, 570, 790, 1030, 1230, 1390, 1470, 1590, 1660, 1690, 1715 },
      .node = 3, .patch = 24, .alike = 700, .skip = 60, .diagonal = true, .run = 3,
      .longer = 600, .nearest = 1, .reach = 10, .jitter = 2, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 600, [BENCH_SHARED] = 400, [BENCH_OWN] = 24 } },
    /* Lengths: the mean of bcsstk16, bcsstk29 and s3rmt3m3. Places: tuned to the same. */
    { .kind = "fem", .meaning = "finite elements, unknowns of a node together",
      .quantile = { 80, 250, 450, 490, 920, 1050, 1170, 1220, 1290, 1330, 1400, 1450, 1500 },
      .node = 3, .patch = 32, .alike = 800, .skip = 40, .diagonal = true, .run = 2,
      .longer = 350, .nearest = 2, .reach = 12, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 1000, [BENCH_OWN] = 24 } },
    /* Lengths chosen here, one row in ten empty. Places: between mplate and delaunay_n16. */
    { .kind = "fem-scattered", .meaning = "finite elements in an order that scatters them",
      .quantile = { 0, 0, 0, 0, 600, 1000, 1330, 1500, 1750, 2400, 3000, 3400, 3700 },
      .node = 1, .patch = 64, .alike = 350, .skip = 100, .diagonal = true, .run = 1,
      .longer = 430, .nearest = 2, .reach = 15, .jitter = 2, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 900, [BENCH_OWN] = 124 } },
    /* Chosen here; Epidemiology is exact instead (exact.c). */
    { .kind = "stencil", .meaning = "the same distances in every row",
      .quantile = { 500, 980, 985, 990, 995, 1000, 1005, 1010, 1015, 1018, 1020, 1022, 1025 },
      .node = 1, .patch = ONE_PATCH, .alike = 1024, .diagonal = true, .run = 1,
      .longer = 100, .reach = 11, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 1 } },
    /* Chosen here; QCD is exact instead (exact.c). */
    { .kind = "stencil-blocks", .meaning = "the same distances in every row, small blocks",
      .quantile = { 500, 980, 985, 990, 995, 1000, 1005, 1010, 1015, 1018, 1020, 1022, 1025 },
      .node = 3, .patch = ONE_PATCH, .alike = 1024, .diagonal = true, .run = 1,
      .longer = 100, .reach = 14, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 1 } },
    /* Chosen here. */
    { .kind = "short-random", .meaning = "short rows of random length",
      .quantile = { 160, 330, 400, 500, 650, 950, 1150, 1500, 1950, 2900, 4300, 5700, 7000 },
      .node = 1, .patch = 32, .alike = 200, .skip = 100, .diagonal = true, .run = 1,
      .longer = 200, .reach = 13, .jitter = 4, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 750, [BENCH_SHARED] = 50, [BENCH_OWN] = 200 } },
    /* Lengths: cage5, smoothed. Places chosen here. */
    { .kind = "short", .meaning = "short rows of similar length",
      .quantile = { 280, 450, 550, 630, 800, 1000, 1180, 1400, 1530, 1750, 2000, 2200, 2270 },
      .node = 1, .patch = 32, .alike = 300, .skip = 100, .diagonal = true, .run = 1,
      .longer = 250, .nearest = 1, .reach = 14, .jitter = 4, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 800, [BENCH_OWN] = 200 } },
    /* Lengths: the mean of memplus, rajat01 and powersim. Places: tuned to the same. */
    { .kind = "circuit", .meaning = "a few entries a row, some nets that are long",
      .quantile = { 300, 350, 400, 450, 530, 680, 940, 1700, 1950, 4400, 20000, 40000, 60000 },
      .giants = 1, .node = 1, .patch = 64, .alike = 400, .skip = 60, .diagonal = true,
      .run = 1, .longer = 480, .reach = 15, .jitter = 1, .spread = 4096,
      .weight = { [BENCH_SHIFTED] = 560, [BENCH_SHARED] = 60, [BENCH_OWN] = 8,
                  [BENCH_HUB] = 370, [BENCH_ANYWHERE] = 2 } },
    /* Lengths: the mean of mult_dcop_01 and adder_dcop_05. Places: tuned to the same. */
    { .kind = "circuit-long-rows", .meaning = "a circuit with a few rows across everything",
      .quantile = { 130, 200, 430, 500, 650, 800, 950, 1170, 1600, 1800, 16000, 20000, 30000 },
      .giants = 2, .node = 1, .patch = 16, .alike = 300, .skip = 60, .diagonal = true,
      .run = 1, .longer = 200, .reach = 15, .jitter = 3, .spread = 4096,
      .weight = { [BENCH_SHIFTED] = 200, [BENCH_OWN] = 20, [BENCH_HUB] = 450,
                  [BENCH_ANYWHERE] = 430 } },
    /* Lengths chosen here, half of the rows 1. Places: between cnr-2000 and wiki-Vote. */
    { .kind = "power-law", .meaning = "a crawl of the web, most pages with one link or two",
      .quantile = { 320, 320, 321, 322, 330, 450, 800, 1500, 2600, 12000, 40000, 200000, 600000 },
      .giants = 1, .node = 1, .patch = 32, .alike = 300, .skip = 60, .run = 1,
      .longer = 350, .reach = 13, .jitter = 2, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 150, [BENCH_SHARED] = 330, [BENCH_OWN] = 60,
                  [BENCH_HUB] = 404, [BENCH_ANYWHERE] = 80 } },
    /* Lengths: cnr-2000. Places: tuned to the same. */
    { .kind = "web", .meaning = "a crawl of the web in the order of its addresses",
      .quantile = { 0, 0, 0, 0, 101, 304, 1215, 3340, 3441, 5972, 14271, 73077, 147000 },
      .giants = 1, .node = 1, .patch = 64, .alike = 800, .skip = 40, .run = 2,
      .longer = 680, .reach = 10, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 160, [BENCH_SHARED] = 400, [BENCH_OWN] = 4,
                  [BENCH_HUB] = 434, [BENCH_ANYWHERE] = 2 } },
    /* Lengths: rail507. Places: tuned to the same. */
    { .kind = "lp-wide", .meaning = "set covering: few rows, many columns",
      .quantile = { 2, 3, 20, 57, 286, 619, 1228, 2463, 3133, 5385, 6139, 6200, 6300 },
      .giants = 1, .node = 1, .patch = 12, .skip = 60, .run = 2, .longer = 640, .reach = 16,
      .spread = NEVER,
      .weight = { [BENCH_SHARED] = 550, [BENCH_ANYWHERE] = 474 } },
    /* Lengths: boyd1, of whose rows eight are huge. Places: between boyd1 and a band. */
    { .kind = "long-rows", .meaning = "short rows, and a few across everything",
      .quantile = { 230, 380, 385, 460, 465, 540, 620, 625, 690, 770, 850, 5000, 45000 },
      .giants = 6, .node = 1, .patch = 32, .alike = 400, .skip = 30, .diagonal = true,
      .run = 2, .longer = 400, .reach = 14, .spread = 4096,
      .weight = { [BENCH_SHIFTED] = 440, [BENCH_SHARED] = 200, [BENCH_OWN] = 6,
                  [BENCH_HUB] = 350, [BENCH_ANYWHERE] = 4 } },
    /* Lengths: Si2; above 2.6 times the average chosen here. Places: tuned to Si2. */
    { .kind = "quantum", .meaning = "grid points around atoms",
      .quantile = { 260, 500, 560, 650, 780, 990, 1080, 1170, 2290, 2550, 4000, 8000, 10300 },
      .node = 1, .patch = 32, .alike = 500, .skip = 60, .diagonal = true, .run = 1,
      .longer = 350, .nearest = 1, .reach = 15, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 750, [BENCH_SHARED] = 220, [BENCH_OWN] = 30 } },
    /* Lengths: well1850. Places: tuned to the same. */
    { .kind = "rectangular", .meaning = "a few unknowns in every observation",
      .quantile = { 250, 770, 990, 995, 1000, 1010, 1015, 1020, 1030, 1250, 1260, 1265, 1270 },
      .node = 1, .patch = 16, .alike = 500, .skip = 60, .run = 1, .nearest = 5, .reach = 15,
      .spread = NEVER,
      .weight = { [BENCH_SHARED] = 640, [BENCH_OWN] = 6, [BENCH_HUB] = 376,
                  [BENCH_ANYWHERE] = 2 } },
    /* Chosen here: half of the rows short, half of them about twice the average. */
    { .kind = "blocks", .meaning = "dense blocks",
      .quantile = { 5, 10, 20, 30, 60, 900, 1900, 2100, 2200, 2250, 2300, 2310, 2320 },
      .node = 1, .patch = 32, .alike = 900, .skip = 30, .diagonal = true, .run = 16,
      .longer = 1000, .nearest = 3, .reach = 14, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 100, [BENCH_SHARED] = 900, [BENCH_OWN] = 24 } },
    /* Lengths: cavity14. Places: tuned to the same. */
    { .kind = "cfd", .meaning = "cells of a flow, unknowns of a cell together",
      .quantile = { 270, 370, 410, 510, 610, 880, 1220, 2090, 2100, 2105, 2110, 2115, 2120 },
      .node = 5, .patch = 16, .alike = 700, .skip = 40, .diagonal = true, .run = 1,
      .longer = 100, .nearest = 1, .reach = 12, .spread = NEVER,
      .weight = { [BENCH_SHIFTED] = 1000, [BENCH_OWN] = 24 } },
};

enum { TABLE_COUNT = sizeof table / sizeof table[0] };

/* ---- single matrices ------------------------------------------------------------------------- */

typedef struct special {
    const char *suitesparse;
    int32_t node;                /* derived from sizes: rows, and row_max if known, are multiples */
    int64_t short_rows, short_nnz, second;   /* EVC-HYB paper, Table 3 (Isplit, NNZ_ELL) and 2.1,
                                                where the class's model is far from them */
} special;

static const special specials[] = {
    { "Williams/pdb1HYS", .node = 3 },       /* coordinates of atoms */
    { "Williams/consph", .node = 3 },        /* the longest row is 27 * 3: a point's neighbours */
    { "Williams/cant", .node = 3 },
    { "Bova/rma10", .node = 5 },
    { "DNVS/shipsec1", .node = 6 },          /* the shortest row is also a multiple */
    { "Oberwolfach/bone010", .node = 3 },    /* the longest row is 27 * 3 */
    { "GHS_psdef/ldoor", .node = 7 },
    { "INPRO/msdoor", .node = 7 },
    { "GHS_psdef/audikw_1", .node = 3, .short_rows = 844096, .short_nnz = 58302912 },
    { "Simon/raefsky3", .node = 8 },         /* nonzeros are a multiple of 8 * 8 */
    { "Fluorem/RM07R", .node = 7, .short_rows = 311776, .short_nnz = 24249408 },
    { "Boeing/pwtk", .node = 6 },            /* chosen here: only row_max, 30 * 6, suggests it */
    { "TSOPF/TSOPF_RS_b2383", .node = 1, .short_rows = 21728, .short_nnz = 98976 },
    { "Norris/torso1", .node = 1, .short_rows = 113376, .short_nnz = 1020384 },
    { "IBM_EDA/dc1", .node = 1, .short_rows = 116768, .short_nnz = 595776, .second = 47193 },
    { "LAW/indochina-2004", .node = 1, .short_rows = 7345728, .short_nnz = 126110176 },
    { "Kamvar/Stanford_Berkeley", .node = 1, .short_rows = 678400, .short_nnz = 3638208 },
    { "Kamvar/Stanford", .node = 1, .short_rows = 281728, .short_nnz = 2283392 },
    { "SNAP/web-Google", .node = 1, .short_rows = 916352, .short_nnz = 5093728 },
    { "ATandT/pre2", .node = 1, .short_rows = 658240, .short_nnz = 5476288 },
};

const bench_model *bench_models(size_t *count)
{
    *count = TABLE_COUNT;
    return table;
}

const bench_model *bench_model_find(const char *kind)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (strcmp(table[i].kind, kind) == 0)
            return &table[i];
    return NULL;
}

bool bench_model_of(const bench_facts *facts, bench_model *out)
{
    const bench_model *model = bench_model_find(facts->kind);

    if (!model)
        return false;
    *out = *model;
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++)
        if (strcmp(specials[i].suitesparse, facts->suitesparse) == 0) {
            out->node = specials[i].node;
            out->short_rows = specials[i].short_rows;
            out->short_nnz = specials[i].short_nnz;
            out->second = specials[i].second;
        }
    return true;
}
