/* gpubench.c: one matrix, or the bandwidth of memory, on an NVIDIA GPU; `gpubench --help` and
 * docs/gpu.md say more. bench/gpu.sh runs it for one matrix after the other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/algorithms.h"
#include "bench/gpu/faults.h"
#include "bench/gpu/format.h"
#include "bench/gpu/modules.h"
#include "bench/gpu/options.h"
#include "bench/gpu/race.h"
#include "bench/gpu/report.h"
#include "common/letters.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_BROKEN = 4 };
enum { MOST_ENTRANTS = 64 };
#define MOST_CAPTURED 1.0        /* seconds of a multiplication, beyond which no graph is made */

/* Names in a text may hold anything, a terminal gets printable letters alone. */
static int complain(const char *text)
{
    char shown[4096];

    sg_make_printable(shown, sizeof shown, text);
    fprintf(stderr, "gpubench: %s\n", shown);
    return EXIT_FAILED;
}

static bool create_problem(const gpu_options *options, gpu_problem *out, gpu_fault *fault)
{
    const gpu_matrix_source source = { options->matrix, options->shape, options->size };

    return gpu_problem_create(&source, strcmp(options->type, "f32") == 0 ? SPMV_F32 : SPMV_F64,
                              strcmp(options->offset, "i64") == 0 ? SPMV_I64 : SPMV_I32,
                              options->beta, out, fault);
}

/* ---- the entrants of a matrix -------------------------------------------------------------- */

typedef struct contest {
    const gpu_options *options;
    gpu_device device;
    gpu_problem problem;
    gpu_vectors vectors;
    gpu_setup setup;
    gpu_watch watch;
    cusparseHandle_t cusparse;
    spmv_device *spmv;           /* NULL: libspmv has no such device */
    gpu_entrant entrant[MOST_ENTRANTS];
    size_t count;
    char no_modules[700];
} contest;

static void close_contest(contest *c)
{
    for (size_t i = 0; i < c->count; i++)
        gpu_entrant_destroy(&c->entrant[i]);
    gpu_vectors_destroy(&c->vectors);
    gpu_problem_destroy(&c->problem);
    spmv_device_close(c->spmv);
    if (c->cusparse)
        cusparseDestroy(c->cusparse);
    gpu_device_close(&c->device);
}

/* A GPU without modules of ours is still worth cuSPARSE's figures; the report says what is missing. */
static void open_spmv(contest *c)
{
    const spmv_device_options options = {
        .struct_size = sizeof options, .device = c->options->device, .target = c->options->target,
        .queue = c->device.stream,
    };
    spmv_error err = { SPMV_OK, "" };

    if (spmv_device_open(&options, &c->spmv, &err))
        snprintf(c->no_modules, sizeof c->no_modules, "%.690s", err.text);
}

static bool list_entrants(contest *c, gpu_fault *fault)
{
    size_t count = 0;

    fault->text[0] = '\0';
    if (c->spmv)
        count = gpu_modules_list(c->spmv, &c->setup, c->entrant, MOST_ENTRANTS, fault);
    if (c->spmv && count == 0 && !fault->text[0])
        snprintf(c->no_modules, sizeof c->no_modules, "no module that is linked in is for this "
                 "device and these types; SPMV_DEBUG=1 shows each with the reason");
    c->count = count < MOST_ENTRANTS ? count : MOST_ENTRANTS;
    c->count += gpu_algorithms_list(c->cusparse, &c->setup, c->entrant + c->count,
                                    MOST_ENTRANTS - c->count, fault);
    if (c->count > MOST_ENTRANTS)
        c->count = MOST_ENTRANTS;
    return !fault->text[0];
}

/* As many replicas as all entrants together have memory for. They are listed first, since their number
 * counts. */
static bool open_contest(const gpu_options *options, contest *c, gpu_fault *fault)
{
    c->options = options;
    c->setup = (gpu_setup){ &c->device, &c->problem, &c->vectors, &c->watch };
    c->watch = (gpu_watch){ options->faults, (unsigned)ceil(options->patience), EXIT_BROKEN };
    if (!create_problem(options, &c->problem, fault) ||
        !gpu_device_open(&c->device, fault) ||
        !gpu_cusparse_open(&c->device, &c->cusparse, fault))
        return false;
    open_spmv(c);
    if (!list_entrants(c, fault))
        return false;
    const size_t replicas = gpu_replicas(gpu_problem_bytes(&c->problem), c->device.l2_bytes,
                                         c->count, gpu_free_bytes());
    return gpu_vectors_create(&c->problem, replicas, &c->vectors, fault);
}

