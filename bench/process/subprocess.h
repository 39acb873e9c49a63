/* subprocess.h: programs that spmvbench runs: spmvgen and a compiler. Their output, stdout and
 * stderr, goes to a file.
 *
 * Not thread-safe: one thread starts and awaits programs. */
#ifndef BENCH_SUBPROCESS_H
#define BENCH_SUBPROCESS_H

#include <stddef.h>
#include <sys/types.h>

/* Starts a program, found in PATH, with the file `printed` for its output. Returns its id, or -1
 * with errno. words ends with NULL. */
pid_t bench_subprocess_start(char *const *words, const char *printed);

/* Awaits any program that was started: its id, and its exit status, or 128 + the signal that ended
 * it. -1 with errno; EINTR: a signal came. */
pid_t bench_subprocess_wait(int *status);

/* Reads the file of a program's output; to be freed. NULL: it cannot be read. */
char *bench_subprocess_output(const char *printed);

#endif
