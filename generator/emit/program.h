/* program.h: the program of a module for another device than the CPU: its text, and the tables by
 * which the module knows it (spmv_program of spmv_module.h). */
#ifndef SG_PROGRAM_H
#define SG_PROGRAM_H

#include "generator/base/text.h"
#include "generator/emit/join.h"
#include "generator/emit/module.h"

/* The parameter that says how many work-items a work-group of the program's kernels has. */
#define SG_WORK_GROUP_SIZE "WORK_GROUP_SIZE"

/* And the one that says how many of them a subgroup has, 1 where there is none. */
#define SG_SUBGROUP_SIZE "SUBGROUP_SIZE"

/* The former; NULL where the method declares none. */
const sg_param *sg_program_group_size(const sg_module *module);

/* Does the module have no program, or one that fits the contract? Otherwise diagnostics at its
 * template. */
bool sg_program_check(sg_arena *arena, sg_diags *diags, const sg_module *module);

/* The program of a family: its text below the banner. */
const char *sg_program_text(sg_arena *arena, const sg_lowering *lowering, const sg_joined *joined);

/* Appends that text as strings, a table for each section. Not where it stands in a file. */
void sg_program_strings(sg_text *out, const sg_lowering *lowering, const sg_joined *joined);

/* Tables of one module, from place `*place` on; the last one declares module_program. Appends
 * them to pieces[*count...]: at most SG_PROGRAM_PIECES. */
enum { SG_PROGRAM_PIECES = 16 };
void sg_program_pieces(sg_arena *arena, const sg_plan *plan, const sg_joined *joined,
                       const sg_module *module, const sg_instance *instance, sg_piece *pieces,
                       size_t *count);

#endif
