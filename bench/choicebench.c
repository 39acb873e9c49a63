/* choicebench.c: times a new plan and its first multiplications with each method, and reports which
 * method a plan would choose; for choice.py. `choicebench --help` explains the columns.
 *
 * A method is timed only if its result was correct.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/race/options.h"
#include "bench/race/problem.h"
#include "bench/race/timing.h"
#include "runtime/spmv.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* ---- the cells ----------------------------------------------------------------------------- */

enum { COUNTS = 3, MAX_METHODS = 16, MAX_ROUNDS = 101 };

static const int counts[COUNTS] = { 1, 10, 100 };        /* multiplications, ascending */

/* Limit in seconds: from the second count on, the time of further multiplications is
 * extrapolated. */
static const double long_enough = 0.05;

typedef struct method_times {
    const spmv_module *module;
    double cost, build_cost;             /* the module's estimates */
    double prepare[MAX_ROUNDS];          /* seconds to make the plan */
    double total[COUNTS][MAX_ROUNDS];    /* seconds with counts[i] multiplications */
} method_times;

typedef struct measurement {
    const bench_problem *problem;
    spmv_device *device;
    void *y;
    int threads;
    method_times *method;
    size_t methods;
    const spmv_module *chosen[COUNTS];
} measurement;

static spmv_plan *create_plan(const measurement *m, const char *method, int runs)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = method, .threads = m->threads,
        .expected_runs = runs,
    };
    spmv_plan *plan = NULL;
    spmv_error err;

    if (spmv_plan_create(m->device, &m->problem->source.matrix->csr, &options, &plan, &err))
        fprintf(stderr, "choicebench: %s\n", err.text);
    return plan;
}

static bool multiply(const measurement *m, const spmv_plan *plan)
{
    return !spmv_execute(plan, 1, m->problem->x, 0, m->y, NULL);
}

/* Finds the method that a plan chooses, and its candidates. */
static bool find_choices(measurement *m)
{
    for (int i = 0; i < COUNTS; i++) {
        spmv_plan_info info = { .struct_size = sizeof info };
        spmv_plan *plan = create_plan(m, NULL, counts[i]);
        const bool good = plan && !spmv_plan_query(plan, &info);

        m->chosen[i] = info.module;
        /* With the largest count every method is a candidate. */
        for (size_t k = 0; good && i == COUNTS - 1 && k < spmv_plan_candidate_count(plan); k++) {
            spmv_candidate candidate = { .struct_size = sizeof candidate };

            if (!spmv_plan_explain(plan, k, &candidate) && !candidate.why_not &&
                m->methods < MAX_METHODS)
                m->method[m->methods++] = (method_times){
                    .module = candidate.module, .cost = candidate.cost,
                    .build_cost = candidate.build_cost,
                };
        }
        spmv_plan_destroy(plan);
        if (!good)
            return false;
    }
    return true;
}

static bool check(const measurement *m, const method_times *method)
{
    spmv_plan *plan = create_plan(m, method->module->method, 0);
    bool good = plan && multiply(m, plan);

    if (good &&
        bench_reference_check(m->problem->reference[0], 1, 0, NULL, m->y, false).wrong > 0) {
        fprintf(stderr, "choicebench: %s: a wrong result\n", method->module->name);
        good = false;
    }
    spmv_plan_destroy(plan);
    return good;
}

/* Times one plan, from its creation to the last multiplication. */
static bool time_once(const measurement *m, method_times *method, int round)
{
    const double begin = bench_seconds();
    spmv_plan *plan = create_plan(m, method->module->method, 0);
    const double prepared = bench_seconds();
    bool good = plan != NULL;
    int done = 0;
    double until = prepared;

    method->prepare[round] = prepared - begin;
    for (int i = 0; i < COUNTS && good; i++) {
        const int before = done;
        const double start = until;

        for (; done < counts[i] && good && (i == 0 || until - start < long_enough); done++) {
            good = multiply(m, plan);
            if (i > 0)
                until = bench_seconds();
        }
        if (i == 0)
            until = bench_seconds();
        method->total[i][round] = until - begin;
        if (done < counts[i]) {
            method->total[i][round] += (until - start) / (done - before) * (counts[i] - done);
            done = counts[i];
        }
    }
    spmv_plan_destroy(plan);
    return good;
}

