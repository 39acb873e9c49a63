/* kernel_resources.h: prints a table of registers, memory and occupancy of kernels. */
#ifndef SG_KERNEL_RESOURCES_H
#define SG_KERNEL_RESOURCES_H

#include "generator/assemble/module.h"
#include "generator/verify/occupancy.h"
#include "generator/base/text.h"

typedef struct sg_kernel_resources {
    const sg_module *module;
    const char *kernel;          /* its name in the template */
    const char *symbol;          /* its name in the program */
    sg_metrics metrics;
    sg_occupancy occupancy;
} sg_kernel_resources;

/* Appends a table. Kernels of one method and value type stand together in `resources`; those with
 * the same name and the same metrics share a row. */
void sg_kernel_resources_print(sg_arena *arena, const sg_compiler *compiler,
                               const sg_kernel_resources *resources, size_t count, sg_text *out);

#endif
