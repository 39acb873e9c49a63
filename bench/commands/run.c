/* run.c: the command `run`: multiplies a matrix with every method, checks every result against a
 * reference of higher precision, and times the correct methods side by side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/command.h"
#include "bench/inputs/inputs.h"
#include "bench/output/message.h"
#include "bench/peers/peers.h"
#include "bench/race/devices.h"
#include "bench/race/input.h"
#include "bench/race/race.h"
#include "bench/race/selection.h"
#include "bench/race/series.h"
#include "bench/report/details.h"
#include "bench/report/explain.h"
#include "bench/report/listing.h"
#include "bench/report/summary.h"
#include "bench/yardsticks/bandwidth.h"
#include "bench/yardsticks/machine.h"
#include "bench/yardsticks/x_traffic.h"
#include "runtime/spmv.h"

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
    if (good && (bench_race_contenders(options, contenders, runners, &report) ||
                 bench_race_dram(options, &report))) {
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

/* ---- the command ---------------------------------------------------------------------------- */

/* --statistics: no kernel runs. */
static int show_statistics(const bench_options *options, const bench_inputs *inputs)
{
    bench_source source;
    char message[600] = "";
    const bench_options one = bench_inputs_options(options, inputs, 0);
    bool good = bench_source_create(&one, &source, message, sizeof message);
    if (good && bench_summary_print(&source, stdout)) {
        good = false;
        snprintf(message, sizeof message, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    }
    bench_source_destroy(&source);
    if (!good)
        bench_message("%s", message);
    return good ? BENCH_DONE : BENCH_FAILED;
}

/* Whether the names of kernels on the command line exist; if not, prints an error. */
static bool check_names(const bench_options *options, const bench_devices *devices)
{
    char message[600];

    if (bench_selection_check(options, devices, message, sizeof message))
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
    return good && count > 0 ? BENCH_DONE : BENCH_FAILED;
}

/* --explain. After a failure of one matrix the others go on. */
static int explain(const bench_options *options, const bench_inputs *inputs,
                   const bench_devices *devices)
{
    int code = BENCH_DONE;

    for (size_t i = 0; i < inputs->count; i++) {
        const bench_options one = bench_inputs_options(options, inputs, i);
        char message[1024] = "";
        if (i > 0)
            putchar('\n');
        if (!bench_explain(&one, devices, stdout, message, sizeof message)) {
            bench_message("%s", message);
            code = BENCH_FAILED;
        }
    }
    return code;
}

/* The name of an input in the summary. */
static void name_result(const char *text, bench_series_result *result)
{
    const char *start = bench_input_is_made(text) ? strchr(text, ':') : strrchr(text, '/');

    snprintf(result->name, sizeof result->name, "%s", start ? start + 1 : text);
}

/* After a failure of one matrix the others go on. */
static int multiply_all(const bench_options *options, const bench_inputs *inputs,
                        const bench_devices *devices, const bench_peers *peers)
{
    bench_series_result *results = calloc(inputs->count, sizeof *results);
    int code = results ? BENCH_DONE : BENCH_FAILED;

    if (!results)
        bench_message("%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    for (size_t i = 0; i < inputs->count && results; i++) {
        const bench_options one = bench_inputs_options(options, inputs, i);
        if (i > 0)
            putchar('\n');
        if (multiply(&one, devices, peers, &results[i]) != BENCH_DONE)
            code = BENCH_FAILED;
        name_result(inputs->text[i], &results[i]);
    }
    if (results && inputs->count > 1)
        bench_series_print(results, inputs->count, peers, stdout);
    free(results);
    return code;
}

static int race(const bench_options *options, const bench_inputs *inputs)
{
    const bench_options one = bench_inputs_options(options, inputs, 0);
    bench_devices devices;
    bench_peers peers;
    spmv_error err = { SPMV_OK, "" };
    char message[1024] = "";         /* holds two paths */
    int code = BENCH_FAILED;
    const spmv_status status = bench_devices_open(options, &devices, &err);

    if (status) {
        bench_message("%s", err.text);
        code = status == SPMV_INVALID_ARGUMENT ? BENCH_USAGE : BENCH_FAILED;
    } else if (!check_names(options, &devices)) {
        code = BENCH_USAGE;
    } else if (options->explain) {
        code = explain(options, inputs, &devices);
    } else if (options->json && !bench_report_can_write(&one, message, sizeof message)) {
        bench_message("%s", message);
    } else if (!bench_peers_open(options->all_peers, options->peers.name, options->peers.count,
                                 &peers, message, sizeof message)) {
        bench_message("%s", message);
    } else {
        code = multiply_all(options, inputs, &devices, &peers);
    }
    bench_devices_close(&devices);
    return code;
}

/* --list */
static int list(const bench_options *options)
{
    bench_devices devices;
    spmv_error err = { SPMV_OK, "" };
    const spmv_status status = bench_devices_open(options, &devices, &err);

    if (status)
        bench_message("%s", err.text);
    else
        bench_list_kernels(&devices, options->target, stdout);
    bench_devices_close(&devices);
    return !status ? BENCH_DONE : status == SPMV_INVALID_ARGUMENT ? BENCH_USAGE : BENCH_FAILED;
}

/* Whether --json or --statistics has the one matrix that it takes; if not, prints an error. */
static bool check_count(const bench_options *options, const bench_inputs *inputs)
{
    if (inputs->count == 1 || (!options->json && !options->statistics))
        return true;
    bench_message("--%s takes one matrix at a time, not %zu", options->json ? "json" : "statistics",
                  inputs->count);
    return false;
}

static int run_inputs(const bench_options *options)
{
    bench_inputs inputs;
    char message[1200];
    int code = BENCH_USAGE;

    if (!bench_inputs_create(options, &inputs, message, sizeof message)) {
        bench_message("%s", message);
        return BENCH_USAGE;
    }
    if (check_count(options, &inputs))
        code = options->statistics ? show_statistics(options, &inputs) : race(options, &inputs);
    bench_inputs_destroy(&inputs);
    return code;
}

/* The program of options.h, with the commands beside it. */
static const sg_program *run_program(void)
{
    static const sg_program *commands[BENCH_MAX_COMMANDS];
    static sg_program program;

    for (size_t i = 1; i < bench_command_count; i++)
        commands[i - 1] = bench_commands[i]->program();
    program = *bench_options_program();
    program.commands = commands;
    return &program;
}

static int run_command(int argc, char *const *argv)
{
    bench_options options;
    char message[512];

    if (!bench_options_parse(argc, argv, &options, message, sizeof message)) {
        bench_message("%s; --help lists the options", message);
        return BENCH_USAGE;
    }
    int code = BENCH_DONE;
    if (bench_about_is_asked(&options.about))
        bench_about_print(&options.about, run_program());
    else if (options.lookalike && !options.operand_count && !strcmp(options.lookalike, "list"))
        bench_list_lookalikes(stdout);
    else
        code = options.list ? list(&options) : run_inputs(&options);
    bench_options_destroy(&options);
    return code;
}

const bench_command bench_command_run = { "run", run_program, run_command };
