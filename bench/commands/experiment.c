/* experiment.c: the command `experiment`: repeats a figure or a table of a paper. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/commands/command.h"
#include "bench/commands/experiment_words.h"
#include "bench/commands/run.h"
#include "bench/experiments/experiment.h"
#include "bench/output/message.h"
#include "bench/output/output_file.h"
#include "bench/output/svg_page.h"
#include "bench/output/table.h"
#include "bench/output/terminal.h"
#include "bench/process/interrupt.h"
#include "common/did_you_mean.h"
#include "common/fail.h"
#include "runtime/spmv.h"

#define FIELD(name) offsetof(experiment_options, name)
typedef struct experiment_options {
    bench_options base;          /* first: bench_options_take_operand fills it */
    bench_names from;            /* files of records, one for each race */
    const char *csv, *svg;       /* NULL: not given */
    const char *plot;            /* NULL: by the locale */
} experiment_options;

static const char *const plots[] = { "utf8", "ascii", NULL };

static const sg_option own_rows[] = {
    { .section = "The experiment",
      .name = "from", .value = "FILE.jsonl", .kind = SG_OPTION_LIST, .offset = FIELD(from),
      .max = BENCH_MAX_NAMES, .add = bench_options_add_name,
      .help = "make the figure of a race that --save wrote, instead of racing; once for\n"
              "each race of the experiment" },
    { .name = "csv", .value = "FILE.csv", .kind = SG_OPTION_TEXT, .offset = FIELD(csv),
      .help = "also write the figure's numbers here; replaces nothing but an older such\n"
              "file" },
    { .name = "svg", .value = "FILE.svg", .kind = SG_OPTION_TEXT, .offset = FIELD(svg),
      .help = "also write the plots here, likewise" },
    { .name = "plot", .value = "utf8|ascii", .kind = SG_OPTION_TEXT, .choices = plots,
      .offset = FIELD(plot),
      .help = "letters of the plots; without it by LC_ALL, LC_CTYPE, LANG" },
};

/* Options of run that ask for something else than a race, or that belong to spmvbench alone. */
static const char *const not_here[] = { "explain", "runs", "measure", "statistics", "list", "json",
                                        "completion", NULL };

static bool is_listed(const char *const *list, const char *word)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

/* The options of the experiment, then those of run. */
static const sg_option_table *experiment_table(void)
{
    enum { OWN = sizeof own_rows / sizeof own_rows[0] };
    static sg_option rows[SG_OPTION_MAX];
    static sg_option_table table = { .options = rows, .help_column = 24, .last_wins = true,
                                     .operand = bench_options_take_operand };
    const sg_option_table *const run = bench_options_program(false).table;

    if (table.count > 0)
        return &table;
    memcpy(rows, own_rows, sizeof own_rows);
    table.count = OWN;
    for (size_t i = 0; i < run->count && table.count < SG_OPTION_MAX; i++)
        if (!is_listed(not_here, run->options[i].name))
            rows[table.count++] = run->options[i];
    return &table;
}

/* ---- help ---------------------------------------------------------------------------------- */

static const sg_program_entry exit_codes[] = {
    { "0", "the figure is shown" },
    { "1", "a result was wrong, or something could not be measured" },
    { "2", "bad command line, such as an unknown experiment" },
    { "130", "Ctrl-C: what was raced so far is shown; 128 + N: signal N, likewise" },
    { NULL, NULL },
};

static const sg_program *experiment_program(void)
{
    static sg_program program = {
        .name = "spmvbench experiment", .version = SPMV_VERSION, .exit_codes = exit_codes,
        .notes = "", .purpose = "repeat a figure or a table of a paper",
        .usage = "NAME [INPUT]... [OPTION]...\n       spmvbench experiment list",
        .operand = "FILE.mtx[.gz]",
        .description =
            "Race what a figure of a paper compares, and show the paper's expectation beside what\n"
            "was found, as a table and a plot. `list` shows all experiments. Without an INPUT the\n"
            "paper's matrices race, as look-alikes. Options are added to those of the experiment.",
        .examples =
            "  $ spmvbench experiment list\n"
            "  $ spmvbench experiment csr5-regular --seconds 0.02 model:poisson7:20\n",
    };

    program.table = experiment_table();
    return &program;
}

/* ---- list ---------------------------------------------------------------------------------- */

