/* inspect.c: the command `inspect`: shows the structure of matrices, and which method suits them,
 * without multiplying. */
#include <stdio.h>
#include <string.h>

#include "bench/commands/command.h"
#include "bench/commands/listing.h"
#include "bench/inputs/inputs.h"
#include "bench/inspect/choice.h"
#include "bench/inspect/plot.h"
#include "bench/inspect/print.h"
#include "bench/inspect/svg.h"
#include "bench/matrices/transpose.h"
#include "bench/output/message.h"
#include "bench/output/output_file.h"
#include "bench/output/terminal.h"
#include "bench/race/devices.h"
#include "bench/race/input.h"
#include "bench/race/input_rows.h"
#include "bench/race/source.h"
#include "bench/report/explain.h"
#include "bench/report/summary.h"
#include "common/fail.h"

typedef struct inspect_options {
    bench_options base;          /* first: bench_options_take_operand fills it */
    const char *svg;             /* NULL: not given */
    const char *plot;            /* NULL: by the locale */
} inspect_options;

#define FIELD(name) offsetof(inspect_options, name)
static const char *const types[] = { "f32", "f64", NULL };
static const char *const offsets[] = { "i32", "i64", NULL };
static const char *const backends[] = { "c", "cuda", "opencl", NULL };
static const char *const plots[] = { "utf8", "ascii", "none", NULL };

static const sg_option rows[] = {
    BENCH_INPUT_ROWS(inspect_options, base.),
    { .name = "type", .value = "f32|f64", .kind = SG_OPTION_TEXT, .choices = types,
      .offset = FIELD(base.type),
      .help = "value type; without it f64" },
    { .name = "offset", .value = "i32|i64", .kind = SG_OPTION_TEXT, .choices = offsets,
      .offset = FIELD(base.offset),
      .help = "type of row pointers; without it i32 where that is enough" },
    { .name = "plot", .value = "utf8|ascii|none", .kind = SG_OPTION_TEXT, .choices = plots,
      .offset = FIELD(plot),
      .help = "letters of the plots, or no plots; without it by LC_ALL, LC_CTYPE, LANG" },
    { .name = "svg", .value = "FILE.svg", .kind = SG_OPTION_TEXT, .offset = FIELD(svg),
      .help = "also write the plots of one matrix here; replaces nothing but an older\n"
              "such file" },
    { .name = "statistics", .kind = SG_OPTION_FLAG, .offset = FIELD(base.statistics),
      .help = "only a table of row lengths and locality; with a file and\n"
              "--lookalike CLASS of both, side by side" },
    { .name = "explain", .kind = SG_OPTION_FLAG, .offset = FIELD(base.explain),
      .help = "only the choice of the method, with all estimates" },
    { .name = "runs", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = INT32_MAX,
      .offset = FIELD(base.runs),
      .help = "multiplications that a plan expects; without it 1000" },
    { .name = "measure", .kind = SG_OPTION_FLAG, .offset = FIELD(base.measure),
      .help = "build and run the cheapest methods a few times, and choose by the clock" },
    { .name = "transposed", .kind = SG_OPTION_FLAG, .offset = FIELD(base.transposed),
      .help = "show the transpose of A, and what a plan takes that multiplies by it" },
    { .name = "backend", .value = "NAME", .kind = SG_OPTION_LIST, .max = BENCH_MAX_NAMES,
      .add = bench_options_add_name, .choices = backends, .offset = FIELD(base.backends),
      .help = "choose among kernels in this language: c, cuda or opencl; may repeat" },
    { .name = "device", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(base.device),
      .help = "choose for this device, as spmvbench --device names it" },
    { .name = "target", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(base.target),
      .help = "only kernels that were emitted for this target" },
    { .name = "modules", .value = "FILE.so", .kind = SG_OPTION_LIST, .max = BENCH_MAX_NAMES,
      .add = bench_options_add_name, .offset = FIELD(base.modules),
      .help = "choose among the kernels of this shared object; may repeat" },
    { .name = "threads", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = 4096,
      .offset = FIELD(base.threads),
      .help = "without it as many as libspmv takes" },
    { .name = "force", .kind = SG_OPTION_FLAG, .offset = FIELD(base.force),
      .help = "try what seems too large for the memory that is free" },
    { .name = "list", .kind = SG_OPTION_FLAG, .offset = FIELD(base.list),
      .help = "list usable kernels, models and shapes, and stop" },
    BENCH_ABOUT_OPTIONS(inspect_options, base.about),
};

