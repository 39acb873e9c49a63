/* make.h: specialises, joins and composes on several threads. A thread makes a module or a source
 * in an arena of its own, so that threads share nothing but constant plans, and the result does not
 * depend on them. Each function returns false, with diagnostics in the order of modules or
 * sources, if one cannot be made. */
#ifndef SG_MAKE_H
#define SG_MAKE_H

#include "generator/assemble/emission.h"

/* Lists the modules and sources of the folder's plans, and specialises the modules. */
bool sg_make_modules(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e);

/* Joins the modules of each source. */
bool sg_make_joined(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e);

/* Composes the texts of each source, and collects the inputs of all. */
bool sg_make_sources(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e);

#endif
