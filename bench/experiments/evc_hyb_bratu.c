/* evc_hyb_bratu.c: products with the Jacobian of the Bratu problem, through PETSc. See evc_hyb.h.
 *
 * petscbench (integrations/petsc/bench/) makes the Jacobian by PETSc's DMDA and times MatMult of
 * several matrix types in turn; libpetscspmv gives PETSc the type aijspmv. Both are in a build
 * folder with -Dpetsc=enabled: that of this spmvbench, or the one that SPMV_PETSC names. */
#define _POSIX_C_SOURCE 200809L  /* readlink */
#include "bench/experiments/evc_hyb.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/process/interrupt.h"
#include "bench/sweep/temporary.h"
#include "common/fail.h"
#include "common/subprocess.h"

/* A round of petscbench takes about 2 ms for each type; it makes at most MOST_ROUNDS. */
enum { PATH_BYTES = 1200, ROUNDS_A_SECOND = 500, MOST_ROUNDS = 1000 };

/* petscbench and what it needs. */
typedef struct petsc {
    char program[PATH_BYTES], plugin[PATH_BYTES];
    char *folder;                /* temporary */
    char printed[PATH_BYTES];    /* in it */
} petsc;

/* The folder integrations/petsc of a build. */
static bool find_petsc(petsc *p, spmv_error *error)
{
    const char *const named = getenv("SPMV_PETSC");
    char folder[1024] = "";

    if (named && *named) {
        snprintf(folder, sizeof folder, "%s", named);
    } else {
        const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 40);
        folder[length > 0 ? length : 0] = '\0';
        char *slash = strrchr(folder, '/');
        strcpy(slash ? slash : folder, "/../integrations/petsc");
    }
    snprintf(p->program, sizeof p->program, "%s/bench/petscbench", folder);
    snprintf(p->plugin, sizeof p->plugin, "%s/libpetscspmv.so", folder);
    if (access(p->program, X_OK) == 0 && access(p->plugin, R_OK) == 0)
        return true;
    return sg_fail(error, "there is no bench/petscbench with libpetscspmv.so in %s: build with "
                   "-Dpetsc=enabled (docs/how-to/petsc.md) and name integrations/petsc in the "
                   "build folder by SPMV_PETSC. evc-hyb-bratu-matrix needs no PETSc", folder);
}

/* The dimensions of a Bratu problem whose Jacobian has this model's stencil, and its points in each
 * dimension; 0: another input. */
static int read_input(const char *input, long *points)
{
    int dimensions = 0, end = 0;

    if (sscanf(input, "model:poisson%d:%ld%n", &dimensions, points, &end) < 2 || input[end] ||
        *points < 2 || (dimensions != 5 && dimensions != 7))
        return 0;
    return dimensions == 5 ? 2 : 3;
}

/* Runs petscbench; its output, to be freed, or NULL. */
static char *run(petsc *p, int dimensions, const char *points, const char *rounds,
                 spmv_error *error)
{
    char problem[] = "bratu2d", method[] = "evc_hyb", least[] = "1", none[] = "0";
    char types[] = "aij,sell,aijspmv";
    char *const words[] = {
        p->program, "-dll_append", p->plugin, "-problem", problem, "-grid", (char *)points,
        "-types", types, "-mat_aijspmv_method", method, "-mat_aijspmv_least_nonzeros", least,
        "-mat_aijspmv_least_row_nonzeros", none, "-rounds", (char *)rounds, "-solves", none, NULL,
    };
    int status = 0;

    problem[5] = (char)('0' + dimensions);
    if (sg_subprocess_start(words, p->printed) < 0) {
        sg_fail(error, "%s: %s", p->program, strerror(errno));
        return NULL;
    }
    while (sg_subprocess_wait(-1, &status) < 0 && errno == EINTR && !bench_interrupted())
        ;
    char *text = sg_subprocess_output(p->printed);
    if (status == 0 && text)
        return text;
    sg_fail(error, "%s ended with exit code %d: %.300s", p->program, status, text ? text : "");
    free(text);
    return NULL;
}