static const sg_option_table option_table = {
    .options = rows, .count = sizeof rows / sizeof rows[0], .help_column = 26, .last_wins = true,
    .operand = bench_options_take_operand,
};

/* ---- help ---------------------------------------------------------------------------------- */

static const char notes[] =
    "Lines:\n"
    "  rows       how long rows are, and how many are empty\n"
    "  columns    how many are empty; the share of all places that has a nonzero\n"
    "  symmetry   whether A and its transpose have the same places, or are equal\n"
    "  band       the largest distance from the diagonal on either side. The profile is\n"
    "             the sum of the distances between the first nonzero of each row and the\n"
    "             diagonal, where the row begins on its left.\n"
    "  blocks     aligned squares: the share of the nonzeros that is in full ones, and\n"
    "             how full all of them are together\n"
    "  runs       consecutive columns of a row; windows are 4 columns of a row, from its\n"
    "             first nonzero on\n"
    "  values     how many differ, up to 65536, and whether f32 holds them\n"
    "  chosen     the method that a plan takes, and why\n"
    "Columns of the methods, in bytes a nonzero:\n"
    "  stored     the matrix, as the plan has it and in the arrays that it borrows\n"
    "  moved      the method's estimate for a multiplication; computing counts as bytes\n"
    "  of CSR     that over the least that a multiplication with CSR moves\n"
    "  prepare    estimate for making the plan, in multiplications\n"
    "  pays from  the number of multiplications from which on no method that prepares\n"
    "             less costs less in all; -: never\n";

static const sg_program_entry exit_codes[] = {
    { "0", "all matrices are shown" },
    { "1", "a matrix cannot be read or made, or a file cannot be written" },
    { "2", "bad command line, such as an unknown name" },
    { NULL, NULL },
};

static const sg_program program = {
    .name = "spmvbench inspect", .version = SPMV_VERSION, .table = &option_table,
    .exit_codes = exit_codes, .notes = notes,
    .purpose = "show the structure of matrices and the method for them",
    .usage = "INPUT... [OPTION]...", .operand = "FILE.mtx[.gz]",
    .description =
        "Show sizes, symmetry, band, blocks, values and plots of matrices, and which method a\n"
        "plan takes, with the reason. Nothing is multiplied. An INPUT is a Matrix Market file\n"
        "(.mtx or .mtx.gz), - for standard input, a folder, a pattern, lookalike:NAME,\n"
        "shape:NAME:SIZE, or model:NAME:... (--list); values:VALUES:INPUT has other values:\n"
        "f32, random, or how many differ.",
    .examples =
        "  $ spmvbench inspect model:poisson7:40\n"
        "  $ spmvbench inspect lookalike:QCD model:rmat:14 --plot none\n"
        "  $ spmvbench inspect model:blocks:30000:3:20 --svg blocks.svg\n",
};

static const sg_program *inspect_program(void)
{
    return &program;
}

/* ---- one matrix ---------------------------------------------------------------------------- */

static bench_output_file_rules svg_rules(const char *const *input)
{
    return (bench_output_file_rules){ .option = "--svg", .kind = "an image of spmvbench",
                                      .beginning = bench_svg_beginning, .inputs = input,
                                      .input_count = *input ? 1 : 0 };
}

