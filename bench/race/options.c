/* options.c: spmvbench's table of options, and checks of their combinations. */
#include "bench/race/options.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/race/input_rows.h"
#include "bench/sweep/name_list.h"
#include "common/fail.h"
#include "runtime/spmv.h"

#define FIELD(name) offsetof(bench_options, name)
static const char *const types[] = { "f32", "f64", "f32,f64", "f64,f32", NULL };
static const char *const backends[] = { "c", "cuda", "opencl", NULL };
static const char *const offsets[] = { "i32", "i64", NULL };
static const char *const orders[] = { "row", "column", NULL };
static const char *const narrow[] = { "f32", "f16", "bf16", NULL };

void bench_options_add_name(void *options, void *list, const char *value)
{
    bench_names *names = list;

    (void)options;
    names->name[names->count++] = value;
}

#define NAMES .kind = SG_OPTION_LIST, .max = BENCH_MAX_NAMES, .add = bench_options_add_name

static const sg_option_listing
    listed_methods = { .options = "--list", .heading = "kernels", .column = 1 },
    listed_targets = { .options = "--list", .heading = "kernels", .column = 2 };

static const sg_option table[] = {
    BENCH_INPUT_ROWS(bench_options, ),
    { .section = "The problem",
      .name = "type", .value = "f32|f64", .kind = SG_OPTION_TEXT, .choices = types,
      .offset = FIELD(type),
      .help = "value type; without it f64. f64,f32 races both" },
    { .name = "values", .value = "TYPE", .kind = SG_OPTION_TEXT, .choices = narrow,
      .offset = FIELD(values),
      .help = "round values of A to f32, f16 or bf16; x, y and sums keep the wider --type;\n"
              "each method multiplies by unrounded values, too, to compare" },
    { .name = "offset", .value = "i32|i64", .kind = SG_OPTION_TEXT, .choices = offsets,
      .offset = FIELD(offset),
      .help = "type of row pointers; without it i32 where that is enough" },
    { .name = "alpha", .value = "A", .kind = SG_OPTION_REAL, .offset = FIELD(alpha),
      .help = "without it 1" },
    { .name = "beta", .value = "B", .kind = SG_OPTION_REAL, .offset = FIELD(beta),
      .help = "without it 0" },
    { .name = "transposed", .kind = SG_OPTION_FLAG, .offset = FIELD(transposed),
      .help = "multiply by the transpose of A; each method multiplies by A, too, to compare" },
    { .name = "columns", .value = "K", .kind = SG_OPTION_INTEGER, .min = 1, .max = 1024,
      .offset = FIELD(columns),
      .help = "multiply K vectors at once, the columns of X, Y = alpha*A*X + beta*Y; each\n"
              "method multiplies one, too, to compare" },
    { .name = "order", .value = "row|column", .kind = SG_OPTION_TEXT, .choices = orders,
      .offset = FIELD(order),
      .help = "order of X and Y of --columns in memory; without it row" },
    { .name = "ones", .kind = SG_OPTION_FLAG, .offset = FIELD(ones),
      .help = "x and all values of A are 1, so that kernels are right that do not read them" },
    { .name = "force", .kind = SG_OPTION_FLAG, .offset = FIELD(force),
      .help = "try what seems too large for the memory that is free" },
    { .section = "What races",
      .name = "method", .value = "NAME", NAMES, .offset = FIELD(methods),
      .listing = &listed_methods,
      .help = "only this method; may repeat" },
    { .name = "backend", .value = "NAME", NAMES, .choices = backends, .offset = FIELD(backends),
      .help = "kernels in this language, c, cuda or opencl; repeat it to compare several in\n"
              "one run; without it what --device, SPMV_DEVICE or SPMV_TARGET say, else c" },
    { .name = "device", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(device),
      .help = "part of the name, letter by letter with its case, of the device that\n"
              "--backend cuda or opencl runs on; without --backend cpu, cuda, opencl, or\n"
              "opencl:TEXT, likewise of cuda;\n"
              "where several fit, the first GPU, else the first of them" },
    { .name = "target", .value = "NAME", .kind = SG_OPTION_TEXT, .offset = FIELD(target),
      .listing = &listed_targets,
      .help = "only kernels that were emitted for this target, or one of NAME,NAME. With\n"
              "--set, what spmvgen emits kernels for, without it this CPU. A page of your\n"
              "own, FILE.lua, is emitted without --set too; --method then says what" },
    { .name = "set", .value = "KEY=VALUE", NAMES, .offset = FIELD(sets),
      .help = "race kernels with this value in place of the page's, or with each of\n"
              "KEY=VALUE,VALUE; may repeat: all combinations race. Keys are those of\n"
              "spmvgen --set; without --method their methods race, and csr_scalar" },
    { .name = "all", .kind = SG_OPTION_FLAG, .offset = FIELD(all),
      .help = "every usable kernel, not just the best target's of each method; what\n"
              "--modules brings is always shown" },
    { .name = "setting", .value = "NAME=VALUE", NAMES, .offset = FIELD(settings),
      .help = "of the methods that have it (--details shows them); may repeat. With\n"
              "NAME=VALUE,VALUE all combinations race" },
    { .name = "modules", .value = "FILE.so", NAMES, .offset = FIELD(modules),
      .help = "the kernels of this shared object, all of them, instead of those that are\n"
              "linked in; may repeat" },
    { .name = "peers", .kind = SG_OPTION_FLAG, .offset = FIELD(all_peers),
      .help = "race other implementations too: loops over CSR, SELL-C-sigma, merge-based\n"
              "SpMV, and Eigen, GraphBLAS, librsb, PETSc and MKL where they were found; a\n"
              "wrong one is told, not timed" },
    { .name = "peer", .value = "FILE.so", NAMES, .offset = FIELD(peers),
      .help = "race the peers of this shared object, as bench/peers/spmv_peer.h has them;\n"
              "may repeat" },
    { .section = "How it is timed",
      .name = "threads", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = 4096,
      .offset = FIELD(threads),
      .help = "without it as many as libspmv takes" },
    { .name = "seconds", .value = "S", .kind = SG_OPTION_REAL, .offset = FIELD(seconds),
      .help = "time for each method; without it 1" },
    { .name = "budget", .value = "TIME", .kind = SG_OPTION_TEXT, .offset = FIELD(budget_text),
      .help = "time for all races together, as 90s, 10m or 1h30m, instead of --seconds:\n"
              "methods whose speed over plain CSR is known to 2 % stop, noisy ones go on" },
    { .name = "repeat", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = 1000000,
      .offset = FIELD(rounds),
      .help = "exactly N rounds, instead of what --seconds allows" },
    { .name = "dram", .value = "MB", .kind = SG_OPTION_INTEGER, .max = 1 << 20,
      .offset = FIELD(dram),
      .help = "size of the array that shows how fast memory itself is read;\n"
              "without it what no cache holds, 0 for none" },
    { .section = "What is shown",
      .name = "details", .kind = SG_OPTION_FLAG, .offset = FIELD(details),
      .help = "below the table, of each method: what its layout is made of, its\n"
              "settings, how long it takes to give A back as CSR, and how long each step\n"
              "of a multiplication takes; above it, also STREAM's loops" },
    { .section = "Instead of a race",
      .name = "explain", .kind = SG_OPTION_FLAG, .offset = FIELD(explain),
      .help = "show which method a plan takes that names none, and what speaks for and\n"
              "against each, and stop" },
    { .name = "runs", .value = "N", .kind = SG_OPTION_INTEGER, .min = 1, .max = INT32_MAX,
      .offset = FIELD(runs),
      .help = "multiplications that --explain chooses for; without it 1000" },
    { .name = "measure", .kind = SG_OPTION_FLAG, .offset = FIELD(measure),
      .help = "--explain with the clock: the cheapest methods are built and run a few times" },
    { .name = "statistics", .kind = SG_OPTION_FLAG, .offset = FIELD(statistics),
      .help = "show row lengths and locality of the matrix, and stop; with\n"
              "FILE --lookalike CLASS of both, side by side" },
    { .section = "Files",
      .name = "save", .value = "FILE", NAMES, .offset = FIELD(saves),
      .help = "also write the results here, each matrix as soon as it is raced: a new\n"
              "FILE.jsonl, records that compare, report and --resume read, or FILE.csv;\n"
              "may repeat" },
    { .name = "resume", .value = "FILE", .kind = SG_OPTION_TEXT, .offset = FIELD(resume),
      .help = "continue the interrupted run whose --save wrote FILE.jsonl, with its command\n"
              "line; what FILE has is shown and not raced again" },
    { .name = "report", .value = "FILE.html", .kind = SG_OPTION_TEXT, .offset = FIELD(report),
      .help = "also show the results here, as a page of HTML, at the end of the run;\n"
              "replaces nothing but an older report; spmvbench report makes the same of\n"
              "FILE.jsonl" },
    { .name = "json", .value = "FILE", .kind = SG_OPTION_TEXT, .offset = FIELD(json),
      .help = "also write the figures here; replaces nothing but an older such file" },
    { .section = "About spmvbench",
      .name = "list", .kind = SG_OPTION_FLAG, .offset = FIELD(list),
      .help = "list usable kernels and shapes, and stop" },
    BENCH_ABOUT_OPTIONS(bench_options, about),
    BENCH_COMPLETION_OPTION(bench_options, about),
};

