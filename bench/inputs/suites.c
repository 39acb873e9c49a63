/* suites.c: see suites.h. */
#include "bench/inputs/suites.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/lookalike/facts.h"
#include "common/did_you_mean.h"
#include "common/fail.h"

enum { MOST_MATRICES = 32 };

/* A paper, and its matrices by their names in bench_facts. */
typedef struct suite {
    const char *name;
    const char *matrix[MOST_MATRICES];
} suite;

/* The suite of Williams et al., SC 2007. */
#define WILLIAMS \
    "Dense", "Protein", "FEM/Spheres", "FEM/Cantilever", "Wind Tunnel", "FEM/Harbor", "QCD", \
    "FEM/Ship", "Economics", "Epidemiology", "FEM/Accelerator", "Circuit", "Webbase", "LP"
#define CSR5_REGULAR \
    "Dense", "Protein", "FEM/Spheres", "FEM/Cantilever", "Wind Tunnel", "QCD", "Epidemiology", \
    "FEM/Harbor", "FEM/Ship", "Economics", "FEM/Accelerator", "Circuit", "Ga41As41H72", \
    "Si41Ge41H72"
#define CSR5_IRREGULAR \
    "Webbase", "LP", "Circuit5M", "eu-2005", "in-2004", "mip1", "ASIC_680k", "dc2", "FullChip", \
    "ins2"

/* Each in the order of its table. */
static const suite suites[] = {
    /* Liu & Vinter, ICS 2015, Table 2: 14 regular matrices, then 10 irregular ones. */
    { "csr5", { CSR5_REGULAR, CSR5_IRREGULAR } },
    { "csr5-regular", { CSR5_REGULAR } },
    { "csr5-irregular", { CSR5_IRREGULAR } },
    /* Liu & Vinter, Parallel Computing 2015, Table 3. */
    { "speculative",
      { WILLIAMS, "ASIC_680k", "boyd2", "dc2", "ins2", "rajat21", "transient" } },
    /* Daga & Greathouse, HiPC 2015, Table II. */
    { "csr_adaptive",
      { WILLIAMS, "Circuit5M", "csr_adaptive/eu-2005", "Ga41As41H72", "in-2004", "mip1",
        "Si41Ge41H72", "ASIC_680k", "dc2", "FullChip", "ins2", "bone010", "crankseg_2",
        "csr_adaptive/ldoor", "rajat31", "Rucci1", "boyd2", "sls", "transient" } },
    /* Guo, Gropp & Olson, IJHPCA 2016, Table 3. */
    { "evc_hyb",
      { "Protein", "Wind Tunnel", "TSOPF_RS_b2383", "FEM/Harbor", "audikw_1", "cage14",
        "FEM/Ship", "Webbase", "raefsky3", "FEM/Accelerator", "msdoor", "ldoor", "Circuit",
        "torso1", "Stanford", "att-pre2", "Economics", "ibm-dc1", "indochina-2004", "web-Google",
        "Stanford_Berkeley", "RM07R" } },
};

static const char beginning[] = "suite:";

bool bench_is_suite(const char *text)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The suite whose name is the first `length` bytes; NULL: none. */
static const suite *find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (strlen(suites[i].name) == length && strncmp(suites[i].name, name, length) == 0)
            return &suites[i];
    return NULL;
}

static bool unknown(const char *text, const char *name, spmv_error *error)
{
    const char *names[sizeof suites / sizeof suites[0]];
    char hint[64], word[64], list[256] = "";

    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ":"), name);
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++) {
        names[i] = suites[i].name;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "",
                 names[i]);
    }
    sg_did_you_mean(hint, sizeof hint, word, names, sizeof names / sizeof names[0]);
    return sg_fail(error, "'%s': no suite is called '%s'%s; there are %s", text, word, hint, list);
}

/* The name of the matrix's file in SuiteSparse; the paper's own name if another paper states other
 * facts about that file. */
static const char *file_name(const bench_facts *facts)
{
    const char *slash = strrchr(facts->suitesparse, '/');
    const char *name = slash ? slash + 1 : facts->suitesparse;

    return bench_facts_find(name) == facts ? name : facts->name;
}

bool bench_suite_list(const char *text, bench_texts *out, spmv_error *error)
{
    const char *name = text + strlen(beginning), *colon = strchr(name, ':');
    const suite *s = find(name, strcspn(name, ":"));
    int64_t most = INT64_MAX;
    char *end = NULL;

    if (!s)
        return unknown(text, name, error);
    if (colon) {
        const long millions = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || *end || millions < 1 || millions > 1000000)
            return sg_fail(error, "'%s': suite:NAME:MILLIONS takes millions of nonzeros, from 1 "
                           "on, not '%s'", text, colon + 1);
        most = millions * 1000000;
    }
    for (size_t i = 0; i < MOST_MATRICES && s->matrix[i]; i++) {
        const bench_facts *facts = bench_facts_find(s->matrix[i]);
        char input[96];
        if (!facts || facts->nnz > most)
            continue;
        snprintf(input, sizeof input, "lookalike:%s", file_name(facts));
        if (!bench_texts_add(out, input))
            return sg_fail(error, "out of memory");
    }
    return true;
}
