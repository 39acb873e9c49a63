/* race.c: see race.h. */
#include "bench/race/race.h"

#include <stdlib.h>

#include "bench/yardsticks/bandwidth.h"
#include "bench/yardsticks/plain_csr.h"
#include "bench/yardsticks/x_gather.h"

enum {
    STREAMS = 2,
    YARDSTICKS = 1 + STREAMS + BENCH_X_GATHER_VARIANTS,
    SMALL_FOOTPRINT = 32 << 20,
    DRAM_ROUNDS = 5
};

/* Measured in the same rounds as the contenders. */
typedef struct yardsticks {
    bench_plain_csr *plain;
    bench_stream *stream[STREAMS];       /* as large as the matrix */
    bench_x_gather gather[BENCH_X_GATHER_VARIANTS];      /* at its columns */
    bool gathers;                        /* only a race of A x is compared with it */
} yardsticks;

/* The problem of the plain CSR loop, which multiplies by A. */
static const bench_problem *plain_problem(const bench_report *report)
{
    const bench_companion *companion = &report->companion[BENCH_OF_A];

    return companion->contenders ? &companion->problem : report->problem;
}

static void create_yardsticks(const bench_report *report, yardsticks *y)
{
    const bench_problem *p = plain_problem(report);
    const spmv_csr *csr = &p->csr;
    const size_t footprint = (size_t)bench_product_bytes(&p->product, csr, p->beta != 0);

    y->plain = bench_plain_csr_create(csr, p->alpha, p->x, p->beta, p->before, report->threads);
    if (y->plain)
        bench_plain_csr_repeat(y->plain, p->product.columns);
    /* A small array may be read faster by one thread than by all. */
    y->stream[0] = bench_stream_create(footprint, report->threads);
    y->stream[1] = report->threads > 1 && footprint < SMALL_FOOTPRINT
        ? bench_stream_create(footprint, 1) : NULL;
    y->gathers = !report->problem->product.transposed && report->problem->product.columns == 1;
    for (int v = 0; v < BENCH_X_GATHER_VARIANTS; v++)
        y->gather[v] = (bench_x_gather){
            .csr = csr, .x = p->x, .variant = (bench_x_gather_variant)v,
            .threads = report->threads,
        };
}

static void destroy_yardsticks(yardsticks *y)
{
    bench_plain_csr_destroy(y->plain);
    for (size_t i = 0; i < STREAMS; i++)
        bench_stream_destroy(y->stream[i]);
}

/* Appends a runner for each yardstick to `count` runners. Returns the new number of runners. */
static size_t add_yardsticks(yardsticks *y, bench_runner *runners, size_t count)
{
    if (y->plain)
        runners[count++] = (bench_runner){ .run = bench_plain_csr_run, .context = y->plain };
    for (size_t i = 0; i < STREAMS; i++)
        if (y->stream[i])
            runners[count++] =
                (bench_runner){ .run = bench_stream_read, .context = y->stream[i] };
    for (int v = 0; v < BENCH_X_GATHER_VARIANTS; v++)
        if (y->gathers && bench_x_gather_is_supported((bench_x_gather_variant)v))
            runners[count++] =
                (bench_runner){ .run = bench_x_gather_run, .context = &y->gather[v] };
    return count;
}

/* Stores the time of the plain loop; raises the report's rate to that of a faster yardstick. */
static void read_yardstick(const bench_runner *runner, bench_report *report)
{
    const double nnz = (double)report->problem->csr.nnz;
    const bool reads = runner->run == bench_stream_read;
    const double work = reads ? (double)bench_stream_bytes(runner->context) : 2 * nnz;
    const double rate = runner->time.median > 0 ? work / runner->time.median : 0;
    double *best = reads ? &report->read_rate : &report->gather_rate;

    if (runner->run == bench_plain_csr_run)
        report->plain_seconds = runner->time.median;
    else if (rate > *best)
        *best = rate;
}

/* Appends a runner for each correct contender. Returns the new number of runners. */
static size_t add_contenders(bench_contender *contenders, size_t contender_count,
                             bench_runner *runners, size_t count)
{
    for (size_t i = 0; i < contender_count; i++)
        if (contenders[i].correct)
            runners[count++] = (bench_runner){ .run = bench_contender_run,
                                               .context = &contenders[i] };
    return count;
}

/* The runner of a contender; NULL: it does not race. */
static const bench_runner *find_runner(const bench_runner *all, size_t count,
                                       const bench_contender *contender)
{
    for (size_t k = 0; k < count; k++)
        if (all[k].context == contender)
            return &all[k];
    return NULL;
}