bool bench_options_take_operand(void *options, const char *word, bool ended, spmv_error *error)
{
    bench_options *o = options;

    (void)error;
    o->operand[o->operand_count++] = (bench_operand){ word, ended };
    return true;
}

static const sg_option_table option_table = {
    .options = table, .count = sizeof table / sizeof table[0], .help_column = 24,
    .last_wins = true, .operand = bench_options_take_operand,
};

size_t bench_options_types(const bench_options *options, const char *type[BENCH_MAX_TYPES])
{
    static const char *const single[] = { "f32", "f64" };
    const bool f32_first = strncmp(options->type, single[0], strlen(single[0])) == 0;

    type[0] = single[f32_first ? 0 : 1];
    type[1] = single[f32_first ? 1 : 0];
    return strchr(options->type, ',') ? 2 : 1;
}

bool bench_options_sweep(const bench_options *options)
{
    return options->sets.count > 0 || (options->target && bench_has_page_file(options->target));
}

/* ---- checks -------------------------------------------------------------------------------- */

/* libspmv rounds alpha and beta to the value type. A number that is rounded to 0 or Inf would
 * change the problem into one that every method solves. */
static const double f32_to_inf = 0x1.ffffffp127, f32_to_zero = 0x1p-150;

static bool check_scalar(const bench_options *o, const char *name, double number, spmv_error *error)
{
    const double size = fabs(number);

    if (!strstr(o->type, "f32") || number == 0 ||
        (size < f32_to_inf && size > f32_to_zero))
        return true;
    return sg_fail(error, "--%s with --type f32 takes 0 or a number of %.1e to %.1e in size, not "
                   "'%g'", name, FLT_TRUE_MIN, FLT_MAX, number);
}

