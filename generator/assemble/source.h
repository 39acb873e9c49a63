/* source.h: the file of one method and target: the modules of all selected types, with shared
 * declarations once, and their tables; for another device also their program, in this file or in
 * one of its own. Several targets of one language have the text of their modules and programs in
 * one more file, which each of theirs includes. */
#ifndef SG_SOURCE_H
#define SG_SOURCE_H

#include "generator/assemble/program.h"
#include "generator/plan/folder.h"
#include "generator/base/text.h"

/* No emitted file is larger; a larger one of the same name is somebody else's. */
enum { SG_LARGEST_OUTPUT = 64 << 20 };

/* A file to be written. */
typedef struct sg_output {
    const char *name;            /* without a folder */
    const char *text;
    size_t length;
    uint64_t hash;               /* of the text */
} sg_output;

typedef struct sg_source {
    const sg_plan *plan;
    const sg_family *family;
    sg_module *modules;          /* in the order of the family's variants */
    const sg_group *group;       /* that has the family */
    size_t target;               /* number of the family in it */
    sg_joined host, kernels;     /* the joined texts of the group's modules and their programs */
    sg_device_program parts;     /* of the program; empty: there is none */
    const sg_input *inputs;      /* all files that the file was made from, sorted by name */
    size_t input_count;
    sg_output output;
    const char *whole;           /* the output with what it includes of the group's shared file */
    sg_output program;           /* as --program-files writes it; name NULL: there is none */
    const char *program_text;    /* the program's text below the banner */
    bool writes_program;         /* to a file; otherwise the module holds the program as strings */
} sg_source;

/* Joins the modules of a group's sources, whose first five members are set. Also sets
 * kernel_symbols of the modules. Returns false, with diagnostics, if names clash. */
bool sg_source_join(sg_arena *arena, sg_diags *diags, sg_source *const *sources);

/* Composes the texts of a joined source. Returns false, with diagnostics, if names clash. */
bool sg_source_assemble(sg_arena *arena, sg_diags *diags, sg_source *source);

/* The file that the group of a joined source shares; without a name if it shares none. */
sg_output sg_source_shared(sg_arena *arena, const sg_source *source);

sg_output sg_output_make(const char *name, const char *text, size_t length);

#endif
