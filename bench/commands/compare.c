/* compare.c: the command `compare`: what became faster or slower from one run to another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output/about.h"
#include "bench/commands/command.h"
#include "bench/compare/compare.h"
#include "bench/output/message.h"
#include "bench/output/table.h"
#include "common/fail.h"
#include "runtime/spmv.h"

#define FIELD(name) offsetof(compare_options, name)
typedef struct compare_options {
    const char *path[2];
    size_t paths;
    const char *fail_above;      /* "5%"; NULL: not given */
    double limit;                /* of fail_above, as in 0.05 */
    bool relative, all;
    bench_about about;
} compare_options;

static const sg_option table[] = {
    { .name = "fail-above", .value = "P%", .kind = SG_OPTION_TEXT, .offset = FIELD(fail_above),
      .help = "exit code 1 if a contender is slower by more than P percent beyond the\n"
              "noise, or was right and is wrong" },
    { .name = "relative", .kind = SG_OPTION_FLAG, .offset = FIELD(relative),
      .help = "compare times over that of the plain CSR loop in the same rounds, which a\n"
              "machine that is slower as a whole does not change" },
    { .name = "all", .kind = SG_OPTION_FLAG, .offset = FIELD(all),
      .help = "show contenders within the noise, too" },
    BENCH_ABOUT_OPTIONS(compare_options, about),
};

static bool take_path(void *options, const char *word, bool ended, spmv_error *error)
{
    compare_options *o = options;

    (void)ended;
    if (o->paths == 2)
        return sg_fail(error, "compare takes two files; '%s' is one too many", word);
    o->path[o->paths++] = word;
    return true;
}

static const sg_option_table option_table = {
    .options = table, .count = sizeof table / sizeof table[0], .help_column = 20,
    .last_wins = true, .operand = take_path,
};

static const char notes[] =
    "Times are medians. A change is beyond the noise if the 95 % confidence intervals of both\n"
    "medians have no number in common.\n";

static const sg_program_entry exit_codes[] = {
    { "0", "compared; nothing is worse than --fail-above allows" },
    { "1", "something is, or a file cannot be read" },
    { "2", "bad command line" },
    { NULL, NULL },
};

static const sg_program program = {
    .name = "spmvbench compare", .version = SPMV_VERSION, .table = &option_table,
    .exit_codes = exit_codes, .notes = notes,
    .purpose = "tell what became faster or slower from one run to another",
    .usage = "BEFORE AFTER [OPTION]...", .operand = "FILE.jsonl",
    .description = "Compare two files that spmvbench --save wrote, contender by contender.",
    .examples =
        "  $ spmvbench --poisson 20 --seconds 0.05 --dram 0 --save before.jsonl\n"
        "  $ spmvbench --poisson 20 --seconds 0.05 --dram 0 --save after.jsonl\n"
        "  $ spmvbench compare before.jsonl after.jsonl\n",
};

static const sg_program *compare_program(void)
{
    return &program;
}

/* "5%", "5" and "0.5%" are percentages. */
static bool parse_limit(compare_options *o, spmv_error *error)
{
    char *end;

    if (!o->fail_above)
        return true;
    o->limit = strtod(o->fail_above, &end) / 100;
    if (*end == '%' && end != o->fail_above)
        end++;
    return (end != o->fail_above && !*end && isfinite(o->limit) && o->limit >= 0) ||
           sg_fail(error, "--fail-above takes a percentage of 0 or more, as in 5%%, not '%s'",
                   o->fail_above);
}

static bool parse(int argc, char *const *argv, compare_options *out, spmv_error *error)
{
    *out = (compare_options){ .paths = 0 };
    if (!sg_option_table_parse(&option_table, argc, argv, out, NULL, error) ||
        !parse_limit(out, error))
        return false;
    if (bench_about_is_asked(&out->about) || out->paths == 2)
        return true;
    return sg_fail(error, "compare takes two files that --save wrote, the earlier first; %s",
                   out->paths ? "one was given" : "none was given");
}

/* ---- output -------------------------------------------------------------------------------- */

static const char *const change_text[BENCH_CHANGES] = {
    "within the noise", "faster", "slower", "WRONG now", "right now",
};

/* A time in a unit that leaves three digits; relative times have none. */
static void add_time(bench_table *out, double time, bool relative)
{
    if (isnan(time))
        bench_table_add(out, "-");
    else if (relative)
        bench_table_add(out, "%.3f", time);
    else if (time < 1e-3)
        bench_table_add(out, "%.3g us", time * 1e6);
    else
        bench_table_add(out, time < 1 ? "%.4g ms" : "%.4g s", time < 1 ? time * 1e3 : time);
}

