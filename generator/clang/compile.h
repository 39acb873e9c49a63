/* compile.h: compiles an emitted text to a device's machine code, by the LLVM that spmvgen is
 * linked with. Only the compiler's remarks are kept, not the code. */
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
    SG_NO_COMPILER               /* none that knows the device is installed */
} sg_compiled;

typedef struct sg_compile_input {
    sg_parse_file unit;          /* its name is for messages */
    const char *language;        /* as Clang calls it: "cl" */
    const char *prefix;          /* text that is included in front of it */
    const char *prefix_file;     /* where that comes from, for messages */
    const char *const *args;     /* of `clang -cc1`, NULL-terminated; "-triple", "..." among them */
} sg_compile_input;

/* Appends the compiler's remarks to log, a line each. Diagnostics unless SG_COMPILED. A call of a
 * function that is defined nowhere is an error, since its resources are not known. May run in
 * several threads at once, each with its own diags and log. */
sg_compiled sg_compile(sg_diags *diags, const sg_compile_input *input, sg_text *log);

/* "LLVM 19.1.7" */
const char *sg_compile_version(void);

#ifdef __cplusplus
}
#endif
#endif
