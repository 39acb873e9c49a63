/* kernel_resources.h: what kernels take of a device, as a table. */
#ifndef SG_KERNEL_RESOURCES_H
#define SG_KERNEL_RESOURCES_H

#include "generator/emit/module.h"
#include "generator/verify/occupancy.h"
#include "generator/base/text.h"

typedef struct sg_taken {
    const sg_module *module;
    const char *kernel;          /* as the template calls it */
    const char *symbol;          /* as the program does */
    sg_figures figures;
    sg_occupancy occupancy;
} sg_taken;

/* Appends a table. Of a method and value type, whose rows follow each other in `taken`, those with
 * equal kernels and figures become one. */
void sg_taken_print(sg_arena *arena, const sg_compiler *compiler, const sg_taken *taken,
                    size_t count, sg_text *out);

#endif