/* The GPU does as it is told; else whose fault that is. */
static bool still_works(const gpu_entrant *e, gpu_fault *fault)
{
    char label[256];

    if (cudaDeviceSynchronize() == cudaSuccess)
        return true;
    snprintf(fault->text, sizeof fault->text, "%.250s: %.380s",
             gpu_entrant_label(e, label, sizeof label), e->failure);
    return false;
}

/* False: the entrant left the GPU unusable. What else goes wrong is the entrant's own. */
static bool make_ready(const contest *c, gpu_entrant *e, gpu_fault *fault)
{
    char label[256];

    gpu_faults_find(c->options->faults, gpu_entrant_label(e, label, sizeof label), e->failure,
                    sizeof e->failure);
    if (e->failure[0])
        return true;
    gpu_watch_set(&c->watch, label);
    if (e->kind->prepare(e, fault)) {
        gpu_entrant_check(e, false);
    } else {
        gpu_entrant_fail(e, "preparing", fault);
        e->kind->destroy(e);         /* what it got so far, the next one may need */
        e->state = NULL;
    }
    if (e->correct)
        gpu_entrant_time_once(e);
    if (e->correct && e->once_seconds > MOST_CAPTURED)
        snprintf(e->no_graph, sizeof e->no_graph, "one multiplication takes %.1f s",
                 e->once_seconds);
    else if (e->correct && !gpu_entrant_capture(e, fault))
        snprintf(e->no_graph, sizeof e->no_graph, "%s", fault->text);
    else if (e->correct)
        gpu_entrant_check(e, true);
    const bool works = still_works(e, fault);
    gpu_watch_clear();
    return works;
}

static bool write_report(const contest *c, bool is_complete, gpu_fault *fault)
{
    const gpu_report report = {
        .device = &c->device, .cusparse = gpu_cusparse_version(c->cusparse), .problem = &c->problem,
        .entrants = c->entrant, .count = c->count, .replicas = c->vectors.count,
        .no_modules = c->no_modules, .is_complete = is_complete,
    };

    if (is_complete)
        gpu_report_print(&report, stdout);
    return !c->options->json ||
           gpu_report_write(&report, c->options->json, fault->text, sizeof fault->text);
}

/* What is known is on the disk before the next way begins: the run may be cut at any time. */
static bool after_way(void *context, gpu_fault *fault)
{
    return write_report(context, false, fault);
}

/* After the race, once more: what was timed still gives right results. */
static bool run_contest(contest *c, gpu_fault *fault)
{
    for (size_t i = 0; i < c->count; i++)
        if (!make_ready(c, &c->entrant[i], fault))
            return false;
    if (!write_report(c, false, fault) ||
        !gpu_race_run(&gpu_usual_rules, c->entrant, c->count, after_way, c, fault))
        return false;
    for (size_t i = 0; i < c->count; i++) {
        gpu_entrant *e = &c->entrant[i];
        char label[256];
        if (!e->correct)
            continue;
        gpu_watch_set(&c->watch, gpu_entrant_label(e, label, sizeof label));
        gpu_entrant_check(e, false);
        gpu_watch_clear();
    }
    return true;
}

/* Whether ours all were right, and there were some; what is wrong of cuSPARSE's the report tells. */
static bool ours_are_right(const contest *c)
{
    bool good = !c->no_modules[0];

    for (size_t i = 0; i < c->count; i++)
        good = good && (c->entrant[i].correct || strcmp(c->entrant[i].kind->family, "spmv") != 0);
    return good;
}

static int multiply(const gpu_options *options)
{
    contest *c = calloc(1, sizeof *c);
    gpu_fault fault = { "" };
    int code = EXIT_FAILED;

    if (!c)
        return complain(spmv_status_text(SPMV_OUT_OF_MEMORY));
    if (!open_contest(options, c, &fault)) {
        complain(fault.text);
    } else if (!run_contest(c, &fault)) {
        complain(fault.text);
        code = cudaDeviceSynchronize() != cudaSuccess && gpu_faults_add(options->faults, fault.text)
            ? EXIT_BROKEN : EXIT_FAILED;
    } else if (!write_report(c, true, &fault)) {
        complain(fault.text);
    } else {
        code = ours_are_right(c) ? EXIT_DONE : EXIT_FAILED;
    }
    close_contest(c);
    free(c);
    return code;
}

