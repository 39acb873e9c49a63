/* gpubench.c: times one matrix, or the bandwidth of memory, on an NVIDIA GPU; see `gpubench --help`
 * and docs/how-to/gpu.md. bench/gpu.sh runs gpubench for one matrix after the other.
 */
#include <cuda_profiler_api.h>
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
#include "common/fail.h"
#include "common/utf8.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_BROKEN = 4 };
enum { MAX_CONTENDERS = 96 };
#define MAX_CAPTURED 1.0        /* seconds; no graph of a slower multiplication is made */

/* Names may contain any bytes; only printable letters go to the terminal. */
static int print_error(const char *text)
{
    char shown[4096];

    sg_make_printable(shown, sizeof shown, text);
    fprintf(stderr, "gpubench: %s\n", shown);
    return EXIT_FAILED;
}

static bool create_problem(const gpu_options *options, gpu_problem *out, spmv_error *error)
{
    const gpu_matrix_source source = { options->matrix, options->shape, options->size,
                                       (uint64_t)options->seed };

    return gpu_problem_create(&source, strcmp(options->type, "f32") == 0 ? SPMV_F32 : SPMV_F64,
                              strcmp(options->offset, "i64") == 0 ? SPMV_I64 : SPMV_I32,
                              options->beta, out, error);
}

/* ---- the contenders of a matrix -------------------------------------------------------------- */

typedef struct session {
    const gpu_options *options;
    gpu_device device;
    gpu_problem problem;
    gpu_vectors vectors;
    gpu_setup setup;
    gpu_watchdog watchdog;
    cusparseHandle_t cusparse;
    spmv_device *spmv;           /* NULL: libspmv has no device for it */
    gpu_contender contender[MAX_CONTENDERS];
    size_t count;
    char no_modules[700];
} session;

static void close_session(session *s)
{
    for (size_t i = 0; i < s->count; i++)
        gpu_contender_destroy(&s->contender[i]);
    gpu_vectors_destroy(&s->vectors);
    gpu_problem_destroy(&s->problem);
    spmv_device_close(s->spmv);
    if (s->cusparse)
        cusparseDestroy(s->cusparse);
    gpu_device_close(&s->device);
}

/* Without modules of libspmv, cuSPARSE is still timed, and the report says what is missing. */
static void open_spmv(session *s)
{
    const spmv_device_options options = {
        .struct_size = sizeof options, .device = s->options->device, .target = s->options->target,
        .queue = s->device.stream,
    };
    spmv_error err = { SPMV_OK, "" };

    if (spmv_device_open(&options, &s->spmv, &err))
        snprintf(s->no_modules, sizeof s->no_modules, "%.690s", err.text);
}

/* Whether the label contains one of the texts, which commas separate. NULL: any label does. */
static bool is_wanted(const char *label, const char *texts)
{
    char text[64];

    for (const char *at = texts; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(at, ","), at);
        if (strstr(label, text))
            return true;
    }
    return !texts;
}

/* Removes the contenders that are not wanted. */
static void keep_only(session *s, const char *texts)
{
    char label[256];
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (is_wanted(gpu_contender_label(&s->contender[i], label, sizeof label), texts))
            s->contender[kept++] = s->contender[i];
        else
            gpu_contender_destroy(&s->contender[i]);
    }
    s->count = kept;
}

static bool list_contenders(session *s, spmv_error *error)
{
    size_t count = 0;

    error->text[0] = '\0';
    if (s->spmv)
        count = gpu_modules_list(s->spmv, &s->setup, s->contender, MAX_CONTENDERS, error);
    if (s->spmv && count == 0 && !error->text[0])
        snprintf(s->no_modules, sizeof s->no_modules, "no module that is linked in is for this "
                 "device and these types; SPMV_DEBUG=1 shows each with the reason");
    s->count = count < MAX_CONTENDERS ? count : MAX_CONTENDERS;
    s->count += gpu_algorithms_list(s->cusparse, &s->setup, s->contender + s->count,
                                    MAX_CONTENDERS - s->count, error);
    if (s->count > MAX_CONTENDERS)
        s->count = MAX_CONTENDERS;
    if (error->text[0])
        return false;
    keep_only(s, s->options->only);
    if (s->count == 0)
        sg_fail(error, "no variant's label has '%.300s' in it; a run without --only shows all "
                "labels", s->options->only ? s->options->only : "");
    return s->count > 0;
}