/* ---- its output ---------------------------------------------------------------------------- */

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');

    return end ? end + 1 : at + strlen(at);
}

/* Lines as petscbench.c describes them: adds the median of each type, in GFlop/s. */
static bool add_output(bench_figure *figure, size_t panel, size_t costs, const char *label,
                       const char *text, double *nonzeros)
{
    double aij = NAN;
    bool any = false;

    for (const char *at = text; *at; at = next_line(at)) {
        char type[32];
        double fastest, median, first;
        if (sscanf(at, "problem %*s rows %*d columns %*d nonzeros %lf", nonzeros) == 1 ||
            sscanf(at, "type %31s mult %lf %lf first %lf", type, &fastest, &median, &first) != 4)
            continue;
        if (strcmp(type, "aij") == 0)
            aij = median;
        if (!(*nonzeros > 0) || !(median > 0))
            continue;
        const char *const name = strcmp(type, "aijspmv") == 0 ? "evc_hyb" : type;
        bench_figure_number(figure, panel, label, name, 2e-3 * *nonzeros / median);
        if (aij > 0)
            bench_figure_number(figure, costs, label, name, first / aij);
        any = true;
    }
    return any;
}

static void find_gain(bench_figure *figure, size_t panel, const char *other)
{
    if (panel < figure->panels)
        bench_figure_found(figure, "evc_hyb: %.3g times MatMult of PETSc's %s (geometric mean)",
                           bench_panel_geometric_mean(&figure->panel[panel], "evc_hyb") /
                               bench_panel_geometric_mean(&figure->panel[panel], other), other);
}

static bool measure_all(petsc *p, const bench_options *options, const bench_inputs *inputs,
                        bench_figure *figure, spmv_error *error)
{
    const size_t panel = bench_figure_panel(figure, BENCH_BARS, "MatMult of the Bratu problem",
                                            "points", "GFlop/s");
    const size_t costs = bench_figure_panel(figure, BENCH_TABLE, "First product, in products of "
                                            "PETSc's aij", "points", "products");
    const double wanted = options->rounds > 0 ? (double)options->rounds
                                              : options->seconds * (double)ROUNDS_A_SECOND;
    char rounds[16], points[24], label[96];

    snprintf(rounds, sizeof rounds, "%.0f", fmin(fmax(wanted, 1), MOST_ROUNDS));
    for (size_t i = 0; i < inputs->count; i++) {
        long side = 0;
        const int dimensions = read_input(inputs->text[i], &side);
        double nonzeros = 0;
        if (dimensions == 0)
            return sg_fail(error, "'%s': takes model:poisson5:SIDE and model:poisson7:SIDE, whose "
                           "stencils are those of the Bratu problem in two and three dimensions",
                           inputs->text[i]);
        snprintf(points, sizeof points, "%ld", side);
        snprintf(label, sizeof label, "%s x %s%s%s", points, points, dimensions == 3 ? " x " : "",
                 dimensions == 3 ? points : "");
        char *text = run(p, dimensions, points, rounds, error);
        const bool good = text && add_output(figure, panel, costs, label, text, &nonzeros);
        if (text && !good)
            sg_fail(error, "%s printed no times", p->program);
        free(text);
        if (!good)
            return false;
    }
    find_gain(figure, panel, "aij");
    find_gain(figure, panel, "sell");
    return true;
}

bool bench_evc_hyb_bratu(const bench_options *options, const bench_inputs *inputs,
                         bench_figure *figure, spmv_error *error)
{
    petsc p = { .folder = NULL };

    if (!find_petsc(&p, error))
        return false;
    p.folder = bench_temporary_make(error);
    if (!p.folder)
        return false;
    snprintf(p.printed, sizeof p.printed, "%.1000s/printed", p.folder);
    const bool good = measure_all(&p, options, inputs, figure, error);
    bench_temporary_remove(p.folder);
    free(p.folder);
    return good;
}