/* ---- the program --------------------------------------------------------------------------- */

static int measure_bandwidth(const gpu_options *options)
{
    gpu_device device;
    gpu_bandwidth bandwidth;
    gpu_fault fault = { "" };
    cusparseHandle_t cusparse = NULL;
    bool good = gpu_device_open(&device, &fault) && gpu_cusparse_open(&device, &cusparse, &fault) &&
                gpu_bandwidth_measure(&device, &bandwidth, &fault);

    if (good) {
        const gpu_report report = { .device = &device, .bandwidth = &bandwidth,
                                    .cusparse = gpu_cusparse_version(cusparse) };
        for (size_t i = 0; i < GPU_COPY_WAYS && bandwidth.copy[i].how; i++)
            printf("%-24s %.1f GB/s (best %.1f)\n", bandwidth.copy[i].how,
                   bandwidth.copy[i].rate * 1e-9, bandwidth.copy[i].best * 1e-9);
        if (bandwidth.read.how)
            printf("%-24s %.1f GB/s (best %.1f), reading alone\n", bandwidth.read.how,
                   bandwidth.read.rate * 1e-9, bandwidth.read.best * 1e-9);
        good = !options->json ||
               gpu_report_write(&report, options->json, fault.text, sizeof fault.text);
    }
    if (cusparse)
        cusparseDestroy(cusparse);
    gpu_device_close(&device);
    return good ? EXIT_DONE : complain(fault.text);
}

static int probe(void)
{
    gpu_device device;
    gpu_fault fault = { "" };
    const bool good = gpu_device_open(&device, &fault);

    if (good)
        printf("%s, sm_%d, CUDA %d.%d\n", device.name, device.capability, device.driver / 1000,
               device.driver % 1000 / 10);
    gpu_device_close(&device);
    return good ? EXIT_DONE : complain(fault.text);
}

/* --describe: what would be multiplied. */
static int describe(const gpu_options *options)
{
    static const struct {
        const char *name;
        gpu_format format;
        int64_t edge;
    } formats[] = {
        { "CSR", GPU_CSR, 1 },         { "SELL, slices of 32", GPU_SELL, 32 },
        { "BSR, blocks of 2", GPU_BSR, 2 }, { "BSR, blocks of 3", GPU_BSR, 3 },
        { "BSR, blocks of 4", GPU_BSR, 4 },
    };
    gpu_problem problem;
    gpu_fault fault = { "" };

    if (!create_problem(options, &problem, &fault))
        return complain(fault.text);
    const spmv_csr *csr = &problem.matrix->csr;
    printf("%s (%s): %lld x %lld, %lld nonzeros; one multiplication moves %.1f MB at the least\n",
           problem.name, problem.kind, (long long)csr->rows, (long long)csr->cols,
           (long long)csr->nnz, gpu_problem_bytes(&problem) * 1e-6);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        printf("  %-20s %.3f values stored for each nonzero\n", formats[i].name,
               (double)gpu_format_stored(csr, formats[i].format, formats[i].edge) /
               (double)csr->nnz);
    gpu_problem_destroy(&problem);
    return EXIT_DONE;
}

int main(int argc, char **argv)
{
    gpu_options options;
    char message[1024];

    if (!gpu_options_parse(argc, argv, &options, message, sizeof message)) {
        strncat(message, "; --help lists the options", sizeof message - strlen(message) - 1);
        complain(message);
        return EXIT_USAGE;
    }
    if (options.help) {
        gpu_options_help(stdout);
        return EXIT_DONE;
    }
    if (options.version) {
        printf("gpubench %s\n", SPMV_VERSION);
        return EXIT_DONE;
    }
    if (options.probe)
        return probe();
    if (options.describe && (options.matrix || options.shape))
        return describe(&options);
    if (options.json && !gpu_report_can_write(options.json, message, sizeof message))
        return complain(message);
    return options.bandwidth ? measure_bandwidth(&options) : multiply(&options);
}
