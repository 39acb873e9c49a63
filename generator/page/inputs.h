/* inputs.h: the files that an emission is made from: how their names are shown, where they are. */
#ifndef SG_INPUTS_H
#define SG_INPUTS_H

#include "generator/page/target.h"

enum { SG_LARGEST_INPUT = 16 << 20 };    /* bytes; a larger file is not read */

/* A file's name as emitted files show it: within the data root, or the last part of a user's own
 * path, so that they do not depend on the folder that they were asked for in. */
const char *sg_shown_file(const char *file);

/* "targets/x.lua:7" or "the command line", as emitted files show an origin. */
const char *sg_shown_origin(sg_arena *arena, sg_loc origin);

/* Is the target's page one of the data root's? A user's own file may have the same name. */
bool sg_is_page_of_root(sg_arena *arena, const char *root, const sg_target *target);

/* Where to open a file that messages name: below the data root, or as the user gave it. */
const char *sg_input_path(sg_arena *arena, const char *root, const sg_target *target,
                          const char *file);

/* Sorts by name and drops repetitions; returns the new count. */
size_t sg_pages_sort(sg_page *pages, size_t count);

/* Is there a page of this name? */
bool sg_pages_have(const sg_page *pages, size_t count, const char *file);

#endif
