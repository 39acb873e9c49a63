/* pagerank.c: the pages of a graph by their PageRank: a matrix that is built from a file, and a
 * multiplication that adds to y.
 *
 *     cc -std=c11 pagerank.c $(pkg-config --cflags --libs spmv) -lm -o pagerank
 *     zcat wiki-Vote.mtx.gz | ./pagerank - 10      the ten top pages
 *     ./pagerank                                   a small graph
 *
 * The file is Matrix Market's, "coordinate": a line "i j" is a link from page i to page j, and
 * numbers after it are ignored. With L(i) links that leave page i, row j of P has 1/L(i) for each
 * link from i to j. The ranks r are the fixed point of
 *
 *     r = DAMPING * P*r + (1 - DAMPING + DAMPING * sum of r over pages without links) / pages
 */
#include "spmv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAMPING 0.85
#define TOLERANCE 1e-10          /* sum of the changes of all ranks in the last iteration */
enum { MOST_ITERATIONS = 1000 };

typedef struct graph {
    int32_t pages;
    int64_t links;
    int32_t *from, *to;          /* of each link, counted from 0 */
    int32_t *links_of;           /* links that leave each page: L */
    int32_t *row_ptr, *col_idx;  /* P as CSR */
    double *val;
    double *rank, *next;
} graph;

static const char small_graph[] = "%%MatrixMarket matrix coordinate pattern general\n"
                                  "5 5 8\n1 2\n2 1\n3 1\n3 2\n4 1\n4 3\n4 5\n1 5\n";

static void graph_destroy(graph *g)
{
    free(g->from);
    free(g->to);
    free(g->links_of);
    free(g->row_ptr);
    free(g->col_idx);
    free(g->val);
    free(g->rank);
    free(g->next);
}

