/* manifest_write.h: writes manifest.json; docs/reference/manifest.md describes every field. */
#ifndef SG_MANIFEST_WRITE_H
#define SG_MANIFEST_WRITE_H

#include "generator/base/text.h"
#include "generator/emit/emission.h"

/* Appends the manifest of an emission whose outputs are complete but for the manifest itself. */
void sg_manifest_write(sg_text *out, const sg_emission *emission);

#endif
