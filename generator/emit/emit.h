/* emit.h: makes all files of one folder, in memory. generator/outputs/ writes them. */
#ifndef SG_EMIT_H
#define SG_EMIT_H

#include "generator/assemble/emission.h"

/* Specialises every variant on `jobs` threads and parses every file again. Returns false, with
 * diagnostics and an empty emission, if anything fails. */
bool sg_emit(sg_arena *arena, sg_diags *diags, const sg_folder *folder, int jobs, sg_emission *out);

#endif
