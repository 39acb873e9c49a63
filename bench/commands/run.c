/* run.c: the command `run`: multiplies a matrix with every method, checks every result against a
 * reference of higher precision, and times the correct methods side by side. */
#include <stdio.h>
#include <string.h>

#include "bench/commands/command.h"
#include "bench/commands/listing.h"
#include "bench/commands/races.h"
#include "bench/commands/resume.h"
#include "bench/inputs/inputs.h"
#include "bench/output/message.h"
#include "bench/peers/peers.h"
#include "bench/process/interrupt.h"
#include "bench/race/devices.h"
#include "bench/race/selection.h"
#include "bench/report/explain.h"
#include "bench/report/summary.h"
#include "bench/sweep/sweep.h"
#include "common/fail.h"
#include "runtime/spmv.h"

/* --statistics: no kernel runs. */
static int show_statistics(const bench_options *options, const bench_inputs *inputs)
{
    bench_source source;
    spmv_error error = { SPMV_OK, "" };
    const bench_options one = bench_inputs_options(options, inputs, 0);
    bool good = bench_source_create(&one, &source, &error);
    if (good && bench_summary_print(&source, stdout)) {
        good = false;
        sg_fail(&error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    }
    bench_source_destroy(&source);
    if (!good)
        bench_message("%s", error.text);
    return good ? BENCH_DONE : BENCH_FAILED;
}

/* Whether the names of kernels on the command line exist; if not, prints an error. */
static bool check_names(const bench_options *options, const bench_devices *devices)
{
    spmv_error error;

    if (bench_selection_check(options, devices, &error))
        return true;
    bench_message("%s", error.text);
    return false;
}

/* --explain. After a failure of one matrix the others go on. */
static int explain(const bench_options *options, const bench_inputs *inputs,
                   const bench_devices *devices)
{
    int code = BENCH_DONE;

    for (size_t i = 0; i < inputs->count; i++) {
        const bench_options one = bench_inputs_options(options, inputs, i);
        spmv_error error = { SPMV_OK, "" };
        if (i > 0)
            putchar('\n');
        if (!bench_explain(&one, devices, stdout, &error)) {
            bench_message("%s", error.text);
            code = BENCH_FAILED;
        }
    }
    return code;
}

/* A run of `run`: what it is about, and what it writes. */
typedef struct work {
    const bench_options *options;
    const bench_inputs *inputs;
    bench_sweep sweep;
    bench_outputs outputs;
    bench_records *records;
} work;

/* Races the linked-in modules, or what --modules brings, and the variants of the sweep. */
static int race_modules(work *w)
{
    const bench_options *options = w->options;
    bench_devices devices;
    bench_peers peers;
    spmv_error error = { SPMV_OK, "" };
    int code = BENCH_FAILED;
    const spmv_status status = bench_devices_open(options, &w->sweep, &devices, &error);

    bench_sweep_clean(&w->sweep);
    bench_sweep_print(&w->sweep, stdout);
    if (status) {
        bench_message("%s", error.text);
        code = status == SPMV_INVALID_ARGUMENT ? BENCH_USAGE : BENCH_FAILED;
    } else if (w->sweep.count > 0 && !bench_sweep_has_built(&w->sweep)) {
        bench_message("no combination of --set can race here");
    } else if (!check_names(options, &devices)) {
        code = BENCH_USAGE;
    } else if (options->explain) {
        code = explain(options, w->inputs, &devices);
    } else if (!bench_peers_open(options->all_peers, options->peers.name, options->peers.count,
                                 &peers, &error)) {
        bench_message("%s", error.text);
    } else {
        code = bench_races_run(options, w->inputs, &devices, &peers, &w->sweep, &w->outputs,
                               w->records);
    }
    bench_devices_close(&devices);
    return code;
}

/* Emits and compiles the sweep, if there is one, then races. */
static int race_sweep(work *w)
{
    const bench_options *options = w->options;
    spmv_error error = { SPMV_OK, "" };
    bench_sweep_request request = {
        .set = options->sets.name, .set_count = options->sets.count,
        .method = options->methods.name, .method_count = options->methods.count,
        .target = options->target, .type = options->type, .offset = options->offset,
    };
    for (size_t i = 0; i < options->backends.count; i++)
        if (strcmp(options->backends.name[i], "c") != 0)
            request.backend = options->backends.name[i];
    const bench_sweep_status status = bench_options_sweep(options)
        ? bench_sweep_create(&request, &w->sweep, &error) : BENCH_SWEEP_DONE;

    if (status == BENCH_SWEEP_DONE) {
        const int code = race_modules(w);
        return code == BENCH_DONE && bench_sweep_has_failed(&w->sweep) ? BENCH_FAILED : code;
    }
    if (status != BENCH_SWEEP_INTERRUPTED)
        bench_sweep_print(&w->sweep, stdout);
    fflush(stdout);
    bench_message("%s", error.text);
    return status == BENCH_SWEEP_INTERRUPTED ? bench_interrupt_code()
           : status == BENCH_SWEEP_WRONG_COMMAND ? BENCH_USAGE : BENCH_FAILED;
}

static int race(const bench_options *options, const bench_inputs *inputs, int argc,
                char *const *argv, bench_records *records)
{
    const bench_options one = bench_inputs_options(options, inputs, 0);
    work w = { .options = options, .inputs = inputs, .records = records };
    spmv_error error = { SPMV_OK, "" };
    int code = BENCH_FAILED;

    if (bench_outputs_open(&one, argc, argv, records, &w.outputs, &error))
        code = race_sweep(&w);
    else
        bench_message("%s", error.text);
    if (!bench_outputs_close(&w.outputs, &error)) {
        bench_message("%s", error.text);
        code = code == BENCH_DONE ? BENCH_FAILED : code;
    }
    bench_sweep_destroy(&w.sweep);
    return code;
}

static bool reads_standard_input(const bench_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (strcmp(inputs->text[i], "-") == 0)
            return true;
    return false;
}

/* Whether inputs and types are as many as the options take; if not, prints an error. */
static bool check_count(const bench_options *options, const bench_inputs *inputs)
{
    const char *type[BENCH_MAX_TYPES];
    const size_t types = bench_options_types(options, type);

    if ((options->json || options->statistics) && inputs->count > 1)
        bench_message("--%s takes one matrix at a time, not %zu%s",
                      options->json ? "json" : "statistics", inputs->count,
                      options->json ? "; --save FILE.jsonl takes all" : "");
    else if (options->json && types > 1)
        bench_message("--json takes one --type at a time, not %zu; --save FILE.jsonl takes all",
                      types);
    else if (types > 1 && reads_standard_input(inputs))
        bench_message("standard input is read once, so '-' takes one --type, not %zu", types);
    else
        return true;
    return false;
}

/* Races the inputs of the options, prints the results and writes the options' files. argv: the
 * words of the command line, as files of records keep them. Returns an exit code. */
static int run(const bench_options *options, int argc, char *const *argv)
{
    bench_records records = { .path = NULL };
    bench_inputs inputs;
    spmv_error error;
    int code = BENCH_USAGE;

    if (!bench_inputs_create(options, &inputs, &error)) {
        bench_message("%s", error.text);
        return BENCH_USAGE;
    }
    if (check_count(options, &inputs))
        code = options->statistics ? show_statistics(options, &inputs)
                                   : race(options, &inputs, argc, argv, &records);
    bench_records_free(&records);
    bench_inputs_destroy(&inputs);
    return code;
}

/* The program of options.h, with the commands beside it. */
static const sg_program *make_program(bool details)
{
    static const sg_program *commands[BENCH_MAX_COMMANDS];
    static sg_program program;

    for (size_t i = 1; i < bench_command_count; i++)
        commands[i - 1] = bench_commands[i]->program();
    program = bench_options_program(details);
    program.commands = commands;
    return &program;
}

static const sg_program *run_program(void)
{
    return make_program(true);
}

static int run_words(int argc, char *const *argv)
{
    bench_options options;
    spmv_error error;

    if (!bench_options_parse(argc, argv, &options, &error)) {
        bench_message("%s; --help lists the options", error.text);
        return BENCH_USAGE;
    }
    int code = BENCH_DONE;
    if (bench_about_is_asked(&options.about))
        bench_about_print(&options.about, make_program(options.details || options.explain));
    else
        code = bench_listing_is_asked(&options) ? bench_listing_print(&options)
                                                : run(&options, argc, argv);
    bench_options_destroy(&options);
    return code;
}

static int run_command(int argc, char *const *argv)
{
    bench_resumed_words words;
    spmv_error error;

    if (!bench_resume_words(argc, argv, &words, &error)) {
        bench_message("%s", error.text);
        return BENCH_FAILED;
    }
    const int code = run_words(words.argc, words.argv ? words.argv : argv);
    bench_resumed_words_free(&words);
    return code;
}

const bench_command bench_command_run = { "run", run_program, run_command };
