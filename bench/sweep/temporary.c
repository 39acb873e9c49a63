/* temporary.c: see temporary.h. */
#define _XOPEN_SOURCE 700        /* mkdtemp, nftw */
#include "bench/sweep/temporary.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sweep/module_cache.h"
#include "common/fail.h"

char *bench_temporary_make(spmv_error *error)
{
    const char *parent = getenv("TMPDIR");
    char path[BENCH_CACHE_FOLDER - 32];

    parent = parent && *parent ? parent : "/tmp";
    snprintf(path, sizeof path, "%s/spmvbench-XXXXXX", parent);
    if (mkdtemp(path))
        return strdup(path);
    sg_fail(error, "no temporary folder can be made in '%.300s', which TMPDIR names, else /tmp: %s",
            parent, strerror(errno));
    return NULL;
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *at)
{
    (void)facts, (void)kind, (void)at;
    remove(path);
    return 0;
}

void bench_temporary_remove(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
