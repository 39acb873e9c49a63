/* smallbench.c: spmv_execute beside a loop over CSR that a program would write itself, on small
 * matrices, where fixed costs decide. `smallbench --help` explains the columns.
 *
 * One sample is many multiplications in a row, so vectors and matrix stay in the caches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/race/input.h"
#include "bench/race/options.h"
#include "bench/race/problem.h"
#include "bench/race/timing.h"
#include "bench/yardsticks/user_loop.h"
#include "runtime/spmv.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* ---- matrices ------------------------------------------------------------------------------ */

/* The smallest whole number whose square is at least `square`. */
static int64_t root(int64_t square)
{
    int64_t side = 1;

    while (side * side < square)
        side++;
    return side;
}

/* A structure, and how its size follows from nonzeros: nnz / divisor, or the root of that. */
static const struct {
    const char *before, *after;          /* the input is before, size, after */
    int divisor;
    bool square;
} structures[] = {
    { "model:poisson5:", "", 5, true },
    { "model:tridiagonal:", "", 3, false },
    { "model:diagonal:", "", 1, false },
    { "model:random:", ":3:uniform:500", 3, false },
    { "model:random:", ":10:uniform:500", 10, false },
    { "model:random:", ":50:uniform:500", 50, false },
    { "model:random:", ":8:power-law:500", 8, false },
    { "model:dense:", "", 1, true },
    { "model:arrow:", "", 3, false },
};
enum { STRUCTURES = sizeof structures / sizeof structures[0] };

static const int64_t default_sizes[] = { 100, 200, 500, 1000, 2000, 5000, 10000, 20000 };

static void write_input(int structure, int64_t nnz, char text[BENCH_INPUT_BYTES])
{
    const int64_t divisor = structures[structure].divisor;
    const int64_t share = (nnz + divisor - 1) / divisor;
    const int64_t size = structures[structure].square ? root(share) : share;

    snprintf(text, BENCH_INPUT_BYTES, "%s%lld%s", structures[structure].before,
             (long long)size, structures[structure].after);
}

/* ---- contenders ---------------------------------------------------------------------------- */

enum { AT_ONCE = 64 };           /* multiplications of one call of a runner */

/* What one contender multiplies. */
typedef struct contender {
    const spmv_csr *csr;
    bench_user_loop *loop;       /* NULL: the plan */
    spmv_plan *plan;
    const void *x;
    void *y;
} contender;

static int run_loop(void *context)
{
    const contender *c = context;

    for (int i = 0; i < AT_ONCE; i++)
        c->loop(c->csr->rows, c->csr->row_ptr, c->csr->col_idx, c->csr->val, c->x, c->y);
    return 0;
}

static int run_plan(void *context)
{
    const contender *c = context;
    int failed = 0;

    for (int i = 0; i < AT_ONCE; i++)
        failed |= spmv_execute(c->plan, 1, c->x, 0, c->y, NULL) != SPMV_OK;
    return failed;
}

enum { LOOP, LOOP_NATIVE, ONE_THREAD, TWO_THREADS, ALL_THREADS, CONTENDERS };

typedef struct request {
    spmv_device *device;
    const char *method;          /* NULL: automatic */
    const char *type;
    double seconds;
    int32_t runs;
} request;

typedef struct row {
    double time[CONTENDERS];     /* seconds of the fastest sample */
    const char *method;
    int32_t threads;             /* that the plan of TWO_THREADS uses */
} row;

static bool create_plan(const request *r, const spmv_csr *csr, int32_t threads, spmv_plan **plan)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = r->method, .threads = threads,
        .expected_runs = r->runs,
    };
    spmv_error err;

    if (spmv_plan_create(r->device, csr, &options, plan, &err)) {
        fprintf(stderr, "smallbench: %s\n", err.text);
        return false;
    }
    return true;
}

