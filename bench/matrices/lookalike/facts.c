/* facts.c: see facts.h. Constant tables and pure functions. */
#include "bench/matrices/lookalike/facts.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "common/did_you_mean.h"

enum { UNKNOWN = BENCH_UNKNOWN };

/* Name, SuiteSparse's name, class; rows, columns, nonzeros; shortest, average and longest row, as
 * in the papers' tables. Some tables round averages, others truncate them. */
static const bench_facts table[] = {
    { "Dense", "dense2", "dense", 2000, 2000, 4000000, 2000, 2000, 2000 },
    { "Protein", "Williams/pdb1HYS", "clustered", 36417, 36417, 4344765, 18, 119, 204 },
    { "FEM/Spheres", "Williams/consph", "fem", 83334, 83334, 6010480, 1, 72, 81 },
    { "FEM/Cantilever", "Williams/cant", "fem", 62451, 62451, 4007383, 1, 64, 78 },
    { "Wind Tunnel", "Boeing/pwtk", "fem", 217918, 217918, 11634424, 2, 53, 180 },
    { "FEM/Harbor", "Bova/rma10", "fem", 46835, 46835, 2374001, 4, 50, 145 },
    { "QCD", "QCD/conf5_4-8x8-05", "stencil-blocks", 49152, 49152, 1916928, 39, 39, 39 },
    { "FEM/Ship", "DNVS/shipsec1", "fem", 140874, 140874, 7813404, 24, 55, 102 },
    { "Economics", "Williams/mac_econ_fwd500", "short-random", 206500, 206500, 1273389, 1, 6, 44 },
    { "Epidemiology", "Williams/mc2depi", "stencil", 525825, 525825, 2100225, 2, 3, 4 },
    { "FEM/Accelerator", "Williams/cop20k_A", "fem-scattered", 121192, 121192, 2624331, 0, 21, 81 },
    { "Circuit", "Hamm/scircuit", "circuit", 170998, 170998, 958936, 1, 5, 353 },
    { "Webbase", "Williams/webbase-1M", "power-law", 1000005, 1000005, 3105536, 1, 3, 4700 },
    { "LP", "Mittelmann/rail4284", "lp-wide", 4284, 1096894, 11284032, 1, 2633, 56182 },
    { "Circuit5M", "Freescale/circuit5M", "circuit", 5558326, 5558326, 59524291, 1, 10, 1290501 },
    { "eu-2005", "LAW/eu-2005", "web", 862664, 862664, 19235140, 0, 22, 6985 },
    { "in-2004", "LAW/in-2004", "web", 1382908, 1382908, 16917053, 0, 12, 7753 },
    { "mip1", "Andrianov/mip1", "long-rows", 66463, 66463, 10352819, 4, 155, 66396 },
    { "ASIC_680k", "Sandia/ASIC_680k", "circuit-long-rows", 682862, 682862, 3871773, 1, 6, 395259 },
    { "dc2", "IBM_EDA/dc2", "circuit-long-rows", 116835, 116835, 766396, 1, 7, 114190 },
    { "FullChip", "Freescale/FullChip", "circuit-long-rows",
      2987012, 2987012, 26621990, 1, 9, 2312481 },
    { "ins2", "Andrianov/ins2", "long-rows", 309412, 309412, 2751484, 5, 9, 309412 },
    { "Ga41As41H72", "PARSEC/Ga41As41H72", "quantum", 268096, 268096, 18488476, 18, 68, 702 },
    { "Si41Ge41H72", "PARSEC/Si41Ge41H72", "quantum", 185639, 185639, 15011265, 13, 80, 662 },
    { "boyd2", "GHS_indef/boyd2", "long-rows", 466316, 466316, 1500397, 2, 3, 93262 },
    { "rajat21", "Rajat/rajat21", "circuit-long-rows", 411676, 411676, 1893370, 1, 5, 118689 },
    { "transient", "Freescale/transient", "circuit-long-rows",
      178866, 178866, 961790, 1, 5, 60423 },
    { "bone010", "Oberwolfach/bone010", "fem", 986703, 986703, 47851783, UNKNOWN, 48, 81 },
    { "crankseg_2", "GHS_psdef/crankseg_2", "fem", 63838, 63838, 14148858, UNKNOWN, 222, 3423 },
    { "ldoor", "GHS_psdef/ldoor", "fem", 952203, 952203, 46522475, UNKNOWN, 49, 77 },
    { "rajat31", "Rajat/rajat31", "circuit", 4690002, 4690002, 20316253, UNKNOWN, 4, 1252 },
    { "Rucci1", "Rucci/Rucci1", "rectangular", 1977885, 109900, 7791168, UNKNOWN, 4, 5 },
    { "sls", "Bates/sls", "rectangular", 1748122, 62729, 6804304, UNKNOWN, 4, 5 },
    { "TSOPF_RS_b2383", "TSOPF/TSOPF_RS_b2383", "blocks",
      38120, 38120, 16171169, UNKNOWN, 424, UNKNOWN },
    { "audikw_1", "GHS_psdef/audikw_1", "fem", 943695, 943695, 77651847, UNKNOWN, 82, UNKNOWN },
    { "cage14", "vanHeukelum/cage14", "short", 1505785, 1505785, 27130349, UNKNOWN, 18, UNKNOWN },
    { "raefsky3", "Simon/raefsky3", "fem", 21200, 21200, 1488768, UNKNOWN, 70, UNKNOWN },
    { "msdoor", "INPRO/msdoor", "fem", 415863, 415863, 20240935, UNKNOWN, 49, UNKNOWN },
    { "torso1", "Norris/torso1", "fem", 116158, 116158, 8516500, UNKNOWN, 73, UNKNOWN },
    { "Stanford", "Kamvar/Stanford", "web", 281903, 281903, 2312497, UNKNOWN, 8, UNKNOWN },
    { "att-pre2", "ATandT/pre2", "circuit", 659033, 659033, 5959282, UNKNOWN, 9, UNKNOWN },
    { "ibm-dc1", "IBM_EDA/dc1", "circuit-long-rows", 116835, 116835, 766396, UNKNOWN, 7, 114190 },
    { "indochina-2004", "LAW/indochina-2004", "web",
      7414866, 7414866, 194109311, UNKNOWN, 26, UNKNOWN },
    { "web-Google", "SNAP/web-Google", "web", 916428, 916428, 5105039, UNKNOWN, 6, UNKNOWN },
    { "Stanford_Berkeley", "Kamvar/Stanford_Berkeley", "web",
      683446, 683446, 7583376, UNKNOWN, 11, UNKNOWN },
    { "RM07R", "Fluorem/RM07R", "cfd", 381689, 381689, 37464962, UNKNOWN, 98, UNKNOWN },
    /* As Table II of the CSR-Adaptive paper has them; above are eu-2005 of the CSR5 paper's Table 2
     * and ldoor of the EVC-HYB paper's Table 3. */
    { "csr_adaptive/eu-2005", "LAW/eu-2005", "web", 862664, 862664, 19235140, UNKNOWN, 22, 4240 },
    { "csr_adaptive/ldoor", "GHS_psdef/ldoor", "fem", 952203, 952203, 42493817, UNKNOWN, 45, 77 },
};

