/* judge.c: see judge.h. */
#include "bench/tune/judge.h"

#include <math.h>
#include <stdio.h>

const bench_bounds bench_tune_bounds = { .least_gain = 1.01, .most_loss = 0.98 };

/* An end of an interval that is unknown counts as the median. */
static double end_or_median(double end, double median)
{
    return isnan(end) ? median : end;
}

bench_interval bench_join_races(const bench_interval *race, size_t count)
{
    double logs = 0, low = INFINITY, high = 0;
    size_t timed = 0;

    for (size_t i = 0; i < count; i++) {
        if (!(race[i].median > 0))
            continue;
        logs += log(race[i].median);
        low = fmin(low, end_or_median(race[i].low, race[i].median));
        high = fmax(high, end_or_median(race[i].high, race[i].median));
        timed++;
    }
    if (timed == 0)
        return (bench_interval){ 0, NAN, NAN };
    return (bench_interval){ exp(logs / (double)timed), low, high };
}

void bench_keep_values(const double *gain, size_t count, bool *keep)
{
    const double worth_its_line = 1.003;
    size_t best = 0;

    for (size_t i = 0; i < count; i++) {
        keep[i] = !(gain[i] < worth_its_line);
        if (isnan(gain[i]) || gain[i] > gain[best])
            best = i;
    }
    if (count > 0)
        keep[best] = true;
}

static void give_reason(const bench_bounds *bounds, const bench_interval *speed, size_t slow,
                        size_t count, bench_judgement *out)
{
    if (out->matrices == 0)
        snprintf(out->reason, sizeof out->reason, "it ran on no matrix of the validation");
    else if (out->speed.median < bounds->least_gain)
        snprintf(out->reason, sizeof out->reason, "%.3f times the page's speed on the mean; %.2f "
                 "is the least gain that counts", out->speed.median, bounds->least_gain);
    else if (out->speed.low <= 1)
        snprintf(out->reason, sizeof out->reason, "%.3f times the page's speed on the mean may be "
                 "noise: the lower ends have a mean of %.3f", out->speed.median, out->speed.low);
    else if (slow < count)
        snprintf(out->reason, sizeof out->reason, "%.3f times the page's speed on one matrix, "
                 "which is slower than %.2f beyond the noise", speed[slow].median,
                 bounds->most_loss);
}

bench_judgement bench_judge(const bench_bounds *bounds, const bench_interval *speed, size_t count)
{
    bench_judgement out = { .speed = { 0, NAN, NAN } };
    double logs = 0, lows = 0, highs = 0;
    size_t slow = count;         /* a matrix that is slower than the bound */

    for (size_t i = 0; i < count; i++) {
        if (!(speed[i].median > 0))
            continue;
        const double high = end_or_median(speed[i].high, speed[i].median);
        logs += log(speed[i].median);
        lows += log(end_or_median(speed[i].low, speed[i].median));
        highs += log(high);
        if (out.matrices == 0 || speed[i].median < speed[out.least].median)
            out.least = i;
        if (high < bounds->most_loss &&
            (slow == count || speed[i].median < speed[slow].median))
            slow = i;
        out.matrices++;
    }
    if (out.matrices > 0) {
        const double n = (double)out.matrices;
        out.speed = (bench_interval){ exp(logs / n), exp(lows / n), exp(highs / n) };
    }
    give_reason(bounds, speed, slow, count, &out);
    out.is_better = out.reason[0] == '\0';
    return out;
}
