/* dialect.h: loads the lowering of a language and an instruction set from their tables.
 *
 * targets/dialects/NAME.lua describes a language; targets/isa/NAME.lua overrides words for one
 * instruction set. Both return one Lua table (docs/reference/dialects.md). */
#ifndef SG_DIALECT_H
#define SG_DIALECT_H

#include "generator/base/lowering.h"

/* True if targets/dialects/NAME.lua exists. */
bool sg_dialect_exists(const char *root, const char *name);

/* The template that the dialect uses; NULL if its table is missing or cannot be read. Loading the
 * table for emission reports why. */
const char *sg_dialect_form(sg_arena *arena, const char *root, const char *name);

/* "; did you mean 'NAME'?" for a dialect that does not exist, or "". Fills buffer and returns
 * it. */
const char *sg_dialect_hint(char *buffer, size_t size, const char *root, const char *name);

/* True if targets/isa/NAME.lua exists; otherwise adds an error at the line that names it. */
bool sg_isa_exists(sg_diags *diags, const char *root, const char *name, sg_loc named_at);

/* type: name of a value type. isa: "" for none. Returns NULL, with diagnostics, on any error. */
const sg_lowering *sg_lowering_load(sg_arena *arena, sg_diags *diags, const char *root,
                                    const char *dialect, const char *isa, const char *type);

/* The cpu_flags of targets/isa/NAME.lua; NULL, with diagnostics, on any error. */
const char *const *sg_isa_cpu_flags(sg_arena *arena, sg_diags *diags, const char *root,
                                    const char *isa);

#endif
