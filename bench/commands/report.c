/* report.c: the command `report`: makes a page of HTML from the records of a run. */
#define _POSIX_C_SOURCE 200809L  /* fmemopen */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/commands/command.h"
#include "bench/html/html.h"
#include "bench/output/about.h"
#include "bench/output/message.h"
#include "bench/records/record.h"
#include "common/fail.h"
#include "runtime/spmv.h"

#define FIELD(name) offsetof(report_options, name)
typedef struct report_options {
    const char *records;         /* "-": standard input; NULL: not given */
    const char *output;          /* NULL: standard output */
    bench_about about;
} report_options;

static const sg_option options_of_report[] = {
    { .name = "output", .letter = 'o', .value = "FILE.html", .kind = SG_OPTION_TEXT,
      .offset = FIELD(output),
      .help = "where the page goes; replaces nothing but an older report; without it\n"
              "standard output" },
    BENCH_ABOUT_OPTIONS(report_options, about),
};

static bool take_records(void *options, const char *word, bool ended, spmv_error *error)
{
    report_options *o = options;

    (void)ended;
    if (o->records)
        return sg_fail(error, "two files of records: '%s' and '%s'; a report is made from one",
                       o->records, word);
    o->records = word;
    return true;
}

static const sg_option_table table = {
    .options = options_of_report,
    .count = sizeof options_of_report / sizeof options_of_report[0], .help_column = 27,
    .last_wins = true, .operand = take_records,
};

static const sg_program_entry exit_codes[] = {
    { "0", "the page is written" },
    { "1", "the records cannot be read, or the page cannot be written" },
    { "2", "bad command line" },
    { NULL, NULL },
};

static const sg_program program = {
    .name = "spmvbench report", .version = SPMV_VERSION, .table = &table,
    .exit_codes = exit_codes, .notes = "",
    .purpose = "show the records of a run as a page of HTML",
    .usage = "FILE.jsonl [OPTION]...", .operand = "FILE.jsonl",
    .description =
        "Make one page of HTML from a file of spmvbench --save: contenders side by side, all\n"
        "results as a table to sort, bars and spy plots of each matrix, roofline, sweeps,\n"
        "break-even. The page needs no network. FILE may be - for standard input.",
    .examples =
        "  $ spmvbench report run.jsonl --output run.html\n",
};

static const sg_program *report_program(void)
{
    return &program;
}

/* ---- the records ---------------------------------------------------------------------------- */

/* Reads all of a stream; the caller frees the text, which '\0' ends. NULL: errno says why. */
static char *read_all(FILE *file, size_t *bytes)
{
    size_t space = 1 << 16, length = 0;
    char *text = malloc(space);

    while (text) {
        length += fread(text + length, 1, space - length, file);
        if (length < space)
            break;
        char *larger = realloc(text, 2 * space);
        if (!larger)
            free(text);
        text = larger;
        space *= 2;
    }
    if (text && ferror(file)) {
        free(text);
        text = NULL;
    } else if (text) {
        text[length] = '\0';
    }
    *bytes = length;
    return text;
}

/* The text of a file of records, checked; the caller frees it. NULL: a sentence is in error. */
static char *read_records(const char *path, size_t *bytes, spmv_error *error)
{
    const bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    FILE *file = standard ? stdin : fopen(path, "r");
    char *text = file ? read_all(file, bytes) : NULL;

    if (!text)
        sg_fail(error, "cannot read '%s': %s", name, strerror(errno));
    if (file && !standard)
        fclose(file);
    if (!text)
        return NULL;

    bench_records records = { .path = NULL };
    /* fmemopen takes no empty text; the '\0' is a line without line feed, which readers ignore. */
    FILE *again = fmemopen(text, *bytes > 0 ? *bytes : 1, "r");
    bool good = again != NULL;
    if (!good)
        sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    good = good && bench_records_read_stream(again, name, &records, error);
    bench_records_free(&records);
    if (again)
        fclose(again);
    if (good)
        return text;
    free(text);
    return NULL;
}

/* ---- the page ------------------------------------------------------------------------------- */

static bool write_page(const report_options *options, const char *text, size_t bytes,
                       spmv_error *error)
{
    const char *const inputs[] = { options->records };
    const bool standard = strcmp(options->records, "-") == 0;
    const bench_output_file_rules rules =
        bench_report_html_rules("--output", inputs, standard ? 0 : 1);
    bench_output_file output;

    if (!options->output) {
        bench_report_html(text, bytes, stdout);
        return fflush(stdout) == 0 ||
               sg_fail(error, "cannot write to standard output: %s", strerror(errno));
    }
    if (!bench_output_file_begin(&output, &rules, options->output, error))
        return false;
    bench_report_html(text, bytes, output.file);
    return bench_output_file_end(&output, error);
}

static int make_report(const report_options *options)
{
    spmv_error error = { SPMV_OK, "" };
    size_t bytes;

    if (!options->records) {
        bench_message("no records: give a file of spmvbench --save FILE.jsonl, or - for standard "
                      "input; spmvbench report --help says more");
        return BENCH_USAGE;
    }
    if (!options->output && isatty(STDOUT_FILENO)) {
        bench_message("a report is a page of HTML: give --output FILE.html, or redirect standard "
                      "output");
        return BENCH_USAGE;
    }
    char *text = read_records(options->records, &bytes, &error);
    const bool good = text && write_page(options, text, bytes, &error);
    free(text);
    if (!good)
        bench_message("%s", error.text);
    return good ? BENCH_DONE : BENCH_FAILED;
}

static int run_command(int argc, char *const *argv)
{
    report_options options = { .records = NULL };
    spmv_error error;

    if (!sg_option_table_parse(&table, argc, argv, &options, NULL, &error)) {
        bench_message("%s; spmvbench report --help lists the options", error.text);
        return BENCH_USAGE;
    }
    if (!bench_about_is_asked(&options.about))
        return make_report(&options);
    bench_about_print(&options.about, &program);
    return BENCH_DONE;
}

const bench_command bench_command_report = { "report", report_program, run_command };
