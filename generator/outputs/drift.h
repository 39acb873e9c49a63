/* drift.h: how a folder differs from the files that would be emitted into it now. */
#ifndef SG_DRIFT_H
#define SG_DRIFT_H

#include "generator/assemble/emission.h"
#include "generator/outputs/manifest.h"

/* Appends a unified diff for each changed file, a line for each missing file and each orphan, and
 * the command that emits the folder again. An orphan is no longer emitted, but was recorded by an
 * earlier run or is named like an emitted file. Returns false, with diagnostics, if the folder
 * cannot be read. *differs: the folder differs. */
bool sg_drift_find(sg_arena *arena, sg_diags *diags, const char *dir, const sg_manifest *recorded,
                   const sg_emission *emission, sg_text *out, bool *differs);

#endif
