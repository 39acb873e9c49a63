/* tune.c: the command `tune`: searches for better values of a page's parameters, validates them on
 * matrices that the search did not see, and writes them as a page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/command.h"
#include "bench/inputs/inputs.h"
#include "bench/output/message.h"
#include "bench/output/output_file.h"
#include "bench/process/interrupt.h"
#include "bench/race/input_rows.h"
#include "bench/race/timing.h"
#include "bench/tune/overlay.h"
#include "bench/tune/page_path.h"
#include "bench/tune/study.h"
#include "bench/tune/subject.h"
#include "bench/tune/suite.h"
#include "bench/yardsticks/bandwidth.h"
#include "common/fail.h"

enum { NOTHING_BETTER = 3 };     /* an exit code */

typedef struct tune_options {
    bench_options base;          /* first: bench_options_take_operand fills it */
    const char *target;          /* NULL: not given */
    const char *out;             /* NULL: not given */
    int64_t candidates;          /* 0: as many as the budget allows */
} tune_options;

#define FIELD(name) offsetof(tune_options, name)
static const char *const types[] = { "f32", "f64", "f32,f64", "f64,f32", NULL };

static const sg_option rows[] = {
    { .section = "What is tuned",
      .name = "method", .value = "NAME", .kind = SG_OPTION_LIST, .max = BENCH_MAX_NAMES,
      .add = bench_options_add_name, .offset = FIELD(base.methods),
      .help = "only this method; may repeat; without it all that have parameters to tune" },
    { .name = "type", .value = "f32|f64", .kind = SG_OPTION_TEXT, .choices = types,
      .offset = FIELD(base.type),
      .help = "value type; without it f64. f64,f32 tunes both, each by itself" },
    { .name = "candidates", .value = "N", .kind = SG_OPTION_INTEGER, .min = 2, .max = 1024,
      .offset = FIELD(candidates),
      .help = "combinations that the search begins with, for each method and type;\n"
              "without it one for every 6 seconds of the budget, 8 to 256" },
    { .section = "How it is measured",
      .name = "budget", .value = "TIME", .kind = SG_OPTION_TEXT,
      .offset = FIELD(base.budget_text),
      .help = "time for all of it, as 90s, 10m or 1h30m; without it 10m" },
    { .name = "threads", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = 4096,
      .offset = FIELD(base.threads),
      .help = "without it as many as libspmv takes" },
    { .name = "force", .kind = SG_OPTION_FLAG, .offset = FIELD(base.force),
      .help = "try what seems too large for the memory that is free" },
    { .section = "Matrices without an operand",
      .name = "poisson", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = 1290,
      .offset = FIELD(base.poisson),
      .help = "the 7-point Poisson problem on N x N x N points" },
    { .name = "lookalike", .value = "NAME", .kind = SG_OPTION_TEXT,
      .offset = FIELD(base.lookalike), .listing = &bench_listed_lookalikes,
      .help = "spmvbench --lookalike list shows the names; all: 18 matrices" },
    { .name = "seed", .value = "N", .kind = SG_OPTION_INTEGER, .max = INT64_MAX,
      .offset = FIELD(base.seed),
      .help = "seed of the candidates, of the choice of matrices for the validation, and\n"
              "of made matrices; without it 1" },
    { .section = "Output",
      .name = "out", .value = "FILE.lua", .kind = SG_OPTION_TEXT, .offset = FIELD(out),
      .help = "the page to write, a new file; without it TARGET-tuned.lua in this folder.\n"
              "It inherits from TARGET, so it stands beside a TARGET that is a file" },
    { .name = "list", .kind = SG_OPTION_FLAG, .offset = FIELD(base.list),
      .help = "list the candidates and the matrices of search and validation, and stop" },
    BENCH_ABOUT_OPTIONS(tune_options, base.about),
};

static bool take_operand(void *options, const char *word, bool ended, spmv_error *error)
{
    tune_options *o = options;

    if (o->target)
        return bench_options_take_operand(options, word, ended, error);
    o->target = word;
    return true;
}

static const sg_option_table option_table = {
    .options = rows, .count = sizeof rows / sizeof rows[0], .help_column = 22, .last_wins = true,
    .operand = take_operand,
};

/* ---- help ------------------------------------------------------------------------------------ */