double bench_options_duration(const char *text)
{
    static const struct {
        char letter;
        double seconds;
    } units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 } };
    double sum = 0;

    while (*text) {
        char *end = NULL;
        const double number = *text >= '0' && *text <= '9' ? strtod(text, &end) : -1;
        double unit = 0;
        if (!(number >= 0))
            return 0;
        if (!*end && sum == 0)
            unit = 1;
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
            if (*end == units[i].letter)
                unit = units[i].seconds;
        if (unit == 0)
            return 0;
        sum += number * unit;
        text = end + (*end != '\0');
    }
    return isfinite(sum) ? sum : 0;
}

/* Reads the texts of values that are no numbers or names. */
static bool read_texts(bench_options *o, spmv_error *error)
{
    o->budget = o->budget_text ? bench_options_duration(o->budget_text) : 0;
    if (o->budget_text && o->budget <= 0)
        return sg_fail(error, "--budget takes a time as 90s, 10m or 1h30m, not '%s'",
                       o->budget_text);
    return true;
}

static bool check_together(const bench_options *o, spmv_error *error)
{
    if (o->explain && (o->methods.count || o->settings.count || o->all_peers || o->peers.count ||
                       o->json || o->details || o->all || o->sets.count ||
                       (o->target && strchr(o->target, ','))))
        return sg_fail(error, "--explain shows how a plan chooses; it takes a matrix, one "
                       "--target, --modules, --backend, --device, --threads, --transposed, "
                       "--values, --runs and --measure");
    if (o->sets.count && (o->list || o->statistics))
        return sg_fail(error, "--set races kernels, and --%s does not",
                       o->list ? "list" : "statistics");
    if (o->transposed && o->statistics)
        return sg_fail(error, "--transposed belongs to a race or to --explain, and --statistics "
                       "shows A");
    if (o->columns && (o->explain || o->statistics))
        return sg_fail(error, "--columns belongs to a race, and --%s runs none",
                       o->explain ? "explain" : "statistics");
    if (o->order && !o->columns)
        return sg_fail(error, "--order belongs to --columns K");
    if (o->values && strcmp(o->values, "f32") == 0 && strstr(o->type, "f32"))
        return sg_fail(error, "--values f32 belongs to --type f64: it takes a type narrower than x "
                       "and y");
    if (o->values && o->statistics)
        return sg_fail(error, "--values belongs to a race or to --explain, and --statistics runs "
                       "none");
    if (o->ones && (o->explain || o->statistics || o->list))
        return sg_fail(error, "--ones belongs to a race, and --%s runs none",
                       o->explain ? "explain" : o->statistics ? "statistics" : "list");
    if (!o->explain && (o->runs || o->measure))
        return sg_fail(error, "--%s belongs to --explain", o->runs ? "runs" : "measure");
    if (o->size >= 0 && !o->shape)
        return sg_fail(error, "--size belongs to --shape NAME");
    for (size_t i = 0; i < o->backends.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(o->backends.name[i], o->backends.name[k]) == 0)
                return sg_fail(error, "--backend %s is given twice", o->backends.name[i]);
    if (o->device && o->backends.count == 1 && strcmp(o->backends.name[0], "c") == 0)
        return sg_fail(error, "--device belongs to --backend cuda or opencl, and --backend c runs "
                       "on the CPU");
    if ((o->explain || o->statistics || o->list) && (o->saves.count || o->resume || o->budget > 0))
        return sg_fail(error, "--%s belongs to a race, and --%s runs none",
                       o->saves.count ? "save" : o->resume ? "resume" : "budget",
                       o->explain ? "explain" : o->statistics ? "statistics" : "list");
    if (o->explain && strchr(o->type, ','))
        return sg_fail(error, "--explain takes one --type, not '%s'", o->type);
    if (o->json && o->resume)
        return sg_fail(error, "--json takes what this run measures, and --resume shows what "
                       "another did: give one");
    if (o->budget > 0 && o->rounds > 0)
        return sg_fail(error, "--budget decides how many rounds there are, and --repeat does: give "
                       "one");
    if (o->seconds <= 0)
        return sg_fail(error, "--seconds takes a number above 0, not '%g'", o->seconds);
    return check_scalar(o, "alpha", o->alpha, error) &&
           check_scalar(o, "beta", o->beta, error);
}

