/* passes.h: the passes between a plan and its files. Each returns false, with diagnostics in the
 * order of modules or sources, on any error.
 *
 * A thread makes a module or a source in an arena of its own, so that threads share nothing but
 * constant plans, and the result does not depend on them (make.c). */
#ifndef SG_PASSES_H
#define SG_PASSES_H

#include "generator/assemble/emission.h"

/* Lists the modules and sources of the folder's plans, and specialises the modules. */
bool sg_make_modules(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e);

/* Joins the modules of each group of sources. */
bool sg_make_joined(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e);

/* Composes the texts of each source and of each group, and collects the inputs of all. */
bool sg_make_sources(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e);

/* Makes the table of the modules, by rank, and its header; of several targets, one of each, too. */
void sg_make_tables(sg_arena *arena, sg_emission *e);

/* Parses the texts of all sources, and the tables if there are any, in their own languages. */
bool sg_parse_again(sg_diags *diags, const sg_emission *e);

/* Warns of stated values without effect: a user would tune them in vain. */
void sg_warn_of_idle_values(sg_diags *diags, const sg_emission *e);

#endif