/* Lists the contenders first, since their number determines how many replicas fit into memory. */
static bool open_session(const gpu_options *options, session *s, spmv_error *error)
{
    s->options = options;
    s->setup = (gpu_setup){ &s->device, &s->problem, &s->vectors, &s->watchdog };
    s->watchdog = (gpu_watchdog){ options->faults, (unsigned)ceil(options->patience), EXIT_BROKEN };
    if (!create_problem(options, &s->problem, error) ||
        !gpu_device_open(&s->device, error) ||
        (options->matrix_on_device && !gpu_problem_upload(&s->problem, error)) ||
        !gpu_cusparse_open(&s->device, &s->cusparse, error))
        return false;
    open_spmv(s);
    if (!list_contenders(s, error))
        return false;
    const size_t replicas = options->profile ? 1
        : gpu_replicas(gpu_problem_bytes(&s->problem), s->device.l2_bytes, s->count,
                       gpu_free_bytes());
    return gpu_vectors_create(&s->problem, replicas, &s->vectors, error);
}

/* Whether the GPU still works; else error names the contender that broke it. */
static bool still_works(const gpu_contender *c, spmv_error *error)
{
    char label[256];

    if (cudaDeviceSynchronize() == cudaSuccess)
        return true;
    return sg_fail(error, "%.250s: %.380s", gpu_contender_label(c, label, sizeof label),
                   c->failure);
}

/* False: the contender left the GPU unusable. Other failures are recorded in the contender. */
static bool make_ready(const session *s, gpu_contender *c, spmv_error *error)
{
    char label[256];

    gpu_faults_find(s->options->faults, gpu_contender_label(c, label, sizeof label), c->failure,
                    sizeof c->failure);
    if (c->failure[0])
        return true;
    gpu_watchdog_start(&s->watchdog, label);
    if (c->kind->prepare(c, error)) {
        gpu_contender_check(c, false);
    } else {
        gpu_contender_fail(c, "preparing", error);
        c->kind->destroy(c);         /* frees memory that the next one may need */
        c->state = NULL;
    }
    if (c->correct && !s->options->profile)
        gpu_contender_time_once(c);
    if (s->options->profile)
        ;                            /* one launch is profiled, and no graph */
    else if (c->correct && c->once_seconds > MAX_CAPTURED)
        snprintf(c->no_graph, sizeof c->no_graph, "one multiplication takes %.1f s",
                 c->once_seconds);
    else if (c->correct && !gpu_contender_capture(c, error))
        snprintf(c->no_graph, sizeof c->no_graph, "%.640s", error->text);
    else if (c->correct)
        gpu_contender_check(c, true);
    const bool works = still_works(c, error);
    gpu_watchdog_stop();
    return works;
}

static bool write_report(const session *s, bool is_complete, spmv_error *error)
{
    const gpu_report report = {
        .device = &s->device, .cusparse = gpu_cusparse_version(s->cusparse), .problem = &s->problem,
        .contenders = s->contender, .count = s->count, .replicas = s->vectors.count,
        .no_modules = s->no_modules, .is_complete = is_complete,
    };

    if (is_complete)
        gpu_report_print(&report, stdout);
    return !s->options->json ||
           gpu_report_write(&report, s->options->json, error);
}

/* Writes the results before the next mode begins, since the run may be killed at any time. */
static bool after_mode(void *context, spmv_error *error)
{
    return write_report(context, false, error);
}

/* One multiplication of a correct contender for a profiler. False: it left the GPU unusable. */
static bool profile(gpu_contender *c, spmv_error *error)
{
    char label[256];

    if (!c->correct) {
        printf("%s: not profiled: %s\n", gpu_contender_label(c, label, sizeof label), c->failure);
        return true;
    }
    printf("%s\n", gpu_contender_label(c, label, sizeof label));
    fflush(stdout);                  /* a profiler prints its own lines in between */
    if (GPU_TRY(cudaProfilerStart(), error) && c->kind->enqueue(c, 0, error) &&
        GPU_TRY(cudaDeviceSynchronize(), error) && GPU_TRY(cudaProfilerStop(), error))
        return true;
    gpu_contender_fail(c, "profiling", error);
    return still_works(c, error);
}

static bool run_profile(session *s, spmv_error *error)
{
    for (size_t i = 0; i < s->count; i++)
        if (!make_ready(s, &s->contender[i], error) || !profile(&s->contender[i], error))
            return false;
    return true;
}