bool bench_options_begin(bench_options *options, int argc)
{
    *options = (bench_options){ .size = -1, .dram = -1, .seed = 1, .type = "f64", .alpha = 1,
                                .seconds = 1 };
    options->operand = calloc((size_t)argc + 1, sizeof *options->operand);
    return options->operand != NULL;
}

void bench_options_destroy(bench_options *options)
{
    free(options->operand);
    options->operand = NULL;
    options->operand_count = 0;
}

bool bench_options_parse(int argc, char *const *argv, bench_options *out, spmv_error *error)
{
    if (!bench_options_begin(out, argc))
        return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    if (sg_option_table_parse(&option_table, argc, argv, out, NULL, error) &&
        read_texts(out, error) && check_together(out, error))
        return true;
    bench_options_destroy(out);
    return false;
}

/* ---- help ---------------------------------------------------------------------------------- */

/* Notes that all readers need, those of --details and --explain, and those of several races. */
#define COLUMNS \
    "Columns, with t the median time of one y = alpha*A*x + beta*y; the fastest is first:\n" \
    "  parameters  values of --set, and settings; shown if a row has any\n" \
    "  time       t\n" \
    "  +-         half the width of its 95 % confidence interval, over t; -: fewer than six\n" \
    "             samples\n" \
    "  over CSR   the median of the ratios, in each round, of the time of a plain CSR loop to\n" \
    "             the method's. The loop is spmvbench's own, adds a row in order, and gives\n" \
    "             each thread equally many nonzeros\n" \
    "  over peer  time of the fastest peer over t\n" \
    "  of A x     with --transposed: t over the time of A*x by the same method, the median of\n" \
    "             the ratios in each round; \"prepare\" (--details) is shown beside it\n" \
    "  of one     with --columns: t over the time of one vector by the same method, likewise\n" \
    "  bound      beside it: that ratio if time were bytes, (matrix + K*(x + y)) / (matrix +\n" \
    "             x + y), with the matrix as the method stores it\n" \
    "  of type    with --values: t over the time with the values as they are, likewise\n" \
    "  bytes      beside it: that ratio if time were bytes of the matrix, x and y\n" \
    "  GFlop/s    2*nnz / t, for each vector\n" \
    "  target     what the kernel was emitted for; beside the method if several race\n" \
    "  correct    NO: wrong, so never timed; declines: the method does not support the matrix\n"
