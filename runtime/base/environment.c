/* environment.c: see environment.h. HAVE_SECURE_GETENV: the C library has secure_getenv. */
#define _GNU_SOURCE
#include "runtime/base/environment.h"

#include <stdlib.h>

#if defined(HAVE_SECURE_GETENV)

const char *spmv_variable(const char *name)
{
    return secure_getenv(name);
}

#else

#include <unistd.h>

#if defined(__linux__)
#include <sys/auxv.h>
#endif

static int has_more_privileges(void)
{
#if defined(__linux__)
    return getauxval(AT_SECURE) != 0;
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) || \
    defined(__DragonFly__)
    return issetugid();
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

const char *spmv_variable(const char *name)
{
    return has_more_privileges() ? NULL : getenv(name);
}

#endif
