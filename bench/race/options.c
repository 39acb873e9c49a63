/* options.c: see options.h. Pure functions over a constant table. */
#include "bench/race/options.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/near.h"

#define FIELD(name) offsetof(bench_options, name)

typedef enum option_kind {
    OPTION_FLAG,                 /* bool */
    OPTION_TEXT,                 /* const char * */
    OPTION_INTEGER,              /* int64_t from `min` to `max` */
    OPTION_REAL,                 /* double, finite */
    OPTION_NAMES                 /* bench_names, may repeat */
} option_kind;

typedef struct option {
    const char *name;            /* without the dashes */
    const char *value;           /* what --help calls its value; NULL: takes none */
    option_kind kind;
    int64_t min, max;
    const char *const *choices;  /* NULL-terminated, or NULL */
    size_t offset;               /* into bench_options */
    const char *help;
} option;

static const char *const types[] = { "f32", "f64", NULL };
static const char *const backends[] = { "c", "cuda", "opencl", NULL };
static const char *const offsets[] = { "i32", "i64", NULL };

static const option table[] = {
    { "poisson", "N", OPTION_INTEGER, 1, 1290, NULL, FIELD(poisson),
      "the 7-point Poisson problem on N x N x N points; without any\n"
      "matrix, N is 100: a million unknowns" },
    { "shape", "NAME", OPTION_TEXT, 0, 0, NULL, FIELD(shape),
      "a matrix made on the spot; --list shows the names" },
    { "lookalike", "NAME", OPTION_TEXT, 0, 0, NULL, FIELD(lookalike),
      "a matrix with the sizes, the row lengths and the locality of one that\n"
      "papers measure; list shows them; all: 18 matrices of all kinds, and what\n"
      "they come to together. Beside FILE, a class: FILE's look-alike" },
    { "size", "N", OPTION_INTEGER, 0, INT32_MAX, NULL, FIELD(size),
      "size of --shape; what it counts is shown by --list" },
    { "seed", "N", OPTION_INTEGER, 0, INT64_MAX, NULL, FIELD(seed),
      "seed of --shape, --lookalike, x and y; without it 1" },
    { "type", "f32|f64", OPTION_TEXT, 0, 0, types, FIELD(type), "value type; without it f64" },
    { "offset", "i32|i64", OPTION_TEXT, 0, 0, offsets, FIELD(offset),
      "type of row pointers; without it i32 where that is enough" },
    { "method", "NAME", OPTION_NAMES, 0, 0, NULL, FIELD(methods), "only this method; may repeat" },
    { "backend", "NAME", OPTION_NAMES, 0, 0, backends, FIELD(backends),
      "kernels in this language, c, cuda or opencl; repeat it to compare several in\n"
      "one run; without it what --device, SPMV_DEVICE or SPMV_TARGET say, else c" },
    { "device", "NAME", OPTION_TEXT, 0, 0, NULL, FIELD(device),
      "part of the name, letter by letter with its case, of the device that\n"
      "--backend cuda or opencl runs on; without --backend cpu, cuda, opencl, or\n"
      "opencl:TEXT, likewise of cuda;\n"
      "where several fit, the first GPU, else the first of them" },
    { "target", "NAME", OPTION_TEXT, 0, 0, NULL, FIELD(target),
      "only kernels that were emitted for this target" },
    { "all", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(all),
      "every usable kernel, not just the best target's of each method; what\n"
      "--modules brings is always shown" },
    { "setting", "NAME=VALUE", OPTION_NAMES, 0, 0, NULL, FIELD(settings),
      "of the methods that have it (--details shows them); may repeat" },
    { "modules", "FILE.so", OPTION_NAMES, 0, 0, NULL, FIELD(modules),
      "the kernels of this shared object, all of them, instead of those that are\n"
      "linked in; may repeat" },
    { "peers", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(all_peers),
      "race other implementations too: loops over CSR, and Eigen, GraphBLAS,\n"
      "librsb, PETSc and MKL where they were found; a wrong one is told, not timed" },
    { "peer", "FILE.so", OPTION_NAMES, 0, 0, NULL, FIELD(peers),
      "race the peers of this shared object, as bench/peers/spmv_peer.h has them;\n"
      "may repeat" },
    { "threads", "N", OPTION_INTEGER, 1, 4096, NULL, FIELD(threads),
      "without it as many as libspmv takes" },
    { "alpha", "A", OPTION_REAL, 0, 0, NULL, FIELD(alpha), "without it 1" },
    { "beta", "B", OPTION_REAL, 0, 0, NULL, FIELD(beta), "without it 0" },
    { "seconds", "S", OPTION_REAL, 0, 0, NULL, FIELD(seconds),
      "time for each method; without it 1" },
    { "repeat", "N", OPTION_INTEGER, 1, 1000000, NULL, FIELD(rounds),
      "exactly N rounds, instead of what --seconds allows" },
    { "dram", "MB", OPTION_INTEGER, 0, 1 << 20, NULL, FIELD(dram),
      "size of the array that shows how fast memory itself is read;\n"
      "without it what no cache holds, 0 for none" },
    { "details", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(details),
      "below the table, of each method: what its layout is made of, its\n"
      "settings, and how long each step of a multiplication takes" },
    { "explain", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(explain),
      "show which method a plan takes that names none, and what speaks for and\n"
      "against each, and stop" },
    { "runs", "N", OPTION_INTEGER, 1, INT32_MAX, NULL, FIELD(runs),
      "multiplications that --explain chooses for; without it 1000" },
    { "measure", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(measure),
      "--explain with the clock: the cheapest methods are built and run a few times" },
    { "statistics", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(statistics),
      "show row lengths and locality of the matrix, and stop; with\n"
      "FILE --lookalike CLASS of both, side by side" },
    { "force", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(force),
      "try what seems too large for the memory that is free" },
    { "json", "FILE", OPTION_TEXT, 0, 0, NULL, FIELD(json),
      "also write the figures here; replaces nothing but an older such file" },
    { "list", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(list),
      "list usable kernels and shapes, and stop" },
    { "help", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(help), "print this and stop" },
    { "version", NULL, OPTION_FLAG, 0, 0, NULL, FIELD(version), "print the version and stop" },
};

