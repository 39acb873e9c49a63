/* race.c: see race.h. */
#include "bench/gpu/race.h"

#include <stdlib.h>

#include "common/fail.h"

const gpu_rules gpu_usual_rules = { .rounds = 15, .slow_rounds = 5, .sample_seconds = 2e-3,
                                    .slow_seconds = 20e-3, .contender_seconds = 10,
                                    .modes = GPU_MODES };

enum { MAX_LAUNCHES = 1 << 14 };

typedef struct race {
    const gpu_rules *rules;
    const gpu_mode *mode;
    cudaEvent_t begin, end;
    gpu_after_mode *after;
    void *context;
} race;

/* One contender in one mode. */
typedef struct turn {
    gpu_contender *contender;
    size_t launches;             /* of a sample */
    size_t rounds, done;
    double *sample;
    double seconds;              /* of one multiplication */
    double limit;                /* for contender->spent_seconds in this mode */
} turn;

/* Whether one replica of this many bytes stays in L2. */
static bool fits_l2(double bytes, size_t l2_bytes)
{
    return bytes <= (double)l2_bytes;
}

/* ---- one sample ---------------------------------------------------------------------------- */

/* Multiplications of one launch. */
static size_t length_of(const gpu_mode *mode, const gpu_contender *c)
{
    return mode->source != GPU_CHAIN ? 1
         : mode->beyond ? c->graphs.rotation_length : c->graphs.chain_length;
}

static bool launch(const gpu_mode *mode, const gpu_contender *c, size_t index, spmv_error *error)
{
    const size_t replica = mode->beyond ? index % c->setup->vectors->count : 0;
    const cudaStream_t stream = c->setup->device->stream;

    switch (mode->source) {
    case GPU_LAUNCHES:
        return c->kind->enqueue(c, replica, error);
    case GPU_GRAPH:
        return gpu_graphs_launch_single(&c->graphs, replica, stream, error);
    case GPU_CHAIN:
        break;
    }
    return gpu_graphs_launch_chain(&c->graphs, mode->beyond, stream, error);
}

/* Times `launches` launches; *seconds is the time of one multiplication. */
static bool time_launches(const race *r, gpu_contender *c, size_t launches, double *seconds,
                          spmv_error *error)
{
    const cudaStream_t stream = c->setup->device->stream;
    float milliseconds = 0;
    bool good = GPU_TRY(cudaEventRecord(r->begin, stream), error);

    for (size_t i = 0; i < launches && good; i++)
        good = launch(r->mode, c, i, error);
    good = good && GPU_TRY(cudaEventRecord(r->end, stream), error) &&
           GPU_TRY(cudaEventSynchronize(r->end), error) &&
           GPU_TRY(cudaEventElapsedTime(&milliseconds, r->begin, r->end), error);
    *seconds = 1e-3 * (double)milliseconds / (double)(launches * length_of(r->mode, c));
    c->spent_seconds += 1e-3 * (double)milliseconds;
    return good;
}

static size_t warm_up_launches(const race *r, const turn *t)
{
    /* A slow multiplication warms the caches in a small part of its time. */
    if (t->seconds >= r->rules->slow_seconds)
        return 0;
    return r->mode->source == GPU_CHAIN ? 1
           : r->mode->beyond            ? t->contender->setup->vectors->count
                                       : 2;
}

/* Runs untimed launches, so that the caches are as in the middle of a sample. */
static bool warm_up(const race *r, const turn *t, spmv_error *error)
{
    const size_t launches = warm_up_launches(r, t);
    bool good = true;

    for (size_t i = 0; i < launches && good; i++)
        good = launch(r->mode, t->contender, i, error);
    t->contender->spent_seconds += (double)(launches * length_of(r->mode, t->contender)) *
                                   t->seconds;
    return good;
}

/* Whether a sample with its warm-up fits into the limit. */
static bool affords(const race *r, const turn *t, double limit)
{
    const gpu_contender *c = t->contender;
    const size_t launches = warm_up_launches(r, t) + t->launches;

    return c->spent_seconds + (double)(launches * length_of(r->mode, c)) * t->seconds <= limit;
}

/* ---- the race ------------------------------------------------------------------------------ */

static bool takes_part(const gpu_mode *mode, const gpu_contender *c)
{
    const gpu_setup *s = c->setup;

    return c->correct && (mode->source == GPU_LAUNCHES || c->graphs.count > 0) &&
           (mode->beyond || fits_l2(gpu_problem_bytes(s->problem), s->device->l2_bytes));
}

/* The contender's remaining time, in equal shares for this mode and later modes. */
static double limit_of(const race *r, const gpu_contender *c)
{
    double modes = 0;

    for (const gpu_mode *mode = r->mode; mode < gpu_modes + r->rules->modes; mode++)
        modes += takes_part(mode, c);
    return c->spent_seconds + (r->rules->contender_seconds - c->spent_seconds) / modes;
}

