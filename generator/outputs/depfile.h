/* depfile.h: writes a rule for make and ninja with the inputs of emitted files. */
#ifndef SG_DEPFILE_H
#define SG_DEPFILE_H

#include "generator/base/name_set.h"
#include "generator/base/text.h"

/* `first rest...: inputs...`, one name per line, with make's escapes. */
void sg_depfile_write(sg_text *out, const sg_name_set *outputs, const sg_name_set *inputs);

/* The path relative to the current folder: "../templates/x.c". path is canonical. Returns path
 * itself if the current folder is unknown. */
const char *sg_relative_path(sg_arena *arena, const char *path);

#endif
