/* manifest_write.h: writes manifest.json; docs/reference/manifest.md describes every field. */
#ifndef SG_MANIFEST_WRITE_H
#define SG_MANIFEST_WRITE_H

#include "generator/base/text.h"
#include "generator/assemble/emission.h"

#define SG_MANIFEST_NAME "manifest.json"

enum { SG_MANIFEST_SCHEMA = 2 };

/* A hash of everything that the emitted files depend on. */
uint64_t sg_manifest_input_hash(const char *version, const char *command, const sg_input *inputs,
                                size_t count);

/* Appends the manifest of an emission whose outputs are complete but for the manifest itself. */
void sg_manifest_write(sg_text *out, const sg_emission *emission);

#endif
