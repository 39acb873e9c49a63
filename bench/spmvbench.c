/* spmvbench.c: multiplies a matrix with every method, checks every result against a reference of
 * higher precision, and times side by side what was correct. `spmvbench --help` explains the table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bandwidth.h"
#include "bench/contender.h"
#include "bench/details.h"
#include "bench/listing.h"
#include "bench/machine.h"
#include "bench/options.h"
#include "bench/problem.h"
#include "bench/report.h"
#include "bench/summary.h"
#include "common/near.h"
#include "runtime/spmv.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* ---- modules ------------------------------------------------------------------------------- */

/* --modules names a file, also without a slash, which dlopen would look for elsewhere. */
static spmv_status load_modules(spmv_device *device, const char *name, spmv_error *err)
{
    char path[4096];

    if (strchr(name, '/') || snprintf(path, sizeof path, "./%s", name) >= (int)sizeof path)
        return spmv_device_load_modules(device, name, err);
    return spmv_device_load_modules(device, path, err);
}

static spmv_status open_device(const bench_options *options, spmv_device **out, spmv_error *err)
{
    const spmv_device_options device_options = {
        .struct_size = sizeof device_options, .target = options->target,
        .no_builtin_modules = options->modules.count > 0,
    };
    spmv_status status = spmv_device_open(&device_options, out, err);

    for (size_t i = 0; i < options->modules.count && !status; i++)
        status = load_modules(*out, options->modules.name[i], err);
    return status;
}

static bool is_wanted(const bench_options *options, const spmv_module *module, const spmv_csr *csr)
{
    bool named = options->methods.count == 0;

    for (size_t i = 0; i < options->methods.count; i++)
        named = named || strcmp(options->methods.name[i], module->method) == 0;
    return named && module->value_type == csr->value_type &&
           module->offset_type == csr->offset_type;
}

/* The modules to race, in the device's order: of each method the first, which ranks best, or all.
 * `out` has room for all of them. */
static size_t choose_modules(const bench_options *options, const spmv_device *device,
                             const spmv_csr *csr, const spmv_module **out)
{
    size_t count = 0;

    for (size_t i = 0; i < spmv_device_module_count(device); i++) {
        const spmv_module *module = spmv_device_module(device, i);
        bool taken = !is_wanted(options, module, csr);
        for (size_t k = 0; k < count && !options->all; k++)
            taken = taken || strcmp(out[k]->method, module->method) == 0;
        if (!taken)
            out[count++] = module;
    }
    return count;
}

/* A method that was asked for by name and has no module is a mistake, not an empty table. */
static const char *find_missing_method(const bench_options *options,
                                       const spmv_module *const *modules, size_t count)
{
    for (size_t i = 0; i < options->methods.count; i++) {
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || strcmp(modules[k]->method, options->methods.name[i]) == 0;
        if (!found)
            return options->methods.name[i];
    }
    return NULL;
}

/* `missing` is a method without a usable kernel; NULL: none at all has one. */
static void explain_missing(const bench_options *options, const spmv_device *device,
                            const spmv_csr *csr, const char *missing)
{
    const size_t count = spmv_device_module_count(device);
    const char **methods = calloc(count + 1, sizeof *methods);
    bool known = false;
    char hint[128] = "";

    for (size_t i = 0; i < count && methods; i++) {
        methods[i] = spmv_device_module(device, i)->method;
        known = known || (missing && strcmp(methods[i], missing) == 0);
    }
    if (missing && methods && !known)
        sg_did_you_mean(hint, sizeof hint, missing, methods, count);
    fprintf(stderr, "spmvbench: no usable kernel%s%s%s%s for f%d values and i%d row pointers%s; "
            "--list shows what there is, --modules FILE.so brings what you emitted\n",
            missing ? " of method " : "", missing ? missing : "",
            options->target ? " for target " : "", options->target ? options->target : "",
            (int)csr->value_type, (int)csr->offset_type, hint);
    free(methods);
}