static const char notes[] =
    "Every third matrix, in an order that the seed shuffles, is for the validation; the search\n"
    "sees the others. Speeds are geometric means, over matrices, of the median of the ratios,\n"
    "in each round, of the time of the page's kernel to the candidate's. The values are written\n"
    "if, on the matrices of the validation,\n"
    "  mean      is at least 1.01,\n"
    "  noise     the mean of the lower ends of the 95 % intervals is above 1, and\n"
    "  least     no interval lies below 0.98.\n"
    "Lines:\n"
    "  rung      a round of successive halving: the candidates, the matrices, the highest\n"
    "            speed and its values; the better half goes on to more matrices\n"
    "  value     the speed with a value over that with the page's, all else equal; what gains\n"
    "            less than 0.3 % is dropped\n";

static const sg_program_entry exit_codes[] = {
    { "0", "better values were found, and the page is written" },
    { "1", "a failure; nothing is written" },
    { "2", "bad command line, such as an unknown target or method" },
    { "3", "nothing better was found; nothing is written" },
    { "130", "Ctrl-C: the best so far is shown, nothing is written; 128 + N: signal N, likewise" },
    { NULL, NULL },
};

static const sg_program program = {
    .name = "spmvbench tune", .version = SPMV_VERSION, .table = &option_table,
    .exit_codes = exit_codes, .notes = notes,
    .purpose = "find better parameters of a page for this machine",
    .usage = "TARGET [INPUT]... [OPTION]...", .operand = "FILE.mtx[.gz]",
    .description =
        "Search the parameters of a target's methods, validate the best values on matrices that\n"
        "the search did not see, and write them as a page that inherits from TARGET. TARGET is\n"
        "the name of a page, host, or FILE.lua. An INPUT is a matrix, as spmvbench takes it;\n"
        "there must be three or more. Without any, they are 18 look-alikes of many classes.",
    .examples =
        "  $ spmvbench tune host --method csr5\n"
        "  $ spmvbench tune host --method csr5 --type f64,f32 --budget 30m ~/matrices\n"
        "  $ spmvbench tune pocl --method evc_hyb --out my-device.lua\n",
};

static const sg_program *tune_program(void)
{
    return &program;
}

/* A run of tune. */
typedef struct work {
    const tune_options *options;
    int argc;
    char *const *argv;
    bench_inputs inputs;
    bench_holdout holdout;
    bench_tune_subject subject;
    bench_page_path page;        /* to write */
} work;

/* ---- the page to write ----------------------------------------------------------------------- */

static const bench_output_file_rules page_rules = {
    .option = "--out", .kind = "an empty file", .beginning = "",
};

static bool choose_page(work *w, spmv_error *error)
{
    const tune_options *o = w->options;

    return bench_page_path_choose(o->target, w->subject.page, o->out, &w->page, error) &&
           (o->base.list ||
            (bench_page_path_is_new(&w->page, error) &&
             bench_output_file_check(&page_rules, w->page.path, error)));
}

static bool write_page(const work *w, const bench_tune *tune, const bench_study *study,
                       spmv_error *error)
{
    const bench_overlay overlay = { .name = w->page.name, .base = w->subject.page, .argc = w->argc,
                                    .argv = w->argv, .tune = tune, .study = study,
                                    .count = w->subject.count };
    bench_output_file file;

    if (!bench_output_file_begin(&file, &page_rules, w->page.path, error))
        return false;
    bench_overlay_write(&overlay, file.file);
    return bench_output_file_end(&file, error);
}

/* ---- the studies ----------------------------------------------------------------------------- */

/* The budget of a study, if all have the same. */
static double study_seconds(const work *w)
{
    return w->options->base.budget / (double)w->subject.count;
}

static size_t candidates_of(const work *w, size_t space)
{
    const size_t wanted = w->options->candidates > 0 ? (size_t)w->options->candidates
                                                     : bench_study_candidates(study_seconds(w));
    const size_t all = bench_space_size(w->subject.space[space]);

    return wanted < all ? wanted : all;
}

static void print_matrices(const work *w, const char *label, const size_t *matrix, size_t count)
{
    printf("%-10s", label);
    for (size_t i = 0; i < count; i++) {
        char name[BENCH_PRINTABLE_BYTES];
        printf(" %s", bench_printable(name, w->inputs.text[matrix[i]]));
    }
    putchar('\n');
}

static void print_heading(const work *w)
{
    bench_line(stdout, "%-10s %s, to be written to %s", "page", w->subject.page, w->page.path);
    print_matrices(w, "search", w->holdout.search, w->holdout.searches);
    print_matrices(w, "validation", w->holdout.validation, w->holdout.validations);
    fflush(stdout);
}

