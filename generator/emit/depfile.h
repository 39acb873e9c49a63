/* depfile.h: a rule for make and ninja that says what emitted files were made from. */
#ifndef SG_DEPFILE_H
#define SG_DEPFILE_H

#include "generator/base/name_set.h"
#include "generator/base/text.h"

/* `first rest...: inputs...`, one name a line, spaces and signs escaped as make has it. */
void sg_depfile_write(sg_text *out, const sg_name_set *outputs, const sg_name_set *inputs);

/* The path as seen from the current folder, "../templates/x.c"; both are canonical. A path that the
 * current folder cannot be told for stays as it is. */
const char *sg_relative_path(sg_arena *arena, const char *path);

#endif
