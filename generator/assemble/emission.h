/* emission.h: all files of one folder, in memory: the files of its methods, the table of modules, a
 * copy of the contract and the manifest. */
#ifndef SG_EMISSION_H
#define SG_EMISSION_H

#include "generator/plan/folder.h"
#include "generator/assemble/source.h"

typedef struct sg_emission {
    sg_folder folder;
    sg_module *modules;          /* in the order of the plans, then of their variants */
    size_t module_count;
    const sg_source *sources;    /* in the order of the plans, then of their families */
    size_t source_count;
    const sg_output *outputs;    /* the manifest last */
    size_t output_count;
    const sg_input *inputs;      /* all files that were read, sorted by name */
    size_t input_count;
    sg_arena **arenas;           /* own the modules */
    size_t arena_count;
} sg_emission;

/* True if one of the outputs has this name. */
bool sg_emission_has(const sg_emission *emission, const char *name);

void sg_emission_free(sg_emission *emission);                 /* NULL and an empty one are fine */

#endif
