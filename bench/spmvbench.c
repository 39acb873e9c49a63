/* spmvbench.c: multiplies a matrix with every method, checks every result against a reference of
 * higher precision, and times the correct methods side by side. `spmvbench --help` explains the
 * table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/yardsticks/bandwidth.h"
#include "bench/yardsticks/x_gather.h"
#include "bench/output/message.h"
#include "bench/race/contender.h"
#include "bench/report/details.h"
#include "bench/race/devices.h"
#include "bench/report/explain.h"
#include "bench/yardsticks/x_traffic.h"
#include "bench/report/listing.h"
#include "bench/yardsticks/machine.h"
#include "bench/race/options.h"
#include "bench/peers/peers.h"
#include "bench/race/problem.h"
#include "bench/report/report.h"
#include "bench/race/selection.h"
#include "bench/race/series.h"
#include "bench/report/summary.h"
#include "runtime/spmv.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* ---- the race ------------------------------------------------------------------------------ */

enum { STREAMS = 2, SMALL_FOOTPRINT = 32 << 20, DRAM_ROUNDS = 5 };

/* Measured in the same rounds as the contenders. */
typedef struct yardsticks {
    bench_stream *stream[STREAMS];       /* as large as the matrix */
    bench_x_gather gather[BENCH_X_GATHER_VARIANTS];      /* at its columns */
} yardsticks;

static void create_yardsticks(const bench_report *report, yardsticks *y)
{
    const spmv_csr *csr = &report->problem->source.matrix->csr;
    const size_t footprint = (size_t)bench_csr_bytes(csr, report->problem->beta != 0);

    /* A small array may be read faster by one thread than by all. */
    y->stream[0] = bench_stream_create(footprint, report->threads);
    y->stream[1] = report->threads > 1 && footprint < SMALL_FOOTPRINT
        ? bench_stream_create(footprint, 1) : NULL;
    for (int v = 0; v < BENCH_X_GATHER_VARIANTS; v++)
        y->gather[v] = (bench_x_gather){
            .csr = csr, .x = report->problem->x, .variant = (bench_x_gather_variant)v,
            .threads = report->threads,
        };
}

static void destroy_yardsticks(yardsticks *y)
{
    for (size_t i = 0; i < STREAMS; i++)
        bench_stream_destroy(y->stream[i]);
}

/* Appends a runner for each yardstick to `count` runners. Returns the new number of runners. */
static size_t add_yardsticks(yardsticks *y, bench_runner *runners, size_t count)
{
    for (size_t i = 0; i < STREAMS; i++)
        if (y->stream[i])
            runners[count++] =
                (bench_runner){ .run = bench_stream_read, .context = y->stream[i] };
    for (int v = 0; v < BENCH_X_GATHER_VARIANTS; v++)
        if (bench_x_gather_is_supported((bench_x_gather_variant)v))
            runners[count++] =
                (bench_runner){ .run = bench_x_gather_run, .context = &y->gather[v] };
    return count;
}

/* Raises the report's rate to the rate of a faster yardstick. */
static void read_yardstick(const bench_runner *runner, bench_report *report)
{
    const double nnz = (double)report->problem->source.matrix->csr.nnz;
    const bool reads = runner->run == bench_stream_read;
    const double work = reads ? (double)bench_stream_bytes(runner->context) : 2 * nnz;
    const double rate = work / runner->median;
    double *best = reads ? &report->read_rate : &report->gather_rate;

    if (rate > *best)
        *best = rate;
}

/* Times the correct contenders and the yardsticks against each other. */
static int race(const bench_options *options, bench_contender *contenders, bench_runner *runners,
                bench_report *report)
{
    const bench_race rules = { options->seconds, (size_t)options->rounds };
    bench_runner *all = calloc(report->count + STREAMS + BENCH_X_GATHER_VARIANTS, sizeof *all);
    yardsticks measures;
    size_t count = 0;
    int failed = all ? 0 : -1;

    create_yardsticks(report, &measures);
    for (size_t i = 0; i < report->count && !failed; i++)
        if (contenders[i].correct)
            all[count++] = (bench_runner){ .run = bench_contender_run, .context = &contenders[i] };
    const size_t racing = count;
    if (!failed) {
        count = add_yardsticks(&measures, all, count);
        failed = bench_race_run(&rules, all, count);
    }
    for (size_t k = 0; k < racing && !failed; k++) {
        const bench_contender *c = all[k].context;
        if (c->correct)          /* a peer may have failed while it was timed */
            runners[c - contenders] = all[k];
    }
    for (size_t i = racing; i < count && !failed; i++)
        read_yardstick(&all[i], report);
    destroy_yardsticks(&measures);
    free(all);
    return failed;
}

