/* drift.h: how a folder differs from the files that would be emitted into it now. */
#ifndef SG_DRIFT_H
#define SG_DRIFT_H

#include "generator/emit/emission.h"
#include "generator/emit/manifest.h"

/* Appends a unified diff for each changed file and a line for each missing and each orphan one: a
 * file that an earlier run recorded, or that is named like an emitted one, and is emitted no more.
 * It ends with the command that emits the folder anew. False, with diagnostics, when the folder
 * cannot be read. *differs: was there anything? */
bool sg_drift_find(sg_arena *arena, sg_diags *diags, const char *dir, const sg_manifest *recorded,
                   const sg_emission *emission, sg_text *out, bool *differs);

#endif
