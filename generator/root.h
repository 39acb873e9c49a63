/* root.h: the data root, the folder that holds templates/, targets/ and runtime/spmv_module.h.
 *
 * In order: --data DIR; the environment variable SPMVGEN_DATA; share/spmvgen of the installation
 * that this executable is part of; the source folder that it was built from. */
#ifndef SG_ROOT_H
#define SG_ROOT_H

#include <stdbool.h>

#include "generator/base/arena.h"

/* given: --data's DIR or NULL. On success *root is a canonical absolute path. Otherwise NULL, and
 * *why is a sentence that says where it looked. */
const char *sg_root_find(sg_arena *arena, const char *given, const char **why);

#endif