#define MORE_COLUMNS \
    "Columns with --details:\n" \
    "  GB/s       CSR bytes / t, whatever the method moves: nnz*(value + 4) +\n" \
    "             (rows + 1)*offset + rows*value (twice where beta is not 0) + cols*value\n" \
    "  of read    GB/s over the rate of reading (below): above 100 % where a method moves\n" \
    "             less than the CSR bytes, or calls are most of the time\n" \
    "  prepare    time to make a plan from CSR, over t\n" \
    "  update     time to take new values into the plan, over t\n" \
    "  kernels    milliseconds of t in kernels, by the device's clock; shown with the next\n" \
    "             two where a kernel runs on another device than the CPU\n" \
    "  host       in steps of the CPU, such as a repair\n" \
    "  copies     to and from the device\n" \
    "  layout     what the plan allocates, over the bytes of A in CSR\n" \
    "  error      the largest error of a row over its bound, 2*n*eps*(|alpha|*sum |a||x| +\n" \
    "             |beta*y|) for a row of n entries; above 1 is wrong\n" \
    "Methods marked * gave up some property for speed and serve comparison only.\n" \
    "Above the table with --details:\n" \
    "  reading    the rate at which the same threads (or one, if that is quicker) read an\n" \
    "             array as large as the CSR bytes, measured in the same rounds\n" \
    "  collect    2*nnz over the time of a loop that only reads all columns and adds up x\n" \
    "             there, in the fastest of two or three variants, measured in the same\n" \
    "             rounds. A method that reads x separately for each nonzero cannot be much\n" \
    "             faster, but for a few thousand nonzeros, where waking threads takes most\n" \
    "             of the time. Windows and diagonals of strips can.\n" \
    "  lines      bytes of x that come into a thread's second cache, in lines of 64 bytes,\n" \
    "             by a model, in the order of CSR. The percentage is what \"of read\" would\n" \
    "             be if these and the rest of CSR came at the rate of reading. An x that\n" \
    "             stays in a larger cache may come faster. At the end the same of a core's\n" \
    "             first cache\n" \
    "  stream     the loops of STREAM, on arrays that are together as large as that of --dram:\n" \
    "             10^9 bytes that they name, over the time; a store may read its line, too\n" \
    "With --explain, in MB of reading and writing, 5 bytes for each cycle of computing:\n" \
    "  cost       estimate for a multiplication; of CSR: that over the CSR bytes\n" \
    "  prepare    estimate for making the plan\n" \
    "  total      prepare, and cost for all expected multiplications: the least is chosen\n" \
    "  pays from  the number of multiplications from which on no method that prepares less\n" \
    "             has a smaller total; -: never\n" \
    "  measured   microseconds of a multiplication, and build: of making the plan. Both\n" \
    "             need --measure, which runs three methods at most; they then replace the\n" \
    "             estimates in the choice and in \"pays from\"\n" \
    "  layout     what the plan allocates\n" \
    "  borrows    the arrays of the caller that it goes on reading; CSR: all\n"
