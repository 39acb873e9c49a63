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
    SG_NOT_COMPILED,             /* the text has an error */
    SG_NO_COMPILER               /* no installed compiler supports the device */
} sg_compiled;

typedef struct sg_compile_input {
    sg_parse_file unit;          /* its name is for messages */
    const char *language;        /* Clang's name for it: "cl" */
    const char *prefix;          /* text that is included before the unit */
    const char *prefix_file;     /* the file of that text, for messages */
    const char *const *args;     /* of `clang -cc1`, NULL-terminated; "-triple", "..." among them */
} sg_compile_input;

/* Appends the compiler's remarks to log, a line each. Adds to diags unless it returns SG_COMPILED.
 * A call of a function that is defined nowhere is an error, since the function's resources are not
 * known. May run in several threads at once, each with its own diags and log. */
sg_compiled sg_compile(sg_diags *diags, const sg_compile_input *input, sg_text *log);

/* "LLVM 19.1.7" */
const char *sg_compile_version(void);

#ifdef __cplusplus
}
#endif
#endif
