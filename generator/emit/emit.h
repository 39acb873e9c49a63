/* emit.h: makes all files of one folder, in memory. Nothing is written here (write_files.h). */
#ifndef SG_EMIT_H
#define SG_EMIT_H

#include "generator/emit/emission.h"

/* Specialises every variant on `jobs` threads and parses every file again. False, with diagnostics,
 * when anything fails; the emission is empty then. */
bool sg_emit(sg_arena *arena, sg_diags *diags, const sg_folder *folder, int jobs, sg_emission *out);

#endif