#define SUMMARIES \
    "After a sweep of several races: for each combination the geometric mean and the least of\n" \
    "its speeds over the plain CSR loop, and on how many of its races it was the fastest.\n" \
    "After several races: our fastest method and the fastest peer for each matrix; and for\n" \
    "each peer harmonic means, over the matrices that it supports, of the ratio of our speed\n" \
    "to its, of our speed, and of its.\n"

static const char notes[] = COLUMNS MORE_COLUMNS SUMMARIES;
static const char short_notes[] =
    COLUMNS SUMMARIES
    "Columns with --details, and with --explain: spmvbench --details --help\n";

static const sg_program_entry exit_codes[] = {
    { "0", "all methods that support the matrix are correct, whatever peers are" },
    { "1", "a wrong result or a failure, or a budget that ends before the last race" },
    { "2", "bad command line, such as an unknown name" },
    { "130", "Ctrl-C, after what was measured is shown and saved; 128 + N: signal N, likewise" },
    { NULL, NULL },
};

static const sg_program_entry environment[] = {
    { "SPMV_TARGET", "what --target says" },
    { "SPMV_DEVICE", "what --device says" },
    { "SPMV_CACHE", "the folder of compiled kernels and programs; empty: none" },
    { "XDG_CACHE_HOME", "where spmv/ is that folder without SPMV_CACHE; else .cache/ in HOME" },
    { "SPMVGEN", "the program spmvgen for --set; else the one beside spmvbench or in PATH" },
    { "CC, CFLAGS", "the C compiler of --set, and its options" },
    { "TMPDIR", "the folder of temporary files; else /tmp" },
    { "SPMV_MKL_LIBRARY", "the file of oneMKL for --peers" },
    { "COLUMNS, TERM", "the width of plots; dumb: no line of progress" },
    { NULL, NULL },
};

static const sg_program program = {
    .name = "spmvbench", .version = SPMV_VERSION, .table = &option_table,
    .exit_codes = exit_codes, .notes = notes,
    .purpose = "race sparse matrix-vector multiplications",
    .usage = "[INPUT]... [OPTION]...", .operand = "FILE.mtx[.gz]",
    .description =
        "Multiply matrices with every method, check each result, then time them side by side.\n"
        "An INPUT is a Matrix Market file (.mtx or .mtx.gz, or a pipe), - for standard input, a\n"
        "folder (all such files below it), a pattern ('web*.mtx'), lookalike:NAME,\n"
        "shape:NAME:SIZE, or model:NAME:... (--list); values:VALUES:INPUT has other values: f32,\n"
        "random, or how many differ. What follows -- is a file or a folder.\n"
        "Without any, the matrix is model:poisson7:100, with a million unknowns.",
    .examples =
        "  $ spmvbench FILE.mtx --peers\n"
        "  $ spmvbench --lookalike all --peers --type f64\n"
        "  $ spmvbench FILE.mtx --set csr5.sigma=8,16 --set csr5.omega=4,8 --save run.jsonl\n",
    .environment = environment,
};

sg_program bench_options_program(bool details)
{
    sg_program made = program;

    if (!details)
        made.notes = short_notes;
    return made;
}
