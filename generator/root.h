/* root.h: the data root, the folder that holds templates/, targets/ and runtime/spmv_module.h.
 *
 * It is searched in this order: --data DIR; the environment variable SPMVGEN_DATA; share/spmvgen of
 * the installation that the executable is part of; the source folder of the build. */
#ifndef SG_ROOT_H
#define SG_ROOT_H

#include <stdbool.h>

#include "generator/base/arena.h"

/* given: the DIR of --data, or NULL. Returns a canonical absolute path, or NULL and in *why a
 * sentence that gives the reason. */
const char *sg_root_find(sg_arena *arena, const char *given, const char **why);

#endif
