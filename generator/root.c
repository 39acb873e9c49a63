/* root.c: finds the data root. Reads the environment and the file system, changes nothing. */
#define _DEFAULT_SOURCE
#include "generator/root.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "generator/base/text.h"

/* Every data root has all of these. */
static const char *const landmarks[] = { "targets/facts.lua", "templates/prelude/base.h",
                                         "runtime/spmv_module.h" };

static const char *missing_landmark(sg_arena *arena, const char *folder)
{
    for (size_t i = 0; i < sizeof landmarks / sizeof landmarks[0]; i++)
        if (!sg_is_file(sg_path_join(arena, folder, landmarks[i])))
            return landmarks[i];
    return NULL;
}

static const char *canonical(sg_arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = real ? sg_arena_strdup(arena, real) : NULL;

    free(real);
    return copy;
}

/* The folder that --data or SPMVGEN_DATA names must be a data root. */
static const char *named_root(sg_arena *arena, const char *folder, const char *by, const char **why)
{
    const char *missing = missing_landmark(arena, folder);

    if (missing) {
        *why = sg_arena_printf(arena, "%s '%s' is not a data folder: it has no %s", by, folder,
                               missing);
        return NULL;
    }
    const char *root = canonical(arena, folder);
    if (!root)
        *why = sg_arena_printf(arena, "%s '%s' cannot be resolved: %s", by, folder,
                               strerror(errno));
    return root;
}

const char *sg_root_find(sg_arena *arena, const char *given, const char **why)
{
    const char *environment = getenv("SPMVGEN_DATA");
    const char *executable = canonical(arena, "/proc/self/exe");
    const char *places[2] = { NULL, SG_SOURCE_ROOT };

    if (given)
        return named_root(arena, given, "--data", why);
    if (environment && *environment)
        return named_root(arena, environment, "SPMVGEN_DATA", why);

    if (executable)
        places[0] = sg_path_join(arena, sg_path_dir(arena, executable), SG_DATA_FROM_BIN);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i] && !missing_landmark(arena, places[i]))
            return canonical(arena, places[i]);
    *why = sg_arena_printf(arena, "no data folder: neither '%s' nor '%s' holds %s; "
                           "name one with --data DIR or SPMVGEN_DATA",
                           places[0] ? places[0] : "", places[1], landmarks[0]);
    return NULL;
}
