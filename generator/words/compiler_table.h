/* compiler_table.h: what a file of targets/compilers states (docs/dialects.md): how texts of a
 * language are compiled for a device, and which lines of the compiler's output describe a kernel. */
#ifndef SG_COMPILER_TABLE_H
#define SG_COMPILER_TABLE_H

#include "generator/base/input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a kernel takes, as far as a compiler says it. In the order of the columns. */
typedef enum sg_figure {
    SG_REGISTERS,                /* of a lane: vector registers, where there are others too */
    SG_SCALAR_REGISTERS,         /* of a wave */
    SG_SPILLS,                   /* of these, how many had no place and went to memory */
    SG_SCALAR_SPILLS,            /* ... or to vector registers */
    SG_LOCAL_BYTES,              /* local memory of a work-group */
    SG_SCRATCH_BYTES,            /* memory of a work-item or thread that stands in for registers */
    SG_SIMD_WIDTH,               /* work-items of a thread */
    SG_WAVES,                    /* that a SIMD unit can hold at once */
    SG_FIGURES
} sg_figure;

/* Their names in tables; NULL-terminated. */
extern const char *const sg_figure_names[SG_FIGURES + 1];

typedef struct sg_figure_line {
    const char *title;           /* of the column */
    const char *line;            /* of the compiler's words, with $ for it; NULL: it does not say */
    const char *absent;          /* the figure where the line is missing; NULL: that is an error */
} sg_figure_line;

typedef struct sg_compiler {
    const char *name, *title;    /* the file's; and as people call it */
    const char *language;        /* a file of targets/dialects */
    const char *prefix;          /* text that is included in front of a program; "": with clang, the
                                    language's own for the reparse */
    const char *const *clang;    /* arguments of `clang -cc1`, in this process; NULL: a command */
    const char *const *command;  /* a program and its arguments; NULL: clang */
    const char *output;          /* the file of $DIR that holds more words than it printed; or "" */
    const char *install;         /* where the command comes from */
    const char *kernel;          /* the line that begins a kernel's part, with $ for its name; NULL:
                                    the words say nothing, that a text compiles is all */
    sg_figure_line figures[SG_FIGURES];
    sg_input page;
} sg_compiler;

#ifdef __cplusplus
}
#endif
#endif
