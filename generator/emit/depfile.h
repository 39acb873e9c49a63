/* depfile.h: writes a rule for make and ninja with the inputs of emitted files. */
#ifndef SG_DEPFILE_H
#define SG_DEPFILE_H

#include "generator/base/name_set.h"
#include "generator/base/text.h"

/* `first rest...: inputs...`, one name a line, spaces and signs escaped as make has it. */
void sg_depfile_write(sg_text *out, const sg_name_set *outputs, const sg_name_set *inputs);

/* The path relative to the current folder, "../templates/x.c"; path is canonical. Where the current
 * folder is not known, path itself. */
const char *sg_relative_path(sg_arena *arena, const char *path);

#endif
