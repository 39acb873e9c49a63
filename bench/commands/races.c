/* races.c: see races.h. */
#include "bench/commands/races.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/command.h"
#include "bench/commands/resume.h"
#include "bench/output/message.h"
#include "bench/process/interrupt.h"
#include "bench/race/race.h"
#include "bench/report/details.h"
#include "bench/report/group_table.h"
#include "bench/report/overview.h"
#include "bench/report/progress.h"
#include "bench/report/report.h"
#include "bench/yardsticks/bandwidth.h"
#include "bench/yardsticks/machine.h"
#include "bench/yardsticks/x_traffic.h"
#include "common/fail.h"
#include "runtime/spmv.h"

enum { EXPECTED_RUNS = 1000 };   /* the hint for peers */

typedef struct session {
    const bench_options *options;
    const bench_inputs *inputs;
    const bench_devices *devices;
    const bench_peers *peers;
    bench_outputs *outputs;
    bench_records *records;      /* of all races, those of --resume, too */
    bench_progress progress;
    double begin;                /* bench_seconds */
    double until;                /* the same, when the budget ends; 0: no budget */
    double race_until;           /* the same, of the race under way */
    bool spent;                  /* the budget ended before the last race */
    bench_memory memory;         /* measured once for all races; read_rate 0: not yet */
    size_t printed;              /* races */
    bool failed;                 /* something was wrong or could not be done */
} session;

__attribute__((format(printf, 2, 3))) static void complain(session *s, const char *format, ...)
{
    char text[2048];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bench_progress_clear(&s->progress);
    bench_message("%s", text);
    s->failed = true;
}

/* ---- one race -------------------------------------------------------------------------------- */

/* Prints a group, and what is wrong in it to stderr. */
static void print_group(session *s, size_t matrix)
{
    size_t count;
    const size_t first = bench_records_first_result(s->records, matrix, &count);

    bench_progress_clear(&s->progress);
    if (!s->options->quiet) {
        if (s->printed > 0)
            putchar('\n');
        bench_group_heading(s->records, matrix, s->printed++ == 0, s->options->details, stdout);
        bench_group_table(s->records, matrix, s->options->details, stdout);
        fflush(stdout);
    }
    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &s->records->result[i];
        if (r->peer || r->correct || r->left_out)
            continue;
        /* The failure may have several lines: a compiler's log. */
        fprintf(stderr, "spmvbench: %s%s%s: %s\n", r->module, *r->set ? " " : "", r->set,
                r->failure);
        s->failed = true;
    }
}

/* Measures memory itself, once for all races. */
static int measure_memory(session *s, const bench_race *rules, bench_report *report)
{
    const int failed = s->memory.read_rate > 0 ? 0
        : bench_race_memory(s->options, rules, report->threads, &s->memory);

    report->memory = s->memory;
    return failed;
}

/* Makes the plans, and checks their results. */
static void prepare_contenders(session *s, const bench_candidate *candidates, size_t modules,
                               bench_contender *contenders, bench_report *report)
{
    for (size_t i = 0; i < modules && !bench_interrupted(); i++) {
        bench_contender_prepare(&contenders[i], &candidates[i], report->problem,
                                (int)s->options->threads, BENCH_MOST_PLANS);
        if (contenders[i].plan)
            report->threads = contenders[i].info.threads;
        if (contenders[i].correct)
            bench_companions_prepare(report->companion, i, &candidates[i],
                                     (int)s->options->threads);
    }
    for (size_t i = 0; i < s->peers->count && !bench_interrupted(); i++) {
        bench_contender *c = &contenders[modules + i];
        bench_contender_prepare_peer(c, s->peers->peer[i], report->problem, report->threads,
                                     EXPECTED_RUNS, BENCH_MOST_PLANS);
        if (c->correct)
            bench_companions_prepare_peer(report->companion, modules + i, s->peers->peer[i],
                                          report->threads, EXPECTED_RUNS);
    }
}

/* Whether an interruption came before anything was timed. */
static bool has_nothing(const bench_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->runners[i].samples > 0)
            return false;
    return bench_interrupted();
}

/* Bytes of x that come into a cache of that size; -1: the model is of y = A x. */
static int64_t x_line_bytes(const bench_report *report, size_t cache_bytes)
{
    const bench_product *product = &report->problem->product;

    return product->transposed || product->columns > 1 ? -1
        : bench_x_traffic_bytes(&report->problem->csr, report->threads, cache_bytes);
}

/* Times the contenders, then saves and prints the results. Saving is first: printing may end the
 * program, if the reader of a pipe is gone. */