/* Measures memory itself, after the race: reading so large an array in each round would slow other
 * runners down. */
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

enum { EXPECTED_RUNS = 1000 };   /* the hint for peers */

/* Races, prints and writes reports. False: a module is wrong or something failed. A wrong peer is
 * only reported. */
static bool run_all(const bench_options *options, const bench_problem *problem,
                    const bench_candidate *candidates, size_t modules, const bench_peers *peers,
                    bench_series_result *result)
{
    const size_t count = modules + peers->count;
    bench_contender *contenders = calloc(count, sizeof *contenders);
    bench_runner *runners = calloc(count, sizeof *runners);
    bench_report report = { .problem = problem, .contenders = contenders, .runners = runners,
                            .count = count, .threads = bench_threads((int)options->threads),
                            .competitors = bench_competitors(),
                            .core_cache_bytes = bench_core_cache_bytes() };
    char message[1024];
    bool good = contenders && runners;

    if (!good)
        bench_message("%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    for (size_t i = 0; i < modules && good; i++) {
        bench_contender_prepare(&contenders[i], candidates[i], problem, &options->settings,
                                (int)options->threads);
        if (contenders[i].plan)
            report.threads = contenders[i].info.threads;
    }
    for (size_t i = 0; i < peers->count && good; i++)
        bench_contender_prepare_peer(&contenders[modules + i], peers->peer[i], problem,
                                     report.threads, EXPECTED_RUNS);
    if (good && (race(options, contenders, runners, &report) || race_dram(options, &report))) {
        bench_message("the measurement failed: out of memory, or a result changed");
        good = false;
    }
    if (good) {
        report.x_line_bytes = bench_x_traffic_bytes(&problem->source.matrix->csr, report.threads,
                                                    report.core_cache_bytes);
        for (size_t i = 0; i < count; i++)
            bench_contender_finish(&contenders[i]);
        bench_report_heading(&report, stdout);
        bench_report_table(&report, stdout);
        if (options->details)
            bench_details_print(&report, stdout);
        fflush(stdout);
    }
    if (good && result)
        *result = bench_report_series_result(&report, peers->count);
    if (good && options->json &&
        !bench_report_json(&report, options, message, sizeof message)) {
        bench_message("%s", message);
        good = false;
    }
    for (size_t i = 0; i < count && contenders; i++) {
        if (contenders[i].module && !contenders[i].correct && !contenders[i].is_left_out) {
            /* The failure may have several lines: a compiler's log. */
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

    if (!bench_source_check(options, message, sizeof message)) {
        bench_message("%s", message);
        return EXIT_USAGE;
    }
    bool good = bench_source_create(options, &source, message, sizeof message);
    if (good && bench_summary_print(&source, stdout)) {
        good = false;
        snprintf(message, sizeof message, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    }
    bench_source_destroy(&source);
    if (!good)
        bench_message("%s", message);
    return good ? EXIT_DONE : EXIT_FAILED;
}

/* Whether the names on the command line exist; if not, prints an error. */
static bool check_names(const bench_options *options, const bench_devices *devices)
{
    char message[600];

    if (bench_source_check(options, message, sizeof message) &&
        bench_selection_check(options, devices, message, sizeof message))
        return true;
    bench_message("%s", message);
    return false;
}

/* Makes the matrix and races the modules for its types; result may be NULL. */
static int multiply(const bench_options *options, const bench_devices *devices,
                    const bench_peers *peers, bench_series_result *result)
{
    bench_candidate *candidates = calloc(bench_devices_module_count(devices) + 1,
                                         sizeof *candidates);
    bench_problem problem = { .x = NULL };
    char message[600] = "";
    size_t count = 0;
    bool good = candidates != NULL;

    if (!good)
        snprintf(message, sizeof message, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    good = good && bench_problem_create(options, &problem, message, sizeof message);
    if (good)
        count = bench_selection_make(options, devices, &problem.source.matrix->csr, candidates,
                                     message, sizeof message);
    if (count > 0 && problem.source.note[0])
        bench_message("note: %s", problem.source.note);
    if (count > 0)
        good = run_all(options, &problem, candidates, count, peers, result);
    else
        bench_message("%s", message);
    free(candidates);
    bench_problem_destroy(&problem);
    return good && count > 0 ? EXIT_DONE : EXIT_FAILED;
}

/* --explain, of one matrix. */
static int explain(const bench_options *options, const bench_devices *devices)
{
    char message[1024] = "";

    if (bench_explain(options, devices, stdout, message, sizeof message))
        return EXIT_DONE;
    bench_message("%s", message);
    return EXIT_FAILED;
}

/* --explain, of each matrix of the series. */
static int explain_series(const bench_options *options, const bench_devices *devices)
{
    int code = EXIT_DONE;

    for (size_t i = 0; i < bench_series_count(); i++) {
        const bench_options one = bench_series_options(options, i);
        if (i > 0)
            putchar('\n');
        if (explain(&one, devices) != EXIT_DONE)
            code = EXIT_FAILED;
    }
    return code;
}

/* --lookalike all. After a failure of one matrix the series continues. */
static int multiply_series(const bench_options *options, const bench_devices *devices,
                           const bench_peers *peers)
{
    const size_t count = bench_series_count();
    bench_series_result *results = calloc(count, sizeof *results);
    int code = results ? EXIT_DONE : EXIT_FAILED;

    if (!results)
        bench_message("%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    for (size_t i = 0; i < count && results; i++) {
        const bench_options one = bench_series_options(options, i);
        if (i > 0)
            putchar('\n');
        if (multiply(&one, devices, peers, &results[i]) != EXIT_DONE)
            code = EXIT_FAILED;
    }
    if (results)
        bench_series_print(results, peers, stdout);
    free(results);
    return code;
}

static int run(const bench_options *options)
{
    bench_devices devices;
    bench_peers peers;
    spmv_error err = { SPMV_OK, "" };
    char message[1024] = "";         /* holds two paths */
    int code = EXIT_FAILED;
    const spmv_status status = bench_devices_open(options, &devices, &err);

    if (status) {
        bench_message("%s", err.text);
        code = status == SPMV_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
    } else if (options->list) {
        bench_list_kernels(&devices, options->target, stdout);
        code = EXIT_DONE;
    } else if (!check_names(options, &devices)) {
        code = EXIT_USAGE;
    } else if (options->explain) {
        code = bench_is_series(options) ? explain_series(options, &devices)
                                        : explain(options, &devices);
    } else if (options->json && !bench_report_can_write(options, message, sizeof message)) {
        bench_message("%s", message);
    } else if (!bench_peers_open(options->all_peers, options->peers.name, options->peers.count,
                                 &peers, message, sizeof message)) {
        bench_message("%s", message);
    } else {
        code = bench_is_series(options) ? multiply_series(options, &devices, &peers)
                                        : multiply(options, &devices, &peers, NULL);
    }
    bench_devices_close(&devices);
    return code;
}

/* Prints what the command line asks about spmvbench itself; false: it asks nothing. */
static bool print_about(const bench_options *options)
{
    const sg_program *program = bench_options_program();

    if (options->help)
        sg_program_help(program, stdout);
    else if (options->version)
        printf("spmvbench %s\n", SPMV_VERSION);
    else if (options->man)
        sg_man_page_print(program, stdout);
    else if (options->shell)
        sg_completion_print(program, options->shell, stdout);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    bench_options options;
    char message[512];

    if (!bench_options_parse(argc, argv, &options, message, sizeof message)) {
        bench_message("%s; --help lists the options", message);
        return EXIT_USAGE;
    }
    if (print_about(&options))
        return EXIT_DONE;
    if (options.lookalike && !options.file && strcmp(options.lookalike, "list") == 0) {
        bench_list_lookalikes(stdout);
        return EXIT_DONE;
    }
    return options.statistics ? show_statistics(&options) : run(&options);
}
