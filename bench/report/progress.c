/* progress.c: see progress.h. */
#include "bench/report/progress.h"

#include <math.h>
#include <stdio.h>

#include "bench/output/message.h"
#include "bench/output/terminal.h"
#include "bench/race/timing.h"

enum { BAR = 24, LINE_BYTES = 512 };

static const double redraw_seconds = 0.2;

void bench_progress_begin(bench_progress *progress, size_t total, double until)
{
    *progress = (bench_progress){ .enabled = bench_terminal_takes_line(), .total = total,
                                  .begin = bench_seconds(), .until = until };
}

void bench_progress_next(bench_progress *progress, const char *name)
{
    char escaped[BENCH_PRINTABLE_BYTES];

    snprintf(progress->name, sizeof progress->name, "%.*s", (int)sizeof progress->name - 1,
             bench_printable(escaped, name));
    progress->last = 0;
    bench_progress_update(progress, 0);
}

void bench_progress_done(bench_progress *progress, bool took_time)
{
    progress->done++;
    progress->skipped += !took_time;
}

void bench_progress_clear(bench_progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}

/* Seconds left, as all races take as long as those so far; negative: unknown. */
static double seconds_left(const bench_progress *p, double fraction, double now)
{
    const double raced = (double)(p->done - p->skipped) + fraction;
    const double left = (double)(p->total - p->done) - fraction;
    const double estimate = raced > 0.05 ? (now - p->begin) / raced * left : -1;

    if (p->until > 0 && (estimate < 0 || estimate > p->until - now))
        return p->until > now ? p->until - now : 0;
    return estimate;
}

static void describe_time(double seconds, char *text, size_t bytes)
{
    if (seconds < 0)
        snprintf(text, bytes, "?");
    else if (seconds < 90)
        snprintf(text, bytes, "%.0f s", ceil(seconds));
    else if (seconds < 5400)
        snprintf(text, bytes, "%.0f min", ceil(seconds / 60));
    else
        snprintf(text, bytes, "%.0f h %02.0f min", floor(seconds / 3600),
                 floor(fmod(seconds, 3600) / 60));
}

void bench_progress_update(void *progress, double fraction)
{
    bench_progress *p = progress;
    const double now = bench_seconds();
    char bar[BAR + 1], time[48], line[LINE_BYTES];

    if (!p->enabled || now - p->last < redraw_seconds)
        return;
    p->last = now;
    const double share = p->total > 0 ? ((double)p->done + fraction) / (double)p->total : 0;
    const int full = (int)(share * (double)BAR);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '-';
    bar[BAR] = '\0';
    describe_time(seconds_left(p, fraction, now), time, sizeof time);
    snprintf(line, sizeof line, "[%s] %zu/%zu  %s left  %s", bar, p->done, p->total, time, p->name);
    fprintf(stderr, "\r\033[K%.*s", bench_terminal_columns(stderr) - 1, line);
    fflush(stderr);
    p->drawn = true;
}