static void race_contenders(session *s, const char *input, const bench_options *options,
                            bench_contender *contenders, bench_runner *runners,
                            bench_report *report)
{
    const bench_race rules = {
        .seconds = options->seconds, .rounds = (size_t)options->rounds,
        .until = s->race_until, .bound = bench_noise_bound, .is_over = bench_interrupted,
        .progress = bench_progress_update, .progress_context = &s->progress,
    };
    spmv_error error;
    size_t matrix;

    if (bench_interrupted())
        return;
    int failed = bench_race_contenders(&rules, contenders, runners, report);
    const bool complete = !bench_interrupted();
    if (!failed && complete)
        failed = measure_memory(s, &rules, report);
    if (failed) {
        complain(s, "the measurement failed: out of memory, or a result changed");
        return;
    }
    if (has_nothing(report))
        return;
    report->x_line_bytes = x_line_bytes(report, report->core_cache_bytes);
    report->x_l1_line_bytes = options->details ? x_line_bytes(report, report->l1_cache_bytes) : -1;
    for (size_t i = 0; i < report->count; i++)
        bench_contender_finish(&contenders[i], options->details);
    if (!bench_report_add_records(report, input, complete, s->records, &matrix)) {
        complain(s, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
        return;
    }
    bench_outputs_group(s->outputs, s->records, matrix, false);
    print_group(s, matrix);
    if (options->details)
        bench_details_print(report, stdout);
    if (options->json && !bench_report_json(report, options, &error))
        complain(s, "%s", error.text);
}

static void race_problem(session *s, const char *input, const bench_options *options,
                         const bench_problem *problem, const bench_candidate *candidates,
                         size_t modules)
{
    const size_t count = modules + s->peers->count;
    bench_contender *contenders = calloc(count, sizeof *contenders);
    bench_runner *runners = calloc(count, sizeof *runners);
    bench_report report = { .problem = problem, .contenders = contenders, .runners = runners,
                            .count = count, .ones = options->ones,
                            .threads = bench_threads((int)options->threads),
                            .competitors = bench_competitors(),
                            .core_cache_bytes = bench_core_cache_bytes(),
                            .l1_cache_bytes = bench_l1_cache_bytes() };

    spmv_error error;

    if (!contenders || !runners) {
        complain(s, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    } else if (!bench_companions_create(options, problem, count, report.companion, &error)) {
        complain(s, "%s", error.text);
    } else {
        prepare_contenders(s, candidates, modules, contenders, &report);
        race_contenders(s, input, options, contenders, runners, &report);
    }
    for (size_t i = 0; i < count && contenders; i++)
        bench_contender_destroy(&contenders[i]);
    bench_companions_destroy(report.companion, count);
    free(contenders);
    free(runners);
}

/* Makes the matrix and races the modules for its types. */
static void race(session *s, const char *input, const bench_options *options)
{
    bench_candidate *candidates = calloc(bench_selection_most(s->options, s->devices) + 1,
                                         sizeof *candidates);
    bench_problem problem = { .x = NULL };
    spmv_error error = { SPMV_OK, "" };
    size_t count = 0;
    bool good = candidates != NULL;

    if (!good)
        sg_fail(&error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    good = good && bench_problem_create(options, &problem, &error);
    if (good)
        count = bench_selection_make(options, s->devices, &problem.csr, candidates, &error);
    if (count > 0 && problem.source.note[0]) {
        bench_progress_clear(&s->progress);
        bench_message("note: %s", problem.source.note);
    }
    if (count > 0)
        race_problem(s, input, options, &problem, candidates, count);
    else
        complain(s, "%s", error.text);
    free(candidates);
    bench_problem_destroy(&problem);
}

/* ---- all races ------------------------------------------------------------------------------- */

static size_t race_count(const session *s)
{
    const char *type[BENCH_MAX_TYPES];

    return s->inputs->count * bench_options_types(s->options, type);
}

/* The options of a race: types take turns within an input. */
static bench_options race_options(const session *s, size_t index, const char **input)
{
    const char *type[BENCH_MAX_TYPES];
    const size_t types = bench_options_types(s->options, type);
    bench_options one = bench_inputs_options(s->options, s->inputs, index / types);

    one.type = type[index % types];
    *input = s->inputs->text[index / types];
    return one;
}

/* Copies a group of --resume. False: the file has no whole group of this race. */
static bool take_resumed(session *s, const char *input, const char *type)
{
    const bench_records *resumed = &s->outputs->resumed;
    const size_t from = bench_resume_find(resumed, input, type);
    size_t count, matrix;

    if (from == resumed->matrix_count)
        return false;
    const size_t first = bench_records_first_result(resumed, from, &count);
    bool good = bench_records_add_matrix(s->records, &resumed->matrix[from], &matrix);
    for (size_t i = first; i < first + count && good; i++) {
        bench_record_result result = resumed->result[i];
        result.matrix = matrix;
        good = bench_records_add_result(s->records, &result);
    }
    if (!good) {
        complain(s, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
        return true;
    }
    bench_outputs_group(s->outputs, s->records, matrix, true);
    print_group(s, matrix);
    return true;
}

/* The number of races from `index` on that are not in the file of --resume. */
static size_t races_left(const session *s, size_t index)
{
    const bench_records *resumed = &s->outputs->resumed;
    size_t left = 0;

    for (size_t i = index; i < race_count(s); i++) {
        const char *input;
        const bench_options one = race_options(s, i, &input);
        left += bench_resume_find(resumed, input, one.type) == resumed->matrix_count;
    }
    return left;
}

/* Gives a race its share of the budget. False: nothing is left. */
static bool share_budget(session *s, size_t index)
{
    const double now = bench_seconds();

    if (s->until == 0)
        return true;
    if (s->spent || now >= s->until) {
        s->spent = true;
        return false;
    }
    s->race_until = now + (s->until - now) / (double)races_left(s, index);
    return true;
}

/* After an interruption: how to go on. */
static void hint_resume(const session *s)
{
    const char *file = s->options->resume;
    char *code = bench_resume_code(s->options);
    char escaped[BENCH_PRINTABLE_BYTES], name[256];

    for (size_t i = 0; i < s->options->saves.count && !file; i++) {
        const char *dot = strrchr(s->options->saves.name[i], '.');
        if (dot && strcmp(dot, ".jsonl") == 0)
            file = s->options->saves.name[i];
    }
    if (file && code && snprintf(name, sizeof name, "%s", file) < (int)sizeof name)
        bench_message("spmvbench --resume %s%s%s goes on from here",
                      bench_printable(escaped, name), *code ? " " : "", code);
    else if (!file)
        bench_message("nothing was saved: --save FILE.jsonl lets --resume FILE.jsonl go on");
    free(code);
}

static void race_all(session *s)
{
    const size_t count = race_count(s);

    bench_progress_begin(&s->progress, count, s->until);
    for (size_t i = 0; i < count && !bench_interrupted(); i++) {
        const char *input;
        const bench_options one = race_options(s, i, &input);
        const bool resumed = s->options->resume && take_resumed(s, input, one.type);
        char name[160];

        if (!resumed && !share_budget(s, i))
            continue;
        snprintf(name, sizeof name, "%.120s %s", input, one.type);
        bench_progress_next(&s->progress, name);
        if (!resumed)
            race(s, input, &one);
        bench_progress_done(&s->progress, !resumed);
    }
    bench_progress_clear(&s->progress);
    if (count > 1 && !s->options->quiet)
        bench_overview_print(s->records, count, stdout);
    if (s->until > 0 && !s->options->quiet)
        bench_budget_print(s->records, bench_seconds() - s->begin, s->options->budget, stdout);
    if (s->spent)
        complain(s, "the budget is spent: %zu of %zu races are missing%s",
                 count - s->records->matrix_count, count,
                 s->outputs->saves > 0 ? "; the same line with --resume FILE races them" : "");
    if (fflush(stdout) != 0 || ferror(stdout))
        complain(s, "cannot write to standard output: %s", strerror(errno));
    if (bench_interrupted())
        hint_resume(s);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* Adds the variants of a sweep that do not race. */
static void add_illegal(session *s, const bench_sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++) {
        const bench_variant *v = &sweep->variant[i];
        const bench_record_illegal illegal = {
            .method = v->method, .set = v->set, .target = v->target->name, .type = v->type,
            .why = bench_sweep_state_text(v->state), .reason = v->reason,
        };
        if (v->reason && !bench_records_add_illegal(s->records, &illegal))
            complain(s, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    }
}

static void end(session *s)
{
    const bool interrupted = bench_interrupted();
    spmv_error error;
    const bench_ending ending = { .complete = !interrupted && !s->spent,
                                  .reason = interrupted ? "interrupted"
                                            : s->spent ? "budget" : "done",
                                  .seconds = bench_seconds() - s->begin };

    if (!bench_outputs_end(s->outputs, s->records, &ending, &error))
        complain(s, "%s", error.text);
}

int bench_races_run(const bench_options *options, const bench_inputs *inputs,
                    const bench_devices *devices, const bench_peers *peers,
                    const bench_sweep *sweep, bench_outputs *outputs, bench_records *records)
{
    session s = { .options = options, .inputs = inputs, .devices = devices, .peers = peers,
                  .outputs = outputs, .records = records, .begin = bench_seconds() };

    if (options->budget > 0)
        s.until = s.begin + options->budget;
    bench_interrupt_watch("\nspmvbench: interrupted: the results so far follow; once more ends it "
                          "at once\n", true);
    add_illegal(&s, sweep);
    bench_outputs_begin(outputs, records);
    race_all(&s);
    end(&s);
    return bench_interrupted() ? bench_interrupt_code() : s.failed ? BENCH_FAILED : BENCH_DONE;
}
