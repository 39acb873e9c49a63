/* subprocess.h: a compiler that is a program of the system, run on a text in a folder of its own, which
 * is gone afterwards. */
#ifndef SG_SUBPROCESS_H
#define SG_SUBPROCESS_H

#include "generator/clang/compile.h"
#include "generator/verify/compiler.h"

/* The compiler's command, with $FILE and $DIR put into it. Appends to log what it printed and what
 * stands in its output; as sg_compile otherwise. */
sg_compiled sg_subprocess_compile(sg_arena *arena, sg_diags *diags, const sg_compiler *compiler,
                           const sg_parse_file *unit, sg_text *log);

#endif