/* Returns NULL, or why the file cannot be read. */
static const char *read_links(FILE *file, graph *g)
{
    char line[1024];
    int32_t cols, i, j;
    int64_t count = -1, read = 0;
    int general;                 /* else symmetric: a line is a link in both directions */

    if (!fgets(line, sizeof line, file) || strncmp(line, "%%MatrixMarket matrix coordinate", 32))
        return "the first line is not '%%MatrixMarket matrix coordinate ...'";
    general = strstr(line, " general") != NULL;
    while (read != count && fgets(line, sizeof line, file)) {
        if (line[0] == '%' || line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (count < 0) {
            if (sscanf(line, "%" SCNd32 "%" SCNd32 "%" SCNd64, &g->pages, &cols, &count) != 3 ||
                g->pages < 1 || cols != g->pages || count < 0 || count > INT32_MAX / 2)
                return "the first line of numbers is not 'PAGES PAGES LINKS'";
            g->from = malloc((2 * (size_t)count + 1) * sizeof *g->from);
            g->to = malloc((2 * (size_t)count + 1) * sizeof *g->to);
            if (g->from == NULL || g->to == NULL)
                return "not enough memory";
            continue;
        }
        if (sscanf(line, "%" SCNd32 "%" SCNd32, &i, &j) != 2 || i < 1 || i > g->pages || j < 1 ||
            j > g->pages)
            return "a link is not two numbers from 1 to PAGES";
        for (int mirrored = 0; mirrored <= (!general && i != j); mirrored++) {
            g->from[g->links] = (mirrored ? j : i) - 1;
            g->to[g->links++] = (mirrored ? i : j) - 1;
        }
        read++;
    }
    return read == count ? NULL : "it ends before its last link";
}

/* Makes P of the links. Returns 0 if memory runs out. */
static int build_matrix(graph *g)
{
    const size_t pages = (size_t)g->pages, links = (size_t)g->links;

    g->links_of = calloc(pages, sizeof *g->links_of);
    g->row_ptr = calloc(pages + 2, sizeof *g->row_ptr);
    g->col_idx = malloc((links + 1) * sizeof *g->col_idx);
    g->val = malloc((links + 1) * sizeof *g->val);
    g->rank = malloc(pages * sizeof *g->rank);
    g->next = malloc(pages * sizeof *g->next);
    if (!g->links_of || !g->row_ptr || !g->col_idx || !g->val || !g->rank || !g->next)
        return 0;
    for (size_t k = 0; k < links; k++) {
        g->links_of[g->from[k]]++;
        g->row_ptr[(size_t)g->to[k] + 2]++;
    }
    for (size_t j = 2; j <= pages; j++)
        g->row_ptr[j] += g->row_ptr[j - 1];
    for (size_t k = 0; k < links; k++) {     /* row_ptr[j + 1] is the next free place of row j */
        const int32_t at = g->row_ptr[(size_t)g->to[k] + 1]++;
        g->col_idx[at] = g->from[k];
        g->val[at] = 1.0 / g->links_of[g->from[k]];
    }
    return 1;
}

/* Computes g->rank, from equal ranks on. */
static spmv_status iterate(const spmv_plan *plan, graph *g, int *iterations, double *change)
{
    for (int32_t i = 0; i < g->pages; i++)
        g->rank[i] = 1.0 / g->pages;
    for (*change = 1, *iterations = 0; *change > TOLERANCE && *iterations < MOST_ITERATIONS;
         ++*iterations) {
        double *const r = g->rank, *const y = g->next;
        double rest = 1 - DAMPING;
        for (int32_t i = 0; i < g->pages; i++)
            if (g->links_of[i] == 0)
                rest += DAMPING * r[i];
        for (int32_t i = 0; i < g->pages; i++)
            y[i] = rest / g->pages;
        const spmv_status status = spmv_execute(plan, DAMPING, r, 1.0, y, NULL);
        if (status != SPMV_OK)
            return status;
        *change = 0;
        for (int32_t i = 0; i < g->pages; i++)
            *change += fabs(y[i] - r[i]);
        g->rank = y;
        g->next = r;
    }
    return SPMV_OK;
}

static spmv_status rank_pages(graph *g, int *iterations, double *change, spmv_error *err)
{
    const spmv_csr p = {
        .rows = g->pages, .cols = g->pages, .nnz = g->links, .row_ptr = g->row_ptr,
        .col_idx = g->col_idx, .val = g->val, .offset_type = SPMV_I32, .value_type = SPMV_F64,
    };
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_status status = spmv_device_open(NULL, &device, err);

    if (status == SPMV_OK)
        status = spmv_plan_create(device, &p, NULL, &plan, err);
    if (status == SPMV_OK)
        status = iterate(plan, g, iterations, change);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    return status;
}

/* Overwrites the ranks that it has printed. */
static void print_top(graph *g, int count)
{
    for (int place = 0; place < count && place < g->pages; place++) {
        int32_t top = 0;
        for (int32_t i = 1; i < g->pages; i++)
            if (g->rank[i] > g->rank[top])
                top = i;
        printf("page %" PRId32 ": %.12f\n", top + 1, g->rank[top]);
        g->rank[top] = -1;
    }
}

int main(int argc, char **argv)
{
    const char *const name = argc > 1 ? argv[1] : "a small graph";
    FILE *const file = argc < 2 ? tmpfile() : strcmp(name, "-") ? fopen(name, "r") : stdin;
    const char *fault = file == NULL ? "it cannot be opened" : NULL;
    graph g = {.links = 0};
    spmv_error err = {SPMV_OK, ""};
    double change = 0, sum = 0;
    int iterations = 0;

    if (file != NULL && argc < 2) {
        fputs(small_graph, file);
        rewind(file);
    }
    if (fault == NULL)
        fault = read_links(file, &g);
    if (fault == NULL && !build_matrix(&g))
        fault = "not enough memory";
    if (fault == NULL) {
        const spmv_status status = rank_pages(&g, &iterations, &change, &err);
        if (status != SPMV_OK)
            fault = err.text[0] ? err.text : spmv_status_text(status);
    }
    if (fault == NULL) {
        for (int32_t i = 0; i < g.pages; i++)
            sum += g.rank[i];
        printf("%" PRId32 " pages, %" PRId64 " links, %d iterations, residual %.1e, sum %.12f\n",
               g.pages, g.links, iterations, change, sum);
        print_top(&g, argc > 2 ? atoi(argv[2]) : 5);
    } else {
        fprintf(stderr, "pagerank: %s: %s\n", name, fault);
    }
    if (file != NULL)
        fclose(file);
    graph_destroy(&g);
    return fault == NULL ? 0 : 1;
}
