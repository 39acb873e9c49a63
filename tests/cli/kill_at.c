/* kill_at.c: spmvgen that is killed just before its Nth call that changes the file system, where N
 * is SPMVGEN_KILL_AT. The linker redirects the generator's calls to this file
 * (--wrap). */
#define _DEFAULT_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void count_call(void)
{
    static long left = -1;

    if (left < 0) {
        const char *at = getenv("SPMVGEN_KILL_AT");
        left = at ? strtol(at, NULL, 10) : 0;
    }
    if (left > 0 && --left == 0)
        kill(getpid(), SIGKILL);
}

#define WRAPPED(result, name, parameters, arguments)                                               \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        count_call();                                                                              \
        return __real_##name arguments;                                                            \
    }

WRAPPED(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count))
WRAPPED(int, rename, (const char *from, const char *to), (from, to))
WRAPPED(int, link, (const char *from, const char *to), (from, to))
WRAPPED(int, unlink, (const char *path), (path))
WRAPPED(int, mkdir, (const char *path, mode_t mode), (path, mode))
