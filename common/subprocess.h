/* subprocess.h: programs that spmvgen and spmvbench run: compilers, diff, spmvgen. */
#ifndef SG_COMMON_SUBPROCESS_H
#define SG_COMMON_SUBPROCESS_H

#include <sys/types.h>

/* Starts a program, found in PATH, without input and with stdout and stderr to the new file
 * `output`. Returns its id, or -1 with errno. words ends with NULL. */
pid_t sg_subprocess_start(char *const *words, const char *output);

/* Awaits a program, or any that was started (child -1). Returns its id, and its exit status, or 128
 * + the signal that ended it; or -1 with errno, where EINTR means that a signal came. */
pid_t sg_subprocess_wait(pid_t child, int *status);

/* Reads at most 1 MiB of the file of a program's output; to be freed. NULL: it cannot be read. */
char *sg_subprocess_output(const char *output);

#endif