/* A setting that none of the modules has; NULL: there is none such. */
static const char *find_stray_setting(const bench_names *settings,
                                      const spmv_module *const *modules, size_t count)
{
    for (size_t i = 0; i < settings->count; i++) {
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || bench_has_setting(modules[k], settings->name[i]);
        if (!found)
            return settings->name[i];
    }
    return NULL;
}

/* ---- the race ------------------------------------------------------------------------------ */

enum { STREAMS = 2, SMALL_FOOTPRINT = 32 << 20, DRAM_ROUNDS = 5 };

/* The yardsticks of a footprint. A small array may be read faster by one thread than by all. */
static void create_streams(const bench_report *report, bench_stream *stream[STREAMS])
{
    const spmv_csr *csr = &report->problem->source.matrix->csr;
    const size_t footprint = (size_t)bench_csr_bytes(csr, report->problem->beta != 0);

    stream[0] = bench_stream_create(footprint, report->threads);
    stream[1] = report->threads > 1 && footprint < SMALL_FOOTPRINT
        ? bench_stream_create(footprint, 1) : NULL;
}

/* Times the contenders that are correct, and the streams, against each other. */
static int race(const bench_options *options, bench_contender *contenders, bench_runner *runners,
                bench_report *report)
{
    const bench_race rules = { options->seconds, (size_t)options->rounds };
    bench_stream *stream[STREAMS];
    bench_runner *line = calloc(report->count + STREAMS, sizeof *line);
    size_t count = 0;
    int failed = line ? 0 : -1;

    create_streams(report, stream);
    for (size_t i = 0; i < report->count && !failed; i++)
        if (contenders[i].correct)
            line[count++] = (bench_runner){ .run = bench_contender_run, .context = &contenders[i] };
    const size_t first_stream = count;
    for (size_t i = 0; i < STREAMS && !failed; i++)
        if (stream[i])
            line[count++] = (bench_runner){ .run = bench_stream_read, .context = stream[i] };
    if (!failed)
        failed = bench_race_run(&rules, line, count);

    for (size_t i = 0, k = 0; i < report->count && !failed; i++)
        if (contenders[i].correct)
            runners[i] = line[k++];
    for (size_t i = first_stream; i < count && !failed; i++) {
        const double rate = (double)bench_stream_bytes(line[i].context) / line[i].median;
        if (rate > report->read_rate)
            report->read_rate = rate;
    }
    for (size_t i = 0; i < STREAMS; i++)
        bench_stream_destroy(stream[i]);
    free(line);
    return failed;
}

/* Memory itself, after the race: reading that much between the others' turns would slow them down. */
static int race_dram(const bench_options *options, bench_report *report)
{
    const bench_race rules = { options->seconds, DRAM_ROUNDS };
    const size_t bytes = options->dram < 0 ? bench_dram_bytes() : (size_t)options->dram << 20;
    bench_stream *stream = bytes > 0 ? bench_stream_create(bytes, report->threads) : NULL;
    bench_runner runner = { .run = bench_stream_read, .context = stream };
    const int failed = stream ? bench_race_run(&rules, &runner, 1) : 0;

    if (stream && !failed) {
        report->dram_bytes = bench_stream_bytes(stream);
        report->dram_rate = (double)report->dram_bytes / runner.median;
    }
    bench_stream_destroy(stream);
    return failed;
}

