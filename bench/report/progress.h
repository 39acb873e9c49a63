/* progress.h: a line at the bottom of a terminal: how much of a run is done, and the time left.
 *
 * It is shown where bench_terminal_takes_line. Whoever prints clears the line first; the next
 * update draws it again.
 */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_progress {
    bool enabled, drawn;
    size_t total;                /* races */
    size_t done, skipped;        /* races that ended; of these, races that took no time */
    double begin, last;          /* bench_seconds at the beginning, and when it was drawn last */
    double until;                /* bench_seconds at which the budget ends; 0: no budget */
    char name[128];              /* of the race under way */
} bench_progress;

void bench_progress_begin(bench_progress *progress, size_t total, double until);

/* The next race begins; the former one, if any, was counted by bench_progress_done. */
void bench_progress_next(bench_progress *progress, const char *name);
void bench_progress_done(bench_progress *progress, bool took_time);

/* Draws the line, at most five times a second. fraction: 0 to 1, of the race under way. The first
 * argument is a bench_progress, so that this is the progress of a bench_race. */
void bench_progress_update(void *progress, double fraction);

void bench_progress_clear(bench_progress *progress);

#endif
