/* compile.h: an emitted text, compiled to a device's machine code by the LLVM that spmvgen is
 * linked with. The code is dropped; what the compiler says about it is what it is for. */
#ifndef SG_COMPILE_H
#define SG_COMPILE_H

#include "generator/clang/specialise_types.h"
#include "generator/base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sg_compiled {
    SG_COMPILED,
    SG_NOT_COMPILED,             /* something is wrong with the text */
    SG_NO_COMPILER               /* there is none here that could say so */
} sg_compiled;

typedef struct sg_compile_input {
    sg_parse_file unit;          /* its name is for messages */
    const char *language;        /* as Clang calls it: "cl" */
    const char *prefix;          /* text that is included in front of it */
    const char *prefix_file;     /* where that comes from, for messages */
    const char *const *args;     /* of `clang -cc1`, NULL-terminated; "-triple", "..." among them */
} sg_compile_input;

/* Appends to log what the compiler remarks, a line each. Diagnostics unless SG_COMPILED; a function
 * that is called and nowhere defined is an error, since what a call takes is not known. May run in
 * several threads at once, each with its own diags and log. */
sg_compiled sg_compile(sg_diags *diags, const sg_compile_input *input, sg_text *log);

/* "LLVM 19.1.7" */
const char *sg_compile_version(void);

#ifdef __cplusplus
}
#endif
#endif