/* Appends a runner for each correct contender of the companions, which is compared with that of the
 * contender that it belongs to. Returns the new number of runners. */
static size_t add_companions(const bench_contender *contenders, const bench_report *report,
                             bench_runner *all, size_t count)
{
    for (int kind = 0; kind < BENCH_COMPANIONS; kind++) {
        bench_contender *companions = report->companion[kind].contenders;
        const size_t first = count;
        if (companions)
            count = add_contenders(companions, report->count, all, count);
        for (size_t k = first; k < count; k++) {
            const size_t i = (size_t)((bench_contender *)all[k].context - companions);
            all[k].other = find_runner(all, first, &contenders[i]);
        }
    }
    return count;
}

/* Copies the runners of these contenders to the places of the contenders. */
static void take_runners(const bench_runner *all, size_t all_count,
                         const bench_contender *contenders, size_t count, bench_runner *runners)
{
    for (size_t i = 0; i < count; i++) {
        const bench_runner *runner = find_runner(all, all_count, &contenders[i]);
        if (runner && contenders[i].correct)     /* a peer may have failed while it was timed */
            runners[i] = *runner;
    }
}

int bench_race_contenders(const bench_race *rules, bench_contender *contenders,
                          bench_runner *runners, bench_report *report)
{
    bench_runner *all = calloc((1 + BENCH_COMPANIONS) * report->count + YARDSTICKS, sizeof *all);
    bench_race race = *rules;
    yardsticks measures;
    size_t count = 0;
    int failed = all ? 0 : -1;

    create_yardsticks(report, &measures);
    if (!failed)
        count = add_contenders(contenders, report->count, all, count);
    if (!failed)
        count = add_companions(contenders, report, all, count);
    const size_t racing = count;
    if (!failed) {
        count = add_yardsticks(&measures, all, count);
        race.baseline = measures.plain ? &all[racing] : NULL;
        race.compared = racing;
        failed = bench_race_run(&race, all, count);
    }
    if (!failed)
        take_runners(all, racing, contenders, report->count, runners);
    for (int i = 0; i < BENCH_COMPANIONS && !failed; i++)
        if (report->companion[i].contenders)
            take_runners(all, racing, report->companion[i].contenders, report->count,
                         report->companion[i].runners);
    for (size_t i = racing; i < count && !failed; i++)
        read_yardstick(&all[i], report);
    destroy_yardsticks(&measures);
    free(all);
    return failed;
}

static int measure_copies(const bench_race *race, size_t bytes, int threads, bench_memory *out)
{
    bench_copies arrays;
    bench_copy_loop loop[BENCH_COPY_KINDS];
    bench_runner runner[BENCH_COPY_KINDS];

    if (!bench_copies_create(bytes, threads, &arrays))
        return 0;
    for (int kind = 0; kind < BENCH_COPY_KINDS; kind++) {
        loop[kind] = (bench_copy_loop){ &arrays, (bench_copy_kind)kind };
        runner[kind] = (bench_runner){ .run = bench_copy_run, .context = &loop[kind] };
    }
    const int failed = bench_race_run(race, runner, BENCH_COPY_KINDS);
    for (int kind = 0; kind < BENCH_COPY_KINDS && !failed; kind++)
        if (runner[kind].samples > 0)
            out->copy_rate[kind] = bench_copy_bytes(&loop[kind]) / runner[kind].time.median;
    out->copy_bytes = arrays.count * sizeof(double);
    bench_copies_destroy(&arrays);
    return failed;
}

int bench_race_memory(const bench_options *options, const bench_race *rules, int threads,
                      bench_memory *out)
{
    const bench_race race = { .seconds = options->seconds, .rounds = DRAM_ROUNDS,
                              .is_over = rules->is_over };
    const size_t bytes = options->dram < 0 ? bench_dram_bytes() : (size_t)options->dram << 20;
    bench_stream *stream = bytes > 0 ? bench_stream_create(bytes, threads) : NULL;
    bench_runner runner = { .run = bench_stream_read, .context = stream };
    const int failed = stream ? bench_race_run(&race, &runner, 1) : 0;

    if (stream && !failed && runner.samples > 0) {
        out->read_bytes = bench_stream_bytes(stream);
        out->read_rate = (double)out->read_bytes / runner.time.median;
    }
    bench_stream_destroy(stream);
    return !failed && options->details && out->read_rate > 0
               ? measure_copies(&race, bytes, threads, out) : failed;
}
