/* data_files.h: the Lua files of a folder by their names: pages, dialects, instruction sets. */
#ifndef SG_DATA_FILES_H
#define SG_DATA_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

/* True for at most 64 letters, digits, '-', '_' and '.' that begin with a letter or digit. */
bool sg_is_data_file_name(const char *name);

/* The names of all files NAME.lua of a folder, sorted. facts.lua, which has declarations, is left
 * out. */
const char *const *sg_data_file_names(sg_arena *arena, const char *folder, size_t *count);

#endif