/* What is computed once for a matrix. */
typedef struct subject {
    const inspect_options *options;
    const bench_devices *devices;
    const spmv_csr *csr;         /* what is shown: the input's matrix, or its transpose */
    const spmv_csr *given;       /* the input's matrix, of which plans are made */
    const char *path;            /* of the input's file; or NULL */
    char name[BENCH_PRINTABLE_BYTES];
    bench_structure structure;
    int columns;
} subject;

static bool write_svg(const subject *s, spmv_error *error)
{
    const bench_output_file_rules rules = svg_rules(&s->path);
    bench_output_file output;

    if (!bench_output_file_begin(&output, &rules, s->options->svg, error))
        return false;
    const spmv_status status = bench_svg_write(s->csr, &s->structure, s->name, output.file);
    return bench_output_file_end(&output, error) &&
           (!status || sg_fail(error, "%s", spmv_status_text(status)));
}

static bool print_plots(const subject *s, spmv_error *error)
{
    const char *letters = s->options->plot;
    const bench_plot plot = {
        .columns = s->columns,
        .utf8 = letters ? strcmp(letters, "utf8") == 0 : bench_terminal_is_utf8(),
    };
    bench_histogram histogram;

    if ((letters && strcmp(letters, "none") == 0) || s->csr->nnz == 0)
        return true;
    bench_histogram_create(s->csr, &histogram);
    putchar('\n');
    const spmv_status status = bench_plot_spy(s->csr, &plot, stdout);
    putchar('\n');
    bench_plot_histogram(&histogram, s->csr->rows, &plot, stdout);
    return !status || sg_fail(error, "%s", spmv_status_text(status));
}

static bool print_choices(const subject *s, spmv_error *error)
{
    const bench_options *o = &s->options->base;
    const spmv_plan_options wanted = {
        .struct_size = sizeof wanted, .target = o->target, .threads = (int32_t)o->threads,
        .expected_runs = o->runs ? (int32_t)o->runs : SPMV_EXPECTED_RUNS, .measure = o->measure,
        .transposed = o->transposed,
    };
    bool good = true;

    for (size_t i = 0; i < s->devices->count && good; i++) {
        putchar('\n');
        good = bench_choice_print(s->devices->device[i], s->given, &s->structure, &wanted,
                                  s->columns, stdout, error);
    }
    return good;
}

static bool show_matrix(subject *s, spmv_error *error)
{
    if (bench_structure_compute(s->csr, &s->structure))
        return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    bench_structure_print(&s->structure, s->name, s->columns, stdout);
    return print_plots(s, error) && print_choices(s, error) &&
           (!s->options->svg || write_svg(s, error));
}

/* ---- all matrices -------------------------------------------------------------------------- */

/* Shows a matrix, or its transpose. */
static bool show_source(const inspect_options *options, const bench_options *one,
                        const bench_devices *devices, const bench_source *source, spmv_error *error)
{
    bench_matrix *transpose = NULL;
    subject s = { .options = options, .devices = devices, .csr = &source->matrix->csr,
                  .given = &source->matrix->csr, .path = bench_input_file(one->input),
                  .columns = bench_terminal_columns(stdout) };
    char name[sizeof source->name + 32];

    if (options->base.transposed && bench_matrix_transpose(s.given, &transpose))
        return sg_fail(error, "%s: %s", source->name, spmv_status_text(SPMV_OUT_OF_MEMORY));
    if (transpose)
        s.csr = &transpose->csr;
    snprintf(name, sizeof name, "%s%s", transpose ? "transpose of " : "", source->name);
    bench_printable(s.name, name);
    if (source->note[0])
        bench_message("note: %s", source->note);
    const bool good = show_matrix(&s, error);
    bench_matrix_destroy(transpose);
    return good;
}

static bool show_input(const inspect_options *options, const bench_options *one,
                       const bench_devices *devices, spmv_error *error)
{
    bench_source source;
    bool good;

    if (options->base.explain)
        return bench_explain(one, devices, stdout, error);
    if (!bench_source_create(one, &source, error))
        return false;
    if (options->base.statistics)
        good = !bench_summary_print(&source, stdout) ||
               sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    else
        good = show_source(options, one, devices, &source, error);
    bench_source_destroy(&source);
    return good;
}