/* Two spaces stand before the column at least: the longest are --setting NAME=VALUE's. */
enum { TABLE_COUNT = sizeof table / sizeof table[0], HELP_COLUMN = 24 };

/* ---- parser -------------------------------------------------------------------------------- */

typedef struct parser {
    bench_options *out;
    char *message;
    size_t message_bytes;
} parser;

#define fail(p, ...) (snprintf((p)->message, (p)->message_bytes, __VA_ARGS__), false)

static const option *find(const char *name, size_t length)
{
    for (size_t i = 0; i < TABLE_COUNT; i++)
        if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
            return &table[i];
    return NULL;
}

/* "; did you mean '--NAME'?" or "". */
static const char *suggest(char *buffer, size_t size, const char *word)
{
    const char *names[TABLE_COUNT];

    for (size_t i = 0; i < TABLE_COUNT; i++)
        names[i] = table[i].name;
    return sg_did_you_mean_option(buffer, size, word, names, TABLE_COUNT);
}

static bool store_integer(parser *p, const option *o, const char *value, int64_t *field)
{
    char *end;

    errno = 0;
    const long long number = strtoll(value, &end, 10);
    if (*end || end == value || errno || number < o->min || number > o->max)
        return fail(p, "--%s takes a whole number from %lld to %lld, not '%s'", o->name,
                    (long long)o->min, (long long)o->max, value);
    *field = number;
    return true;
}

static bool store_real(parser *p, const option *o, const char *value, double *field)
{
    char *end;
    const double number = strtod(value, &end);

    if (*end || end == value || !isfinite(number))
        return fail(p, "--%s takes a finite number, not '%s'", o->name, value);
    *field = number;
    return true;
}

static bool store_choice(parser *p, const option *o, const char *value, const char **field)
{
    char all[64] = "", hint[64];
    size_t count = 0, used = 0;

    *field = value;
    if (!o->choices)
        return true;
    for (; o->choices[count]; count++) {
        if (strcmp(o->choices[count], value) == 0)
            return true;
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", count ? "|" : "",
                                 o->choices[count]);
    }
    return fail(p, "--%s takes %s, not '%s'%s", o->name, all, value,
                sg_did_you_mean(hint, sizeof hint, value, o->choices, count));
}

