/* module.h: one variant, specialised: its pieces and their hash. source.h puts the modules of a
 * method into one file. */
#ifndef SG_MODULE_H
#define SG_MODULE_H

#include "generator/join/instance.h"
#include "generator/plan/plan.h"

typedef struct sg_module {
    const sg_plan *plan;
    const sg_variant *variant;
    int64_t rank;                /* the target's */
    sg_spec_output spec;         /* of the module itself: simd.c, or host.c around a program */
    sg_spec_output kernels;      /* of its program: simt.c; empty if there is none */
    uint64_t source_hash;        /* of the module's texts and values, the contract and the version;
                                    not of other modules in its file */
    const char *const *kernel_symbols;   /* the names in the text of sg_module_kernels' kernels, in
                                            their order; set by those who join them */
} sg_module;

/* The axes that modules differ on: value types, types of row pointers, targets, methods. */
enum { SG_TARGET_AXIS = 2, SG_METHOD_AXIS, SG_MODULE_AXES };

/* The module on these axes, with the pieces of `spec` or `kernels`. */
sg_instance sg_module_instance(const sg_module *module, const sg_spec_output *of);

/* Specialises the module's variant. Plans are constant, so that several modules may be made at
 * once, each with its own arena and diagnostics. */
bool sg_module_make(sg_arena *arena, sg_diags *diags, sg_module *module);

/* True if the module's texts depend on the parameter's value. */
bool sg_module_uses(const sg_module *module, size_t param);

/* The kernels that the module's device runs; that is the CPU if it has no program. */
const sg_spec_output *sg_module_kernels(const sg_module *module);

#endif