enum { TABLE_COUNT = sizeof table / sizeof table[0] };

const bench_facts *bench_facts_all(size_t *count)
{
    *count = TABLE_COUNT;
    return table;
}

/* Compares without case, and with ' ', '-' and '_' as the same. */
static bool is_same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        const bool gap_a = strchr(" -_", *a), gap_b = strchr(" -_", *b);
        if (gap_a != gap_b || (!gap_a && tolower((unsigned char)*a) != tolower((unsigned char)*b)))
            return false;
    }
    return *a == *b;
}

static const char *after_slash(const char *name)
{
    const char *slash = strchr(name, '/');
    return slash ? slash + 1 : name;
}

/* The names of a matrix. */
static const char *alias(const bench_facts *facts, size_t which)
{
    return which == 0 ? facts->name : which == 1 ? facts->suitesparse
         : which == 2 ? after_slash(facts->suitesparse) : after_slash(facts->name);
}

enum { ALIASES = 4 };

const bench_facts *bench_facts_find(const char *name)
{
    /* Whole names come before parts of names. */
    for (size_t which = 0; which < ALIASES; which++)
        for (size_t i = 0; i < TABLE_COUNT; i++)
            if (is_same(name, alias(&table[i], which)))
                return &table[i];
    return NULL;
}

const char *bench_facts_suggest(char *buffer, size_t size, const char *unknown)
{
    const char *names[ALIASES * TABLE_COUNT];

    for (size_t which = 0; which < ALIASES; which++)
        for (size_t i = 0; i < TABLE_COUNT; i++)
            names[which * TABLE_COUNT + i] = alias(&table[i], which);
    return sg_did_you_mean(buffer, size, unknown, names, ALIASES * TABLE_COUNT);
}