static void print_space(const work *w, size_t i)
{
    const size_t size = bench_space_size(w->subject.space[i]);

    printf("\n%-10s %s %s: %zu of %zu combinations\n", "study", w->subject.space[i]->method,
           w->subject.space[i]->type, candidates_of(w, i), size);
    fflush(stdout);
}

/* --list */
static int list(const work *w)
{
    print_heading(w);
    for (size_t i = 0; i < w->subject.count; i++) {
        const size_t most = candidates_of(w, i);
        bench_point *point = calloc(most + 1, sizeof *point);
        const size_t count = point ? bench_space_points(w->subject.space[i], most,
                                                        (uint64_t)w->options->base.seed, point)
                                   : 0;
        print_space(w, i);
        for (size_t k = 0; k < count; k++) {
            char words[BENCH_POINT_BYTES];
            bench_space_words(w->subject.space[i], &point[k], words, sizeof words);
            printf("  %s\n", words);
        }
        free(point);
    }
    return BENCH_DONE;
}

static void print_result(const bench_study *study)
{
    const bench_judgement *j = &study->judgement;
    char words[BENCH_POINT_BYTES];

    bench_space_words(study->space, &study->best, words, sizeof words);
    if (j->is_better)
        printf("better     %s: %.3f times the page's speed (%.3f to %.3f), at least %.3f\n", words,
               j->speed.median, j->speed.low, j->speed.high,
               study->validation[j->least].median);
    else
        bench_line(stdout, "not better %s", j->reason);
    fflush(stdout);
}

/* After an interruption. */
static void print_best(const bench_study *study)
{
    char words[BENCH_POINT_BYTES];

    if (!(study->search_speed > 0)) {
        printf("best       %s %s: nothing was measured yet\n", study->space->method,
               study->space->type);
        return;
    }
    bench_space_words(study->space, &study->best, words, sizeof words);
    printf("best       %s %s: %s, %.3f times the page's speed in the search\n",
           study->space->method, study->space->type, words, study->search_speed);
}

/* Runs all studies; those of a type share its problems. */
static bench_study_status run_studies(const work *w, const bench_tune *tune, bench_study *study,
                                      spmv_error *error)
{
    const double end = bench_seconds() + w->options->base.budget;
    bench_study_status status = BENCH_STUDY_DONE;
    bench_problems problems = { .problem = NULL };

    for (size_t i = 0; i < w->subject.count && status == BENCH_STUDY_DONE; i++) {
        const double now = bench_seconds();
        if (i == 0 || strcmp(w->subject.space[i]->type, w->subject.space[i - 1]->type) != 0) {
            bench_problems_end(&problems);
            if (!bench_problems_begin(&w->options->base, &w->inputs, w->subject.space[i]->type,
                                      &problems)) {
                sg_fail(error, "out of memory");
                return BENCH_STUDY_FAILED;
            }
        }
        print_space(w, i);
        status = bench_study_run(tune, w->subject.space[i], &problems, candidates_of(w, i),
                                 now + (end - now) / (double)(w->subject.count - i), &study[i],
                                 error);
        if (status == BENCH_STUDY_DONE)
            print_result(&study[i]);
    }
    bench_problems_end(&problems);
    return status;
}

/* Writes the page, or tells why not. */
static int finish(const work *w, const bench_tune *tune, const bench_study *study)
{
    size_t better = 0, measured = 0;
    spmv_error error;

    for (size_t i = 0; i < w->subject.count; i++) {
        better += study[i].judgement.is_better;
        measured += study[i].search_speed > 0;
    }
    putchar('\n');
    if (measured == 0) {
        bench_message("nothing could be measured, for the reasons above; nothing is written");
        return BENCH_FAILED;
    }
    if (better == 0) {
        printf("nothing better than %s was found; nothing is written\n", w->subject.page);
        return NOTHING_BETTER;
    }
    if (!write_page(w, tune, study, &error)) {
        bench_message("%s", error.text);
        return BENCH_FAILED;
    }
    bench_line(stdout, "%s is written: spmvgen --target %s%s", w->page.path,
               strchr(w->page.path, '/') ? "" : "./", w->page.path);
    return BENCH_DONE;
}

