/* emission.h: all files of one folder, in memory, and what the passes make on the way to them. */
#ifndef SG_EMISSION_H
#define SG_EMISSION_H

#include "generator/plan/folder.h"
#include "generator/assemble/source.h"

typedef struct sg_emission {
    sg_folder folder;
    sg_module *modules;          /* in the order of the plans, then of their variants */
    size_t module_count;
    sg_source *sources;          /* in the order of the plans, then of their families */
    size_t source_count;
    sg_source ***members;        /* by group of the folder, then by family: its sources */
    sg_output *shared;           /* by group; without a name if it shares no text */
    sg_output *tables;           /* of the modules: C files, each with its header; a bundle has
                                    none */
    size_t table_count;
    sg_output *outputs;          /* the manifest last */
    size_t output_count;
    sg_input *inputs;            /* all files that were read, sorted by name */
    size_t input_count;
    sg_arena **arenas;           /* own modules and sources */
    size_t arena_count;
} sg_emission;

void sg_emission_add_output(sg_arena *arena, sg_emission *emission, sg_output output);
void sg_emission_add_inputs(sg_arena *arena, sg_emission *emission, const sg_input *inputs,
                            size_t count);

/* Adds the files of a folder: its sources, the contract, the table of modules. */
void sg_emission_add_sources(sg_arena *arena, sg_emission *emission);

/* True if one of the outputs has this name. */
bool sg_emission_has(const sg_emission *emission, const char *name);

void sg_emission_free(sg_emission *emission);                 /* an empty one is fine */

#endif
