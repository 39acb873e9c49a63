/* module.h: the text of one emitted module: banner, specialised template, module table; and, where it
 * is for another device than the CPU, that of its program, which the module also embeds. */
#ifndef SG_MODULE_H
#define SG_MODULE_H

#include "plan.h"
#include "specialise.h"
#include "text.h"

/* A file to be written. */
typedef struct sg_output {
    const char *name;            /* without a folder */
    const char *text;
    size_t length;
    uint64_t hash;               /* of the text */
} sg_output;

typedef struct sg_module {
    const sg_variant *variant;
    sg_spec_output spec;         /* of the module itself: simd.c, or host.c around a program */
    sg_spec_output kernels;      /* of its program: simt.c; empty where there is none */
    const sg_page *inputs;       /* everything that this file was made from, sorted by name */
    size_t input_count;
    uint64_t source_hash;        /* of the file's text with zeros in place of this hash: differs where
                                    any input, the version or what the generator makes of them does */
    sg_output output;
    sg_output program;           /* without a name where there is none */
} sg_module;

/* Specialises and composes one variant. Plans are constant, so that several modules may be made at
 * once, each with its own arena and diagnostics. */
bool sg_module_make(sg_arena *arena, sg_diags *diags, const sg_plan *plan,
                    const sg_variant *variant, sg_module *out);

sg_output sg_output_make(const char *name, const char *text, size_t length);

/* The banner of a module's file, which may be its program's. */
void sg_module_banner(sg_text *out, const sg_plan *plan, const sg_module *module, const char *file);

/* The first lines of every emitted file, without the end of the comment. */
void sg_banner_open(sg_text *out, const sg_plan *plan, const char *file, const char *subject);

/* Text that may stand in a C comment, and a C string literal with its quotes. */
const char *sg_in_comment(sg_arena *arena, const char *text);
const char *sg_c_string(sg_arena *arena, const char *text);

/* "insert (0)" for a named choice, "8" otherwise. */
const char *sg_param_shown(sg_arena *arena, const sg_param *param);

/* The choice's name, or NULL. */
const char *sg_param_choice(const sg_param *param);

#endif