/* Runs the race. False: a plan could not be made, or a multiplication failed. */
static bool race(const request *r, const bench_problem *problem, void *y, row *out)
{
    static const int32_t threads[CONTENDERS] = { [ONE_THREAD] = 1, [TWO_THREADS] = 2 };
    const spmv_csr *csr = &problem->source.matrix->csr;
    const bool wide = csr->offset_type == SPMV_I64, f64 = csr->value_type == SPMV_F64;
    const bench_race rules = { .seconds = r->seconds };
    bench_runner runner[CONTENDERS];
    contender c[CONTENDERS];
    bool good = true;

    for (int i = 0; i < CONTENDERS; i++) {
        c[i] = (contender){ .csr = csr, .x = problem->x, .y = y };
        if (i >= ONE_THREAD && good)
            good = create_plan(r, csr, threads[i], &c[i].plan);
        runner[i] = (bench_runner){ .run = i < ONE_THREAD ? run_loop : run_plan,
                                    .context = &c[i] };
    }
    c[LOOP].loop = bench_user_loops[wide][f64];
    c[LOOP_NATIVE].loop = bench_user_loops_native[wide][f64];
    if (good) {
        spmv_plan_info info = { .struct_size = sizeof info };
        good = bench_race_run(&rules, runner, CONTENDERS) == 0 && run_plan(&c[ALL_THREADS]) == 0 &&
               bench_reference_check(problem->reference[0], 1, 0, NULL, y, false).wrong == 0 &&
               spmv_plan_query(c[TWO_THREADS].plan, &info) == SPMV_OK;
        if (good) {
            out->threads = info.threads;
            out->method = info.module->method;
        }
    }
    for (int i = 0; i < CONTENDERS; i++) {
        out->time[i] = good ? runner[i].fastest / (double)AT_ONCE : 0;
        spmv_plan_destroy(c[i].plan);
    }
    return good;
}

/* ---- the table ----------------------------------------------------------------------------- */

/* Ratios to the faster of the two loops. */
typedef struct summary {
    int rows, above[CONTENDERS];
    double worst[CONTENDERS];
    char name[CONTENDERS][BENCH_INPUT_BYTES + 8];
} summary;

static const double limit = 1.05;        /* of the loop's time: the goal */

static void print_head(void)
{
    printf("%-30s %8s %4s %-12s %7s %8s %8s %8s %8s %8s %6s %6s %6s\n", "matrix", "nonzeros",
           "type", "method", "threads", "loop", "native", "1", "2", "all", "1/loop", "2/loop",
           "all");
}

static void print_row(const char *name, const char *type, int64_t nnz, const row *out, summary *all)
{
    const double loop = out->time[LOOP] < out->time[LOOP_NATIVE] ? out->time[LOOP]
                                                                 : out->time[LOOP_NATIVE];

    printf("%-30.30s %8lld %4s %-12s %7d", name, (long long)nnz, type, out->method,
           (int)out->threads);
    for (int i = 0; i < CONTENDERS; i++)
        printf(" %8.0f", out->time[i] * 1e9);
    for (int i = ONE_THREAD; i < CONTENDERS; i++) {
        const double ratio = out->time[i] / loop;

        printf(" %6.2f", ratio);
        all->above[i] += ratio > limit;
        if (ratio > all->worst[i]) {
            all->worst[i] = ratio;
            snprintf(all->name[i], sizeof all->name[i], "%s, %s", name, type);
        }
    }
    all->rows++;
    putchar('\n');
    fflush(stdout);
}

static void print_summary(const summary *all)
{
    static const char *const words[CONTENDERS] = {
        [ONE_THREAD] = "one thread", [TWO_THREADS] = "two threads", [ALL_THREADS] = "all threads",
    };

    for (int i = ONE_THREAD; i < CONTENDERS && all->rows > 0; i++)
        printf("%s: %d of %d above %.2f of the loop's time, at most %.2f (%s)\n", words[i],
               all->above[i], all->rows, limit, all->worst[i], all->name[i]);
}