/* ---- the program --------------------------------------------------------------------------- */

static void print_help(void)
{
    puts("usage: choicebench FILE [TYPE [THREADS [ROUNDS]]]\n"
         "\n"
         "Times, for every method that a plan may choose for the matrix of a Matrix Market\n"
         "file, a new plan and its first 1, 10 and 100 multiplications, in interleaved rounds,\n"
         "after every result was found right. TYPE is f32 or f64 (f64), THREADS as\n"
         "spmv_plan_options has them (0: all), ROUNDS 1 to 101 (9). Prints a line for each\n"
         "method, fields separated by tabs:\n"
         "\n"
         "  1  method\n"
         "  2  seconds of the plan alone, the median over the rounds, as all that follow\n"
         "  3  seconds of the plan and 1 multiplication; 4: 10; 5: 100\n"
         "  6  for how many of these a plan would choose the method: 1,10,100, or -\n"
         "  7  what the module thinks that preparing costs, in bytes; 8: a multiplication");
}

static void print_table(measurement *m, size_t rounds)
{
    for (size_t k = 0; k < m->methods; k++) {
        method_times *t = &m->method[k];
        char wins[32] = "";

        printf("%s\t%.4g", t->module->method, bench_median(t->prepare, rounds));
        for (int i = 0; i < COUNTS; i++) {
            printf("\t%.4g", bench_median(t->total[i], rounds));
            if (m->chosen[i] == t->module)
                sprintf(wins + strlen(wins), "%s%d", wins[0] ? "," : "", counts[i]);
        }
        printf("\t%s\t%.4g\t%.4g\n", wins[0] ? wins : "-", t->build_cost, t->cost);
    }
}

static bool measure(measurement *m, size_t rounds)
{
    bool good = find_choices(m);

    for (size_t k = 0; k < m->methods && good; k++)
        good = check(m, &m->method[k]);
    /* Each round begins with another method. */
    for (size_t round = 0; round < rounds && good; round++)
        for (size_t k = 0; k < m->methods && good; k++)
            good = time_once(m, &m->method[(k + round) % m->methods], (int)round);
    if (good)
        print_table(m, rounds);
    return good;
}

static bool run(const bench_options *options, size_t rounds)
{
    bench_problem problem;
    char message[1024];
    spmv_error err;
    measurement m = { .problem = &problem, .threads = (int)options->threads };

    if (!bench_problem_create(options, &problem, message, sizeof message)) {
        fprintf(stderr, "choicebench: %s\n", message);
        return false;
    }
    m.y = aligned_alloc(64, ((size_t)problem.source.matrix->csr.rows + 8) * 8 / 64 * 64 + 64);
    m.method = calloc(MAX_METHODS, sizeof *m.method);
    bool good = m.y && m.method;
    if (!good)
        fprintf(stderr, "choicebench: out of memory\n");
    if (good && spmv_device_open(NULL, &m.device, &err)) {
        fprintf(stderr, "choicebench: %s\n", err.text);
        good = false;
    }
    good = good && measure(&m, rounds);
    spmv_device_close(m.device);
    free(m.method);
    free(m.y);
    bench_problem_destroy(&problem);
    return good;
}

/* False: it is not a whole number from least to most. */
static bool read_number(const char *text, long least, long most, long *out)
{
    char *end;

    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && *out >= least && *out <= most;
}

int main(int argc, char **argv)
{
    bench_options options = { .type = "f64", .size = -1, .seed = 1, .alpha = 1, .dram = 0 };
    long threads = 0, rounds = 9;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_help();
        return EXIT_DONE;
    }
    if (argc >= 2)
        options.input = argv[1];
    if (argc >= 3)
        options.type = argv[2];
    if (argc < 2 || argc > 5 || argv[1][0] == '-' ||
        (strcmp(options.type, "f32") != 0 && strcmp(options.type, "f64") != 0) ||
        (argc >= 4 && !read_number(argv[3], 0, 4096, &threads)) ||
        (argc >= 5 && !read_number(argv[4], 1, MAX_ROUNDS, &rounds))) {
        fprintf(stderr, "choicebench: wrong arguments; --help explains them\n");
        return EXIT_USAGE;
    }
    options.threads = threads;
    return run(&options, (size_t)rounds) ? EXIT_DONE : EXIT_FAILED;
}