static bool store(parser *p, const option *o, const char *value)
{
    void *field = (char *)p->out + o->offset;
    bench_names *names = field;

    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_TEXT:
        return store_choice(p, o, value, field);
    case OPTION_INTEGER:
        return store_integer(p, o, value, field);
    case OPTION_REAL:
        return store_real(p, o, value, field);
    case OPTION_NAMES:
        if (!store_choice(p, o, value, &value))
            return false;
        if (names->count == BENCH_MAX_NAMES)
            return fail(p, "--%s is given more than %d times", o->name, BENCH_MAX_NAMES);
        names->name[names->count++] = value;
        return true;
    }
    return false;
}

/* libspmv rounds alpha and beta to the value type: a number that becomes 0 or Inf there is another
 * problem than the one that was asked for, and one that no method can get wrong. */
static const double f32_to_inf = 0x1.ffffffp127, f32_to_zero = 0x1p-150;

static bool check_scalar(parser *p, const char *name, double number)
{
    const double size = fabs(number);

    if (strcmp(p->out->type, "f32") != 0 || number == 0 ||
        (size < f32_to_inf && size > f32_to_zero))
        return true;
    return fail(p, "--%s with --type f32 takes 0 or a number of %.1e to %.1e in size, not '%g'",
                name, FLT_TRUE_MIN, FLT_MAX, number);
}

static bool check_together(parser *p)
{
    const bench_options *o = p->out;

    if ((o->file || o->lookalike) + (o->shape != NULL) + (o->poisson > 0) > 1)
        return fail(p, "one matrix at a time: give a file, --poisson, --shape or --lookalike");
    if (o->lookalike && !o->file && strcmp(o->lookalike, "all") == 0 && (o->json || o->statistics))
        return fail(p, "--%s takes one matrix at a time, not --lookalike all",
                    o->json ? "json" : "statistics");
    if (o->explain && (o->methods.count || o->settings.count || o->all_peers || o->peers.count || o->json || o->details ||
                       o->all))
        return fail(p, "--explain shows how a plan chooses; it takes a matrix, --target, --modules, "
                    "--backend, --device, --threads, --runs and --measure");
    if (!o->explain && (o->runs || o->measure))
        return fail(p, "--%s belongs to --explain", o->runs ? "runs" : "measure");
    if (o->size >= 0 && !o->shape)
        return fail(p, "--size belongs to --shape NAME");
    for (size_t i = 0; i < o->backends.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(o->backends.name[i], o->backends.name[k]) == 0)
                return fail(p, "--backend %s is given twice", o->backends.name[i]);
    if (o->device && o->backends.count == 1 && strcmp(o->backends.name[0], "c") == 0)
        return fail(p, "--device belongs to --backend cuda or opencl, and --backend c runs on the CPU");
    if (o->seconds <= 0)
        return fail(p, "--seconds takes a number above 0, not '%g'", o->seconds);
    return check_scalar(p, "alpha", o->alpha) && check_scalar(p, "beta", o->beta);
}

bool bench_options_parse(int argc, char *const *argv, bench_options *out, char *message,
                         size_t message_bytes)
{
    parser p = { out, message, message_bytes };
    char hint[64];
    bool ended = false;          /* behind "--" */

    *out = (bench_options){ .size = -1, .dram = -1, .seed = 1, .type = "f64", .alpha = 1,
                            .seconds = 1 };
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        if (ended || word[0] != '-' || !word[1]) {
            if (out->file)
                return fail(&p, "two files: '%s' and '%s'", out->file, word);
            out->file = word;
            continue;
        }
        const size_t length = word[1] == '-' ? strcspn(word + 2, "=") : 0;
        const option *o = word[1] == '-' ? find(word + 2, length) : NULL;
        if (!o)
            return fail(&p, "unknown option '%s'%s", word, suggest(hint, sizeof hint, word));
        const char *value = word[2 + length] ? word + 2 + length + 1 : NULL;
        if (value && !o->value)
            return fail(&p, "--%s takes no value, but '%s' was given", o->name, value);
        if (!value && o->value)
            value = i + 1 < argc ? argv[++i] : NULL;
        if (!value && o->value)
            return fail(&p, "--%s needs a value: --%s %s", o->name, o->name, o->value);
        if (!store(&p, o, value))
            return false;
    }
    return check_together(&p);
}