/* Finds the number of launches in a sample: if replicas take turns, a multiple of their number. The
 * first sample of a mode may use up the contender's time. A slow contender keeps only that first
 * sample. */
static bool calibrate(const race *r, turn *t, spmv_error *error)
{
    gpu_contender *c = t->contender;
    const bool takes_turns = r->mode->beyond && r->mode->source != GPU_CHAIN;
    const size_t step = takes_turns ? c->setup->vectors->count : 1;

    t->launches = step;
    t->seconds = c->once_seconds;
    t->limit = limit_of(r, c);
    if (!affords(r, t, r->rules->contender_seconds))
        return true;
    if (!warm_up(r, t, error) || !time_launches(r, c, t->launches, &t->seconds, error))
        return false;
    while (t->launches < MAX_LAUNCHES) {
        const double sample = t->seconds * (double)(t->launches * length_of(r->mode, c));
        if (sample >= r->rules->sample_seconds)
            break;
        t->launches *= 2;
        if (!time_launches(r, c, t->launches, &t->seconds, error))
            return false;
    }
    t->rounds = r->rules->rounds;
    if (t->seconds >= r->rules->slow_seconds) {
        t->rounds = r->rules->slow_rounds;
        t->sample[t->done++] = t->seconds;
    }
    return true;
}

static void start_watchdog(const gpu_contender *c)
{
    char label[256];

    gpu_watchdog_start(c->setup->watchdog, gpu_contender_label(c, label, sizeof label));
}

/* Takes the contender out of the race. False, with its label in error, if the GPU is unusable. */
static bool withdraw(gpu_contender *c, spmv_error *error)
{
    char label[256];
    spmv_error whole;

    gpu_contender_fail(c, "while it was timed", error);
    if (cudaDeviceSynchronize() == cudaSuccess)
        return true;
    sg_fail(&whole, "%.250s: %.380s", gpu_contender_label(c, label, sizeof label), error->text);
    *error = whole;
    return false;
}

static bool run_round(const race *r, turn *turns, size_t count, size_t round, spmv_error *error)
{
    for (size_t i = 0; i < count; i++) {
        turn *t = &turns[(i + round) % count];
        if (!t->contender->correct || t->done >= t->rounds || !affords(r, t, t->limit))
            continue;
        start_watchdog(t->contender);
        if (!warm_up(r, t, error) ||
            !time_launches(r, t->contender, t->launches, &t->sample[t->done], error)) {
            if (!withdraw(t->contender, error))
                return false;
            continue;
        }
        t->done++;
    }
    return true;
}

static bool run_mode(const race *r, turn *turns, size_t count, spmv_error *error)
{
    for (size_t i = 0; i < count; i++) {
        start_watchdog(turns[i].contender);
        if (!calibrate(r, &turns[i], error) && !withdraw(turns[i].contender, error))
            return false;
    }
    for (size_t round = 0; round < r->rules->rounds; round++)
        if (!run_round(r, turns, count, round, error))
            return false;
    for (size_t i = 0; i < count; i++) {
        gpu_contender *c = turns[i].contender;
        if (c->correct)
            c->times[r->mode - gpu_modes] = gpu_times_of(turns[i].sample, turns[i].done,
                                                         turns[i].launches * length_of(r->mode, c));
    }
    return true;
}

static bool run_modes(race *r, turn *turns, double *samples, gpu_contender *contenders,
                      size_t count, spmv_error *error)
{
    for (size_t m = 0; m < r->rules->modes; m++) {
        size_t part = 0;

        r->mode = &gpu_modes[m];
        for (size_t i = 0; i < count; i++)
            if (takes_part(r->mode, &contenders[i])) {
                turns[part] = (turn){ .contender = &contenders[i],
                                      .sample = &samples[part * r->rules->rounds] };
                part++;
            }
        if (part > 0 && !run_mode(r, turns, part, error))
            return false;
        gpu_watchdog_stop();
        if (part > 0 && !r->after(r->context, error))
            return false;
    }
    return true;
}

bool gpu_race_run(const gpu_rules *rules, gpu_contender *contenders, size_t count,
                  gpu_after_mode *after, void *context, spmv_error *error)
{
    race r = { .rules = rules, .after = after, .context = context };
    turn *turns = calloc(count + 1, sizeof *turns);
    double *samples = calloc(count * rules->rounds + 1, sizeof *samples);
    bool good = turns && samples;

    if (!good)
        sg_fail(error, "the race: out of memory");
    good = good && GPU_TRY(cudaEventCreate(&r.begin), error) &&
           GPU_TRY(cudaEventCreate(&r.end), error) &&
           run_modes(&r, turns, samples, contenders, count, error);
    if (r.begin)
        cudaEventDestroy(r.begin);
    if (r.end)
        cudaEventDestroy(r.end);
    free(turns);
    free(samples);
    return good;
}