static int list_experiments(void)
{
    bench_table *table = bench_table_create(4, 4);

    bench_table_add(table, "experiment");
    bench_table_add(table, "paper");
    bench_table_add(table, "figure");
    bench_table_add(table, "shows");
    for (size_t i = 0; i < bench_experiment_count(); i++) {
        const bench_experiment *e = bench_experiment_at(i);
        bench_table_add(table, "%s", e->name);
        bench_table_add(table, "%s", e->paper);
        bench_table_add(table, "%s", e->where);
        bench_table_add(table, "%s", e->title);
    }
    bench_table_print(table, stdout);
    bench_table_destroy(table);
    return BENCH_DONE;
}

/* Adds the experiments whose names begin with `name`, as a method's do: "csr_adaptive". */
static void list_of_method(const char *name, char *hint, size_t hint_bytes)
{
    const size_t length = strlen(name);
    size_t used = 0;

    for (size_t i = 0; i < bench_experiment_count() && used < hint_bytes; i++) {
        const char *other = bench_experiment_at(i)->name;
        size_t k = 0;
        while (k < length && (other[k] == name[k] || (other[k] == '-' && name[k] == '_')))
            k++;
        if (k == length && other[k] == '-')
            used += (size_t)snprintf(hint + used, hint_bytes - used, "%s%s",
                                     used > 0 ? ", " : "; there are ", other);
    }
}

/* Prints an error for a name that no experiment has. */
static int unknown_experiment(const char *name)
{
    const size_t count = bench_experiment_count();
    const char **names = calloc(count, sizeof *names);
    char hint[512] = "";

    list_of_method(name, hint, sizeof hint);
    for (size_t i = 0; i < count && names; i++)
        names[i] = bench_experiment_at(i)->name;
    if (names && !*hint)
        sg_did_you_mean(hint, sizeof hint, name, names, count);
    free(names);
    bench_message("no experiment is called '%s'%s; spmvbench experiment list shows all", name,
                  hint);
    return BENCH_USAGE;
}

/* ---- an experiment -------------------------------------------------------------------------- */

static const bench_output_file_rules
    csv_rules = { .option = "--csv", .kind = "a figure of spmvbench",
                  .beginning = bench_figure_csv_beginning },
    svg_rules = { .option = "--svg", .kind = "an image of spmvbench",
                  .beginning = bench_svg_beginning };

static bool write_csv(const char *path, const bench_figure *figure, spmv_error *error)
{
    bench_output_file output;

    if (!bench_output_file_begin(&output, &csv_rules, path, error))
        return false;
    bench_figure_csv(figure, output.file);
    return bench_output_file_end(&output, error);
}

static bool write_svg(const char *path, const bench_experiment *e, const bench_figure *figure,
                      spmv_error *error)
{
    bench_output_file output;
    char where[128];

    if (!bench_output_file_begin(&output, &svg_rules, path, error))
        return false;
    snprintf(where, sizeof where, "%s, %s", e->paper, e->where);
    bench_figure_svg(figure, e->title, where, output.file);
    return bench_output_file_end(&output, error);
}

static void print_heading(const bench_experiment *e)
{
    const int columns = bench_terminal_columns(stdout);

    printf("%s: %s, %s\n", e->name, e->paper, e->where);
    bench_print_wrapped("shows", e->title, columns, stdout);
    bench_print_wrapped("paper", e->expected, columns, stdout);
    bench_print_wrapped("formula", e->formula, columns, stdout);
}

enum { MOST_RACES = 2 };

/* The races of an experiment: their words and their options. */
typedef struct races {
    size_t count;
    bench_experiment_words words[MOST_RACES];
    experiment_options options[MOST_RACES];
} races;

/* Races, or reads the records of a race. Returns an exit code. */
static int get_records(const races *r, size_t index, bench_records *records)
{
    const experiment_options *options = &r->options[index];
    spmv_error error;

    if (options->from.count == 0)
        return bench_run(&options->base, (int)r->words[index].count, r->words[index].word,
                         records);
    if (bench_records_read(options->from.name[index], records, &error))
        return BENCH_DONE;
    bench_message("%s", error.text);
    return BENCH_FAILED;
}

