/* program.h: the program of a module for another device than the CPU: its text, and the module's
 * tables that describe it (spmv_program of spmv_module.h). */
#ifndef SG_PROGRAM_H
#define SG_PROGRAM_H

#include "generator/base/text.h"
#include "generator/join/guards.h"
#include "generator/join/join.h"
#include "generator/assemble/module.h"

/* The parameter with the number of work-items per work-group of the program's kernels. */
#define SG_WORK_GROUP_SIZE "WORK_GROUP_SIZE"

/* The parameter with the number of work-items per subgroup; 1: there are no subgroups. */
#define SG_SUBGROUP_SIZE "SUBGROUP_SIZE"

/* The parameter SG_WORK_GROUP_SIZE, or NULL if the method declares none. */
const sg_param *sg_program_group_size(const sg_module *module);

/* True if the module has no program, or one that fits the contract. Otherwise adds diagnostics at
 * its template. */
bool sg_program_check(sg_arena *arena, sg_diags *diags, const sg_module *module);

/* A part of a program's text. */
typedef struct sg_program_part {
    const char *strings;         /* the table of strings that holds it in a module's file */
    sg_section text;             /* its axes say which modules have the part; 0: all */
} sg_program_part;

/* The program of a family, or of the families of several targets. */
typedef struct sg_device_program {
    const sg_program_part *parts;
    size_t part_count;
} sg_device_program;

/* lowerings: by target of the joined text; one if it is for one. `joined` must outlive the
 * program. */
sg_device_program sg_program_make(sg_arena *arena, const sg_lowering *const *lowerings,
                                  size_t count, const sg_joined *joined);

/* The program's text below the banner, for one of its targets. */
const char *sg_program_text(sg_arena *arena, const sg_device_program *program, size_t target);

/* Appends the text as strings, a table for each part. Not for programs in files of their own. */
void sg_program_strings(sg_text *out, const sg_device_program *program, const sg_guards *guards);

/* Appends the tables of one module, of a target of the program, to pieces[*count...], at most
 * SG_PROGRAM_PIECES; the last one declares module_program. */
enum { SG_PROGRAM_PIECES = 16 };
void sg_program_pieces(sg_arena *arena, const sg_device_program *program, size_t target,
                       const sg_module *module, const sg_instance *instance, sg_piece *pieces,
                       size_t *count);

#endif