/* ---- help ---------------------------------------------------------------------------------- */

static void print_option(FILE *out, const option *o)
{
    char left[64];
    const char *line = o->help;

    snprintf(left, sizeof left, "  --%s%s%s", o->name, o->value ? " " : "",
             o->value ? o->value : "");
    for (bool first = true; *line; first = false) {
        const size_t length = strcspn(line, "\n");
        fprintf(out, "%-*s%.*s\n", HELP_COLUMN, first ? left : "", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void bench_options_help(FILE *out)
{
    fputs("Usage: spmvbench [FILE.mtx[.gz]] [OPTION]...\n"
          "Multiply a matrix with every method, check each result, then time them side by side.\n"
          "FILE may be a pipe, or - for standard input; what follows -- is no option.\n"
          "\n", out);
    for (size_t i = 0; i < TABLE_COUNT; i++)
        print_option(out, &table[i]);
    fputs("\n"
          "Columns, with t the median time of one y = alpha*A*x + beta*y:\n"
          "  GFlop/s    2*nnz / t\n"
          "  GB/s       CSR bytes / t, whatever the method really moves: nnz*(value + 4) +\n"
          "             (rows + 1)*offset + rows*value (twice where beta is not 0) + cols*value\n"
          "  of read    GB/s over the rate at which the same threads (or one, if that is quicker)\n"
          "             read an array as large as the CSR bytes, measured in the same rounds: more than\n"
          "             100 % where a method moves less than the CSR bytes, or calls are most of the time\n"
          "  prepare    time to make a plan from CSR, over t\n"
          "  update     time to take new values into the plan, over t\n"
          "  kernels    milliseconds of t in kernels, by the device's clock; shown with the next two\n"
          "             where a kernel runs on another device than the CPU\n"
          "  host       in steps of the CPU, such as a repair\n"
          "  copies     to and from the device\n"
          "  layout     what the plan allocates, over the bytes of A in CSR\n"
          "  error      the largest error of a row over its bound, 2*n*eps*(|alpha|*sum |a||x| +\n"
          "             |beta*y|) for a row of n entries; above 1 is wrong\n"
          "Above the table, reading: the rate that \"of read\" is a share of; collect: 2*nnz over the time of a\n"
          "loop that reads all columns and adds up x at them, and nothing else, in the fastest of two or three\n"
          "ways, measured in the same rounds. Methods that read x for each nonzero by itself cannot be much\n"
          "faster than that, but for a few thousand nonzeros, where waking threads is most of it; windows and\n"
          "diagonals of strips can. lines: what comes of x with its lines of 64 bytes to a thread's second\n"
          "cache, by a model, in the order of CSR; if all of CSR, and x so, came at the rate of reading, \"of\n"
          "read\" would be that much. An x that stays in a cache behind that one may come faster.\n"
          "Methods marked * gave up some property for speed and serve comparison only.\n"
          "With --explain: cost, of a multiplication, and prepare, of making the plan, are estimates: MB\n"
          "read and written, and 5 bytes for each cycle of computing; of CSR: cost over the CSR bytes;\n"
          "total: prepare, and the cost of all multiplications expected, the least of which is chosen;\n"
          "pays from: from how many multiplications on, preparing included, no method that prepares less\n"
          "is cheaper, -: never; layout: what the plan allocates; borrows: the arrays of the caller that\n"
          "it goes on reading, CSR: all. With --measure, of the methods that it runs, three at most: the\n"
          "microseconds of a multiplication and of building; the least of both together is chosen, and\n"
          "\"pays from\" is by them.\n"
          "With --lookalike all and peers, at the end: our fastest method and the fastest peer for each\n"
          "matrix; and over each peer the harmonic means, over the matrices that it does, of the ratio of\n"
          "our speed to its, of our speeds, and of its.\n"
          "\"declines\" stands for a method that does not take the matrix.\n"
          "Exit codes: 0 all methods that take the matrix are correct, whatever peers are,\n"
          "1 a wrong result or a failure, 2 bad command line, such as a name that there is not.\n", out);
}
