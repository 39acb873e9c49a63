/* subprocess.h: runs a compiler that is a program of the system, in a temporary folder. */
#ifndef SG_SUBPROCESS_H
#define SG_SUBPROCESS_H

#include "generator/clang/compile.h"
#include "generator/verify/compiler.h"

/* Runs the compiler's command, with $FILE and $DIR replaced. Appends its output, and the file
 * `output` of the table, to log. Otherwise like sg_compile. */
sg_compiled sg_subprocess_compile(sg_arena *arena, sg_diags *diags, const sg_compiler *compiler,
                                  const sg_parse_file *unit, sg_text *log);

#endif