static void add_pair(bench_table *out, const bench_pair *p, bool relative)
{
    char name[BENCH_PRINTABLE_BYTES];

    bench_table_add(out, "%.60s", bench_printable(name, p->matrix->name));
    bench_table_add(out, "%s %s", p->matrix->type, p->matrix->offset);
    bench_table_add(out, "%s %s%s%s%s%s", p->after->method, p->after->target,
                    p->after->set[0] ? " " : "", p->after->set, p->after->settings[0] ? " " : "",
                    p->after->settings);
    add_time(out, p->before_time, relative);
    add_time(out, p->after_time, relative);
    if (isnan(p->ratio))
        bench_table_add(out, "-");
    else
        bench_table_add(out, "%+.1f%%", 100 * (p->ratio - 1));
    bench_table_add(out, "%s", change_text[p->change]);
}

static void print_table(const bench_comparison *c, const compare_options *options, FILE *out)
{
    const char *const heads[] = { "matrix", "types", "contender", "before", "after", "time",
                                  "change" };
    enum { COLUMNS = sizeof heads / sizeof heads[0] };
    bench_table *rows = bench_table_create(COLUMNS, 3);
    size_t shown = 0;

    for (size_t i = 0; i < COLUMNS; i++)
        bench_table_add(rows, "%s", heads[i]);
    for (size_t i = 0; i < c->count; i++)
        if (options->all || c->pair[i].change != BENCH_UNCHANGED) {
            add_pair(rows, &c->pair[i], options->relative);
            shown++;
        }
    if (shown > 0) {
        bench_table_print(rows, out);
        fputc('\n', out);
    }
    bench_table_destroy(rows);
}

static void print_summary(const bench_comparison *c, const compare_options *options, FILE *out)
{
    fprintf(out, "%zu contenders compared: %zu slower, %zu faster, %zu within the noise", c->count,
            c->changes[BENCH_SLOWER], c->changes[BENCH_FASTER], c->changes[BENCH_UNCHANGED]);
    if (c->changes[BENCH_BROKEN] > 0)
        fprintf(out, ", %zu WRONG now", c->changes[BENCH_BROKEN]);
    if (c->changes[BENCH_MENDED] > 0)
        fprintf(out, ", %zu right now", c->changes[BENCH_MENDED]);
    if (!isnan(c->mean_ratio))
        fprintf(out, "; all times %+.1f%% (geometric mean)", 100 * (c->mean_ratio - 1));
    fputc('\n', out);
    if (c->only_before + c->only_after > 0)
        bench_line(out, "not compared: %zu of %s alone, %zu of %s alone", c->only_before,
                   options->path[0], c->only_after, options->path[1]);
}

/* What makes times of the two runs hard to compare. */
static void print_cautions(const bench_records *a, const bench_records *b, FILE *out)
{
    const struct {
        const char *what, *before, *after;
    } same[] = { { "machine", a->cpu, b->cpu }, { "compiler", a->compiler, b->compiler } };

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        if (strcmp(same[i].before, same[i].after) != 0)
            bench_line(out, "note: another %s: %s, then %s", same[i].what, same[i].before,
                       same[i].after);
    if (a->threads != b->threads)
        fprintf(out, "note: %lld threads, then %lld\n", (long long)a->threads,
                (long long)b->threads);
    for (int i = 0; i < 2; i++) {
        const bench_records *r = i ? b : a;
        if (!r->ended || !r->complete)
            bench_line(out, "note: %s is of a run that did not reach its end", r->path);
    }
}

static int compare(const compare_options *options)
{
    bench_records records[2] = { { .path = NULL } };
    bench_comparison c = { .pair = NULL };
    spmv_error error;
    bool good = true;
    size_t failing = 0;

    for (int i = 0; i < 2 && good; i++)
        good = bench_records_read(options->path[i], &records[i], &error);
    if (good && !bench_compare(&records[0], &records[1], options->relative, &c)) {
        sg_fail(&error, "out of memory");
        good = false;
    }
    if (good && c.count == 0) {
        sg_fail(&error, "%s and %s have no contender in common: expected the same inputs, types "
                "and methods in both", options->path[0], options->path[1]);
        good = false;
    }
    if (!good)
        bench_message("%s", error.text);
    if (good) {
        print_cautions(&records[0], &records[1], stdout);
        print_table(&c, options, stdout);
        print_summary(&c, options, stdout);
        for (size_t i = 0; i < c.count && options->fail_above; i++)
            failing += bench_pair_fails(&c.pair[i], options->limit);
        if (failing > 0)
            printf("%zu are worse than --fail-above %s allows\n", failing, options->fail_above);
    }
    bench_comparison_free(&c);
    bench_records_free(&records[0]);
    bench_records_free(&records[1]);
    return good && failing == 0 ? BENCH_DONE : BENCH_FAILED;
}

static int run_command(int argc, char *const *argv)
{
    compare_options options;
    spmv_error error;

    if (!parse(argc, argv, &options, &error)) {
        bench_message("%s; spmvbench compare --help lists the options", error.text);
        return BENCH_USAGE;
    }
    if (!bench_about_is_asked(&options.about))
        return compare(&options);
    bench_about_print(&options.about, &program);
    return BENCH_DONE;
}

const bench_command bench_command_compare = { "compare", compare_program, run_command };