/* Times all contenders, and checks after the race that they still give right results. */
static bool run_session(session *s, spmv_error *error)
{
    gpu_rules rules = gpu_usual_rules;

    rules.modes = (size_t)s->options->modes;
    for (size_t i = 0; i < s->count; i++)
        if (!make_ready(s, &s->contender[i], error))
            return false;
    if (!write_report(s, false, error) ||
        !gpu_race_run(&rules, s->contender, s->count, after_mode, s, error))
        return false;
    for (size_t i = 0; i < s->count; i++) {
        gpu_contender *c = &s->contender[i];
        char label[256];
        if (!c->correct)
            continue;
        gpu_watchdog_start(&s->watchdog, gpu_contender_label(c, label, sizeof label));
        gpu_contender_check(c, false);
        gpu_watchdog_stop();
    }
    return true;
}

/* Whether libspmv has modules and all are correct. A wrong algorithm of cuSPARSE is only
 * reported. */
static bool ours_are_right(const session *s)
{
    bool good = !s->no_modules[0];

    for (size_t i = 0; i < s->count; i++)
        good = good &&
               (s->contender[i].correct || strcmp(s->contender[i].kind->family, "spmv") != 0);
    return good;
}

static int multiply(const gpu_options *options)
{
    session *s = calloc(1, sizeof *s);
    spmv_error error = { SPMV_OK, "" };
    int code = EXIT_FAILED;

    if (!s)
        return print_error(spmv_status_text(SPMV_OUT_OF_MEMORY));
    if (!open_session(options, s, &error)) {
        print_error(error.text);
    } else if (!(options->profile ? run_profile(s, &error) : run_session(s, &error))) {
        print_error(error.text);
        code = cudaDeviceSynchronize() != cudaSuccess && gpu_faults_add(options->faults, error.text)
            ? EXIT_BROKEN : EXIT_FAILED;
    } else if (!options->profile && !write_report(s, true, &error)) {
        print_error(error.text);
    } else {
        code = ours_are_right(s) ? EXIT_DONE : EXIT_FAILED;
    }
    close_session(s);
    free(s);
    return code;
}

/* ---- the program --------------------------------------------------------------------------- */

static int measure_bandwidth(const gpu_options *options)
{
    gpu_device device;
    gpu_bandwidth bandwidth;
    spmv_error error = { SPMV_OK, "" };
    cusparseHandle_t cusparse = NULL;
    bool good = gpu_device_open(&device, &error) && gpu_cusparse_open(&device, &cusparse, &error) &&
                gpu_bandwidth_measure(&device, &bandwidth, &error);

    if (good) {
        const gpu_report report = { .device = &device, .bandwidth = &bandwidth,
                                    .cusparse = gpu_cusparse_version(cusparse) };
        for (size_t i = 0; i < GPU_COPY_METHODS && bandwidth.copy[i].how; i++)
            printf("%-24s %.1f GB/s (best %.1f)\n", bandwidth.copy[i].how,
                   bandwidth.copy[i].rate * 1e-9, bandwidth.copy[i].best * 1e-9);
        if (bandwidth.read.how)
            printf("%-24s %.1f GB/s (best %.1f), reading alone\n", bandwidth.read.how,
                   bandwidth.read.rate * 1e-9, bandwidth.read.best * 1e-9);
        good = !options->json ||
               gpu_report_write(&report, options->json, &error);
    }
    if (cusparse)
        cusparseDestroy(cusparse);
    gpu_device_close(&device);
    return good ? EXIT_DONE : print_error(error.text);
}

static int probe(void)
{
    gpu_device device;
    spmv_error error = { SPMV_OK, "" };
    const bool good = gpu_device_open(&device, &error);

    if (good)
        printf("%s, sm_%d, CUDA %d.%d\n", device.name, device.capability, device.driver / 1000,
               device.driver % 1000 / 10);
    gpu_device_close(&device);
    return good ? EXIT_DONE : print_error(error.text);
}

/* --describe: prints the problem without a multiplication. */
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
    spmv_error error = { SPMV_OK, "" };

    if (!create_problem(options, &problem, &error))
        return print_error(error.text);
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
    spmv_error error;

    if (!gpu_options_parse(argc, argv, &options, &error)) {
        strncat(error.text, "; --help lists the options",
                sizeof error.text - strlen(error.text) - 1);
        print_error(error.text);
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
    if (options.json && !gpu_report_can_write(options.json, &error))
        return print_error(error.text);
    return options.bandwidth ? measure_bandwidth(&options) : multiply(&options);
}
