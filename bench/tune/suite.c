/* suite.c: see suite.h. */
#include "bench/tune/suite.h"

const char *const bench_tune_suite[BENCH_TUNE_SUITE] = {
    "lookalike:pdb1HYS",         /* clustered */
    "lookalike:rma10",           /* finite elements */
    "lookalike:raefsky3",        /* the same, with longer rows, in the caches of servers */
    "lookalike:cop20k_A",        /* the same, scattered */
    "lookalike:conf5_4-8x8-05",  /* stencil of small blocks */
    "lookalike:mc2depi",         /* stencil */
    "model:poisson7:70",         /* the same, in three dimensions */
    "lookalike:mac_econ_fwd500", /* short rows */
    "lookalike:scircuit",        /* circuit */
    "lookalike:transient",       /* circuits with a few rows across everything */
    "lookalike:rajat21",
    "lookalike:ASIC_680k",
    "lookalike:webbase-1M",      /* power law */
    "lookalike:Stanford",        /* webs */
    "lookalike:web-Google",
    "lookalike:ins2",            /* short rows, and a few across everything */
    "lookalike:boyd2",
    "lookalike:torso1",
};