/* Measures without a race. Returns an exit code. */
static int measure(const bench_experiment *e, const bench_options *options, bench_figure *figure)
{
    bench_inputs inputs;
    spmv_error error = { SPMV_OK, "" };

    if (!bench_inputs_create(options, &inputs, &error)) {
        bench_message("%s", error.text);
        return BENCH_USAGE;
    }
    const bool good = e->measure(options, &inputs, figure, &error);
    bench_inputs_destroy(&inputs);
    if (!good)
        bench_message("%s: %s", e->name, error.text);
    return bench_interrupted() ? bench_interrupt_code() : good ? BENCH_DONE : BENCH_FAILED;
}

/* Makes the figure of the races. False: a sentence is in error. */
static bool evaluate(const bench_experiment *e, const bench_records *records, bench_figure *figure,
                     spmv_error *error)
{
    if (!e->evaluate(records, figure, error))
        return false;
    return !bench_figure_is_empty(figure) ||
           sg_fail(error, "no record has what the figure shows: a correct and timed result of its "
                   "methods");
}

/* Prints a figure, writes it if it is `made`, and takes it. What an experiment that failed left
 * takes the place of no file. */
static int show(const bench_experiment *e, const experiment_options *options,
                bench_figure *figure, bool made, int code)
{
    spmv_error error;
    const bool utf8 = options->plot ? strcmp(options->plot, "utf8") == 0
                                    : bench_terminal_is_utf8();

    putchar('\n');
    bench_figure_print(figure, bench_terminal_columns(stdout), utf8, stdout);
    if (figure->out_of_memory) {
        bench_message("%s: a part is missing", spmv_status_text(SPMV_OUT_OF_MEMORY));
        code = BENCH_FAILED;
    }
    if (figure->lacks_series)
        bench_message("%s: a panel shows %d series, and the others are left out; --method and "
                      "--target choose", e->name, BENCH_MAX_SERIES);
    if (made && options->csv && !write_csv(options->csv, figure, &error)) {
        bench_message("%s", error.text);
        code = BENCH_FAILED;
    }
    if (made && options->svg && !write_svg(options->svg, e, figure, &error)) {
        bench_message("%s", error.text);
        code = BENCH_FAILED;
    }
    bench_figure_free(figure);
    return code;
}

static int run_experiment(const bench_experiment *e, const races *r)
{
    const experiment_options *options = &r->options[0];
    bench_figure figure = { .panel = NULL };
    bench_records records[MOST_RACES] = { { .path = NULL } };
    spmv_error error = { SPMV_OK, "" };
    int code = BENCH_DONE;
    bool complete = true;

    /* What measures has temporary files, which the default of a signal would leave. */
    bench_interrupt_watch("\nspmvbench: interrupted; once more ends it at once\n", true);
    print_heading(e);
    fflush(stdout);
    if (e->measure) {
        code = measure(e, &options->base, &figure);
        return show(e, options, &figure, code == BENCH_DONE, code);
    }
    for (size_t i = 0; i < r->count && complete; i++) {
        const int race = get_records(r, i, &records[i]);
        code = race == BENCH_DONE ? code : race;
        complete = records[i].matrix_count > 0;
    }
    const bool made = complete && evaluate(e, records, &figure, &error);
    if (complete && !made) {
        bench_message("%s: %s", e->name, error.text);
        code = BENCH_FAILED;
    }
    code = show(e, options, &figure, made, code);
    for (size_t i = 0; i < MOST_RACES; i++)
        bench_records_free(&records[i]);
    return code;
}

/* ---- the command ---------------------------------------------------------------------------- */

static bool check(const bench_experiment *e, const experiment_options *options, spmv_error *error)
{
    const bench_options *base = &options->base;
    const size_t count = e->second ? 2 : 1;
    bench_inputs inputs;

    if (!bench_inputs_create(base, &inputs, error))
        return false;
    bench_inputs_destroy(&inputs);
    if (options->from.count > 0 && e->measure)
        return sg_fail(error, "%s measures without a race, so --from has nothing to show", e->name);
    if (e->measure && (options->base.saves.count > 0 || options->base.report))
        return sg_fail(error, "%s measures without a race, so --save and --report have nothing to "
                       "keep; --csv keeps the figure", e->name);
    if (options->from.count > 0 && options->from.count != count)
        return sg_fail(error, "%s has %zu race%s, so --from stands %zu time%s, not %zu", e->name,
                       count, count > 1 ? "s" : "", count, count > 1 ? "s" : "",
                       options->from.count);
    if (e->second && (base->saves.count > 0 || base->resume || base->report))
        return sg_fail(error, "%s has two races, so there is no one run for --save, --resume or "
                       "--report; save both by spmvbench run %s, the second with %s, and show them "
                       "by --from twice", e->name, e->words, e->second);
    return (!options->csv ||
            bench_output_file_check(&csv_rules, options->csv, error)) &&
           (!options->svg ||
            bench_output_file_check(&svg_rules, options->svg, error));
}