static int tune_page(const work *w)
{
    const bench_options *o = &w->options->base;
    bench_progress progress;
    const bench_tune tune = { .options = o, .inputs = &w->inputs, .holdout = &w->holdout,
                              .target = w->options->target, .progress = &progress,
                              .threads = bench_threads((int)o->threads) };
    bench_study *study = calloc(w->subject.count + 1, sizeof *study);
    spmv_error error = { SPMV_OUT_OF_MEMORY, "out of memory" };
    int code = BENCH_FAILED;

    print_heading(w);
    bench_progress_begin(&progress, w->subject.count * BENCH_STUDY_STEPS,
                         bench_seconds() + o->budget);
    const bench_study_status status = study
        ? run_studies(w, &tune, study, &error) : BENCH_STUDY_FAILED;
    bench_progress_clear(&progress);
    if (status == BENCH_STUDY_FAILED) {
        bench_message("%s", error.text);
    } else if (status == BENCH_STUDY_INTERRUPTED) {
        for (size_t i = 0; i < w->subject.count && study[i].tune; i++)
            print_best(&study[i]);
        bench_message("interrupted: nothing is written");
        code = bench_interrupt_code();
    } else {
        code = finish(w, &tune, study);
    }
    for (size_t i = 0; i < w->subject.count && study; i++)
        bench_study_free(&study[i]);
    free(study);
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool make_inputs(work *w, spmv_error *error)
{
    bench_options with_suite = w->options->base;
    bench_operand operand[BENCH_TUNE_SUITE];

    if (with_suite.operand_count == 0 && !with_suite.poisson && !with_suite.lookalike) {
        for (size_t i = 0; i < BENCH_TUNE_SUITE; i++)
            operand[i] = (bench_operand){ .word = bench_tune_suite[i] };
        with_suite.operand = operand;
        with_suite.operand_count = BENCH_TUNE_SUITE;
    }
    if (!bench_inputs_create(&with_suite, &w->inputs, error))
        return false;
    if (w->inputs.count < BENCH_FEWEST_MATRICES)
        return sg_fail(error, "tune needs %d or more matrices, since a third of them is for the "
                       "validation, and the search does not see it; %zu %s given",
                       BENCH_FEWEST_MATRICES, w->inputs.count, w->inputs.count == 1 ? "is" : "are");
    w->holdout = bench_holdout_make(w->inputs.count, (uint64_t)w->options->base.seed);
    return w->holdout.search || sg_fail(error, "out of memory");
}

static int run_tune(const tune_options *options, int argc, char *const *argv)
{
    work w = { .options = options, .argc = argc, .argv = argv };
    spmv_error error = { SPMV_OK, "" };
    int code = BENCH_USAGE;

    if (make_inputs(&w, &error) &&
        bench_tune_subject_find(&options->base, options->target, &w.subject, &error) &&
        choose_page(&w, &error))
        code = options->base.list ? list(&w) : tune_page(&w);
    else
        bench_message("%s", error.text);
    bench_inputs_destroy(&w.inputs);
    bench_holdout_free(&w.holdout);
    bench_tune_subject_free(&w.subject);
    free(w.page.path);
    return code;
}

static bool parse(int argc, char *const *argv, tune_options *out, spmv_error *error)
{
    if (!sg_option_table_parse(&option_table, argc, argv, out, NULL, error))
        return false;
    if (bench_about_is_asked(&out->base.about))
        return true;
    if (!out->target)
        return sg_fail(error, "tune takes a TARGET: the name of a page, host, or FILE.lua");
    out->base.budget = bench_options_duration(out->base.budget_text ? out->base.budget_text
                                                                    : "10m");
    return out->base.budget > 0 || sg_fail(error, "--budget takes a time as 90s, 10m or 1h30m, not "
                                           "'%s'", out->base.budget_text);
}

static int run_command(int argc, char *const *argv)
{
    tune_options options = { .target = NULL };
    spmv_error error;
    int code = BENCH_USAGE;

    if (!bench_options_begin(&options.base, argc)) {
        bench_message("%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
        return BENCH_FAILED;
    }
    if (!parse(argc, argv, &options, &error)) {
        bench_message("%s; spmvbench tune --help lists the options", error.text);
    } else if (bench_about_is_asked(&options.base.about)) {
        bench_about_print(&options.base.about, &program);
        code = BENCH_DONE;
    } else {
        code = run_tune(&options, argc, argv);
    }
    bench_options_destroy(&options.base);
    return code;
}

const bench_command bench_command_tune = { "tune", tune_program, run_command };