/* After a failure of one matrix the others go on. */
static int show_inputs(const inspect_options *options, const bench_inputs *inputs,
                       const bench_devices *devices)
{
    int code = BENCH_DONE;

    for (size_t i = 0; i < inputs->count; i++) {
        const bench_options one = bench_inputs_options(&options->base, inputs, i);
        spmv_error error = { SPMV_OK, "" };
        if (i > 0)
            putchar('\n');
        if (!show_input(options, &one, devices, &error)) {
            bench_message("%s", error.text);
            code = BENCH_FAILED;
        }
        fflush(stdout);
    }
    return code;
}

static bool check_svg(const inspect_options *options, const bench_inputs *inputs, spmv_error *error)
{
    if (!options->svg)
        return true;
    if (options->base.statistics || options->base.explain)
        return sg_fail(error, "--svg writes plots, which --%s does not make",
                       options->base.statistics ? "statistics" : "explain");
    if (inputs->count > 1)
        return sg_fail(error, "--svg takes one matrix at a time, not %zu", inputs->count);
    const char *const dot = strrchr(options->svg, '.');
    if (!dot || strcmp(dot, ".svg") != 0)
        return sg_fail(error, "--svg takes FILE.svg, not '%s'", options->svg);
    const char *path = bench_input_file(inputs->text[0]);
    const bench_output_file_rules rules = svg_rules(&path);
    return bench_output_file_check(&rules, options->svg, error);
}

static int inspect_all(const inspect_options *options)
{
    bench_inputs inputs = { .text = NULL };
    bench_sweep none = { .count = 0 };
    bench_devices devices = { .count = 0 };
    spmv_error error = { SPMV_OK, "" };
    spmv_status status = SPMV_OK;
    int code = BENCH_USAGE;

    if (!bench_inputs_create(&options->base, &inputs, &error) ||
        !check_svg(options, &inputs, &error) ||
        (status = bench_devices_open(&options->base, &none, &devices, &error)))
        bench_message("%s", error.text);
    else
        code = show_inputs(options, &inputs, &devices);
    if (status && status != SPMV_INVALID_ARGUMENT)
        code = BENCH_FAILED;
    bench_devices_close(&devices);
    bench_inputs_destroy(&inputs);
    return code;
}

static int act(const inspect_options *options)
{
    if (!bench_about_is_asked(&options->base.about))
        return bench_listing_is_asked(&options->base) ? bench_listing_print(&options->base)
                                                      : inspect_all(options);
    bench_about_print(&options->base.about, &program);
    return BENCH_DONE;
}

static bool names_matrix(const bench_options *o)
{
    return o->operand_count > 0 || o->poisson > 0 || o->shape || o->lookalike || o->list ||
           bench_about_is_asked(&o->about);
}

static int inspect_command(int argc, char *const *argv)
{
    inspect_options options = { .svg = NULL };
    spmv_error error;
    int code = BENCH_USAGE;

    if (!bench_options_begin(&options.base, argc))
        bench_message("%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    else if (!sg_option_table_parse(&option_table, argc, argv, &options, NULL, &error))
        bench_message("%s; spmvbench inspect --help lists the options", error.text);
    else if (!names_matrix(&options.base))
        bench_message("inspect what? Give a file, a folder, or a model such as "
                      "model:poisson7:100; spmvbench inspect --help says more");
    else if (options.base.size >= 0 && !options.base.shape)
        bench_message("--size belongs to --shape NAME");
    else if (options.base.transposed && options.base.statistics)
        bench_message("--transposed shows a method's choice, and --statistics does not");
    else
        code = act(&options);
    bench_options_destroy(&options.base);
    return code;
}

const bench_command bench_command_inspect = { "inspect", inspect_program, inspect_command };
