/* emit.h: all files of one folder, in memory: those of its methods, the table of modules, a copy
 * of the contract and the manifest. Nothing is written here (write.h). */
#ifndef SG_EMIT_H
#define SG_EMIT_H

#include "generator/emit/folder.h"
#include "generator/emit/source.h"

typedef struct sg_emission {
    sg_folder folder;
    const sg_module *modules;    /* in the order of the plans, then of their variants */
    size_t module_count;
    const sg_source *sources;    /* in the order of the plans, then of their families */
    size_t source_count;
    const sg_output *outputs;    /* the manifest last */
    size_t output_count;
    const sg_page *inputs;       /* everything that was read, sorted by name */
    size_t input_count;
    sg_arena **arenas;           /* what the modules live in */
    size_t arena_count;
} sg_emission;

/* Specialises every variant on `jobs` threads and parses every file again. False, with diagnostics,
 * when anything fails; the emission is empty then. */
bool sg_emit(sg_arena *arena, sg_diags *diags, const sg_folder *folder, int jobs, sg_emission *out);

/* Is a file of this name among the outputs? */
bool sg_emission_has(const sg_emission *emission, const char *name);

void sg_emission_free(sg_emission *emission);                 /* NULL and an empty one are fine */

#endif