/* Whether all is well. */
static bool run_all(const bench_options *options, spmv_device *device, const bench_problem *problem,
                    const spmv_module *const *modules, size_t count)
{
    bench_contender *contenders = calloc(count, sizeof *contenders);
    bench_runner *runners = calloc(count, sizeof *runners);
    bench_report report = { .problem = problem, .contenders = contenders, .runners = runners,
                            .count = count, .threads = bench_threads((int)options->threads),
                            .competitors = bench_competitors() };
    bool good = contenders && runners;

    if (!good)
        fprintf(stderr, "spmvbench: %s\n", spmv_status_text(SPMV_OUT_OF_MEMORY));
    for (size_t i = 0; i < count && good; i++) {
        bench_contender_prepare(&contenders[i], device, modules[i], problem, &options->settings,
                                (int)options->threads);
        if (contenders[i].plan)
            report.threads = contenders[i].info.threads;
    }
    if (good && (race(options, contenders, runners, &report) || race_dram(options, &report))) {
        fprintf(stderr, "spmvbench: the measurement failed: out of memory, or a result changed\n");
        good = false;
    }
    if (good) {
        for (size_t i = 0; i < count; i++)
            bench_contender_recheck(&contenders[i]);
        bench_report_heading(&report, stdout);
        bench_report_table(&report, stdout);
        if (options->details)
            bench_details_print(&report, stdout);
        fflush(stdout);
    }
    if (good && options->json && bench_report_json(&report, options->json)) {
        fprintf(stderr, "spmvbench: cannot write '%s'\n", options->json);
        good = false;
    }
    for (size_t i = 0; i < count && contenders; i++) {
        if (contenders[i].module && !contenders[i].correct) {
            fprintf(stderr, "spmvbench: %s: %s\n", contenders[i].module->name,
                    contenders[i].failure);
            good = false;
        }
        bench_contender_destroy(&contenders[i]);
    }
    free(contenders);
    free(runners);
    return good;
}

/* ---- the program --------------------------------------------------------------------------- */

/* --statistics: no kernel runs. */
static int show_statistics(const bench_options *options)
{
    bench_source source;
    char message[600] = "";
    bool good = bench_source_create(options, &source, message, sizeof message);

    if (good && bench_summary_print(&source, stdout)) {
        good = false;
        snprintf(message, sizeof message, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    }
    bench_source_destroy(&source);
    if (!good)
        fprintf(stderr, "spmvbench: %s\n", message);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int run(const bench_options *options)
{
    spmv_device *device = NULL;
    bench_problem problem = { .x = NULL };
    const spmv_module **modules = NULL;
    spmv_error err = { SPMV_OK, "" };
    char message[600] = "";
    int code = EXIT_FAILED;

    if (options->json && !bench_report_can_write(options->json, message, sizeof message)) {
        fprintf(stderr, "spmvbench: %s\n", message);
        return EXIT_FAILED;
    }
    if (open_device(options, &device, &err)) {
        fprintf(stderr, "spmvbench: %s\n", err.text);
        goto done;
    }
    if (options->list) {
        bench_list_kernels(device, stdout);
        code = EXIT_DONE;
        goto done;
    }
    if (!bench_problem_create(options, &problem, message, sizeof message)) {
        fprintf(stderr, "spmvbench: %s\n", message);
        goto done;
    }
    modules = calloc(spmv_device_module_count(device) + 1, sizeof *modules);
    const spmv_csr *csr = &problem.source.matrix->csr;
    const size_t count = modules ? choose_modules(options, device, csr, modules) : 0;
    const char *missing = find_missing_method(options, modules, count);
    if (count == 0 || missing) {
        explain_missing(options, device, csr, missing);
        goto done;
    }
    const char *stray = find_stray_setting(&options->settings, modules, count);
    if (stray) {
        fprintf(stderr, "spmvbench: --setting %s: no method here has such a setting; --details "
                "shows those that there are\n", stray);
        goto done;
    }
    if (run_all(options, device, &problem, modules, count))
        code = EXIT_DONE;
done:
    free(modules);
    bench_problem_destroy(&problem);
    spmv_device_close(device);
    return code;
}

int main(int argc, char **argv)
{
    bench_options options;
    char message[512];

    if (!bench_options_parse(argc, argv, &options, message, sizeof message)) {
        fprintf(stderr, "spmvbench: %s; --help lists the options\n", message);
        return EXIT_USAGE;
    }
    if (options.help) {
        bench_options_help(stdout);
        return EXIT_DONE;
    }
    if (options.version) {
        printf("spmvbench %s\n", SPMV_VERSION);
        return EXIT_DONE;
    }
    if (options.lookalike && !options.file && strcmp(options.lookalike, "list") == 0) {
        bench_list_lookalikes(stdout);
        return EXIT_DONE;
    }
    return options.statistics ? show_statistics(&options) : run(&options);
}
