/* module_tables.h: the tables that describe a module: spmv_module and what it points to. */
#ifndef SG_MODULE_TABLES_H
#define SG_MODULE_TABLES_H

#include "generator/join/join.h"
#include "generator/assemble/program.h"

/* Sets the module's kernel_symbols to the names that its kernels have in the joined text. */
void sg_module_name_kernels(sg_arena *arena, sg_module *module, const sg_joined *joined,
                            const sg_instance *instance);

/* Makes the tables the pieces of *tables, whose labels are set. joined: the text of the module, for
 * its names. program: of a module for another device; target: its number in the program. In a
 * bundle the tables are static, and leave out the parameters. */
void sg_module_tables(sg_arena *arena, const sg_module *module, const sg_joined *joined,
                      const sg_device_program *program, size_t target, sg_instance *tables);

#endif