static bool measure(const request *r, const char *input, summary *all)
{
    const bench_options options = { .input = input, .type = r->type, .size = -1, .seed = 1,
                                    .alpha = 1 };
    bench_problem problem;
    char message[1024];
    row out = { .method = "" };

    if (!bench_problem_create(&options, &problem, message, sizeof message)) {
        fprintf(stderr, "smallbench: %s\n", message);
        return false;
    }
    const spmv_csr *csr = &problem.source.matrix->csr;
    void *y = aligned_alloc(64, ((size_t)csr->rows * 8 + 64) / 64 * 64);
    const bool good = y && race(r, &problem, y, &out);
    const char *slash = strrchr(input, '/');
    if (good)
        print_row(slash ? slash + 1 : input, r->type, csr->nnz, &out, all);
    else
        fprintf(stderr, "smallbench: %s: no memory, no plan, or a wrong product\n", input);
    free(y);
    bench_problem_destroy(&problem);
    return good;
}

/* ---- the program --------------------------------------------------------------------------- */

static void print_help(void)
{
    puts("usage: smallbench [--method NAME] [--runs N] [--seconds S] [NNZ|FILE]...\n"
         "\n"
         "Times spmv_execute beside a loop over CSR that a program would write itself, on\n"
         "matrices of about NNZ nonzeros with nine structures (100 to 20000), and on Matrix\n"
         "Market files, in f64 and f32. --runs is options.expected_runs (1000), --seconds the\n"
         "time of each contender of a race (0.03). Prints nanoseconds of the fastest sample:\n"
         "\n"
         "  loop, native    the loop, compiled with -O3, and with -O3 -march=native\n"
         "  1, 2, all       spmv_execute of a plan with options.threads = 1, 2 and 0\n"
         "  1/loop ...      its time over that of the faster loop\n"
         "\n"
         "threads are those of the plan with two. The last lines count ratios above 1.05.");
}

static bool is_number(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0' && text[0] != '\0';
}

/* All structures with about nnz nonzeros. */
static bool measure_size(const request *r, int64_t nnz, summary *all)
{
    char input[BENCH_INPUT_BYTES];
    bool good = true;

    for (int i = 0; i < STRUCTURES; i++) {
        write_input(i, nnz, input);
        good = measure(r, input, all) && good;
    }
    return good;
}

static bool measure_all(request *r, char **operand, int operands)
{
    static const char *const types[] = { "f64", "f32" };
    const int sizes = (int)(sizeof default_sizes / sizeof default_sizes[0]);
    summary all = { 0 };
    bool good = true;

    print_head();
    for (int t = 0; t < 2; t++) {
        r->type = types[t];
        for (int i = 0; i < sizes && operands == 0; i++)
            good = measure_size(r, default_sizes[i], &all) && good;
        for (int i = 0; i < operands; i++)
            good = (is_number(operand[i]) ? measure_size(r, atoll(operand[i]), &all)
                                          : measure(r, operand[i], &all)) && good;
    }
    print_summary(&all);
    return good;
}

int main(int argc, char **argv)
{
    request r = { .seconds = 0.03 };
    spmv_error err;
    int i = 1;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_help();
        return EXIT_DONE;
    }
    for (; i < argc && argv[i][0] == '-'; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--method") == 0)
            r.method = argv[i + 1];
        else if (i + 1 < argc && strcmp(argv[i], "--runs") == 0 && is_number(argv[i + 1]))
            r.runs = (int32_t)atol(argv[i + 1]);
        else if (i + 1 < argc && strcmp(argv[i], "--seconds") == 0 && atof(argv[i + 1]) > 0)
            r.seconds = atof(argv[i + 1]);
        else {
            fprintf(stderr, "smallbench: wrong arguments; --help explains them\n");
            return EXIT_USAGE;
        }
    }
    if (spmv_device_open(NULL, &r.device, &err)) {
        fprintf(stderr, "smallbench: %s\n", err.text);
        return EXIT_FAILED;
    }
    const bool good = measure_all(&r, argv + i, argc - i);
    spmv_device_close(r.device);
    return good ? EXIT_DONE : EXIT_FAILED;
}