/* Fills *options from words. False: a sentence is in error. */
static bool parse(int argc, char *const *argv, experiment_options *options, spmv_error *error)
{
    *options = (experiment_options){ .csv = NULL };
    if (!bench_options_begin(&options->base, argc))
        return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    options->base.quiet = true;
    return sg_option_table_parse(experiment_table(), argc, argv, options, NULL, error) &&
           bench_options_finish(&options->base, error);
}

static bool names_inputs(const bench_options *o)
{
    return o->operand_count > 0 || o->poisson > 0 || o->shape || o->lookalike;
}

/* Makes the words and the options of a race. */
static bool add_race(const bench_experiment *e, const experiment_options *given, int argc,
                     char *const *argv, races *r, spmv_error *error)
{
    bench_experiment_words *words = &r->words[r->count];
    experiment_options *options = &r->options[r->count];
    const char *second = r->count > 0 ? e->second : "";

    if (!bench_experiment_words_make(e, second, own_rows, sizeof own_rows / sizeof own_rows[0],
                                     argc, argv, names_inputs(&given->base), words)) {
        bench_experiment_words_free(words);
        return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    }
    if (!parse((int)words->count, words->word, options, error)) {
        bench_options_destroy(&options->base);
        bench_experiment_words_free(words);
        return false;
    }
    options->csv = given->csv;
    options->svg = given->svg;
    options->from = given->from;
    options->plot = given->plot;
    r->count++;
    return true;
}

/* Runs an experiment with the options of argv, from argv[2] on. */
static int run_named(const bench_experiment *e, int argc, char *const *argv)
{
    experiment_options given;
    races r = { .count = 0 };
    spmv_error error = { SPMV_OK, "" };
    int code = BENCH_USAGE;
    bool good = parse(argc - 1, argv + 1, &given, &error);

    if (good && bench_about_is_asked(&given.base.about)) {
        bench_about_print(&given.base.about, experiment_program());
        bench_options_destroy(&given.base);
        return BENCH_DONE;
    }
    if (good && given.from.count > 0 && names_inputs(&given.base)) {
        good = false;
        sg_fail(&error, "--from shows the matrices of its file, so an INPUT has no use beside it: "
                "leave out one of them");
    }
    good = good && add_race(e, &given, argc, argv, &r, &error);
    good = good && check(e, &r.options[0], &error);
    if (e->second)
        good = good && add_race(e, &given, argc, argv, &r, &error);
    if (good)
        code = run_experiment(e, &r);
    else
        bench_message("%s; spmvbench experiment --help lists the options", error.text);
    bench_options_destroy(&given.base);
    for (size_t i = 0; i < r.count; i++) {
        bench_options_destroy(&r.options[i].base);
        bench_experiment_words_free(&r.words[i]);
    }
    return code;
}

static int experiment_command(int argc, char *const *argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    const bench_experiment *e = name ? bench_experiment_find(name) : NULL;
    experiment_options options;
    spmv_error error;
    int code = BENCH_USAGE;

    if (e)
        return run_named(e, argc, argv);
    if (name && strcmp(name, "list") == 0 && argc == 2)
        return list_experiments();
    if (name && strcmp(name, "list") == 0) {
        bench_message("experiment list takes no other words, but '%s' follows", argv[2]);
        return BENCH_USAGE;
    }
    if (name && name[0] != '-')
        return unknown_experiment(name);
    if (!parse(argc, argv, &options, &error)) {
        bench_message("%s; spmvbench experiment --help lists the options", error.text);
    } else if (bench_about_is_asked(&options.base.about)) {
        bench_about_print(&options.base.about, experiment_program());
        code = BENCH_DONE;
    } else {
        bench_message("experiment what? Give the name first, as in spmvbench experiment "
                      "csr5-regular; spmvbench experiment list shows all");
    }
    bench_options_destroy(&options.base);
    return code;
}

const bench_command bench_command_experiment = { "experiment", experiment_program,
                                                 experiment_command };
