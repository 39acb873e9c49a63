/* program.h: the program of a module for another device than the CPU: the text of its own file, and
 * the same text and its kernels as tables of the module (spmv_program of spmv_module.h). */
#ifndef SG_PROGRAM_H
#define SG_PROGRAM_H

#include "module.h"

/* The parameter that says how many work-items a work-group of the program's kernels has. */
#define SG_WORK_GROUP_SIZE "WORK_GROUP_SIZE"

/* And the one that says how many of them a subgroup has, 1 where there is none. */
#define SG_SUBGROUP_SIZE "SUBGROUP_SIZE"

/* The former; NULL where the method declares none. */
const sg_param *sg_program_group_size(const sg_module *module);

/* Does the program fit the contract? Otherwise diagnostics at its template. */
bool sg_program_check(sg_diags *diags, const sg_module *module);

/* Its file. The module's inputs must be known. */
sg_output sg_program_make(sg_arena *arena, const sg_plan *plan, const sg_module *module);

/* Appends the tables, the last of which is module_program. */
void sg_program_table(sg_text *out, const sg_plan *plan, const sg_module *module);

#endif
