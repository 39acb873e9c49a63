/* compiler_table.h: a file of targets/compilers (docs/reference/compilers.md): how programs of a
 * language are compiled for a device, and which lines of the output have a kernel's metrics. */
#ifndef SG_COMPILER_TABLE_H
#define SG_COMPILER_TABLE_H

#include "generator/base/input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a compiler may say of a kernel, in the order of the columns. */
typedef enum sg_metric {
    SG_REGISTERS,                /* of a lane: vector registers, where there are others too */
    SG_SCALAR_REGISTERS,         /* of a wave */
    SG_SPILLS,                   /* of these, how many had no place and went to memory */
    SG_SCALAR_SPILLS,            /* ... or to vector registers */
    SG_LOCAL_BYTES,              /* local memory of a work-group */
    SG_SCRATCH_BYTES,            /* memory of a work-item or thread that stands in for registers */
    SG_SIMD_WIDTH,               /* work-items of a thread */
    SG_WAVES,                    /* that a SIMD unit can hold at once */
    SG_METRICS
} sg_metric;

/* Their names in tables; NULL-terminated. */
extern const char *const sg_metric_names[SG_METRICS + 1];

typedef struct sg_metric_line {
    const char *title;           /* of the column */
    const char *line;            /* of the compiler's output, $ being the metric; NULL: not said */
    const char *absent;          /* the metric where the line is missing; NULL: an error */
} sg_metric_line;

/* A resource of which waves, or the work-groups that they belong to, each take a share. */
typedef struct sg_shared_resource {
    const char *name;            /* for people: "local memory" */
    const char *total;           /* the fact that says how much there is */
    const char *step;            /* the fact that shares are multiples of; NULL: 1 */
    int metric;                  /* what one takes: an sg_metric; SG_METRICS: 1 */
    bool is_of_groups;           /* a compute unit has it, and groups take shares; else a SIMD unit
                                    has it, and waves do */
} sg_shared_resource;

typedef struct sg_compiler {
    const char *name, *title;    /* the file's; and as people call it */
    const char *language;        /* a file of targets/dialects */
    const char *prefix;          /* text that is included in front of a program; "": with clang, the
                                    language's own for the reparse */
    const char *const *clang;    /* arguments of `clang -cc1`, in this process; NULL: a command */
    const char *const *command;  /* a program and its arguments; NULL: clang */
    const char *output;          /* a file of $DIR with more output than was printed; or "" */
    const char *install;         /* where the command comes from */
    const char *kernel;          /* the line that begins a kernel's part, $ being its name; NULL:
                                    the output has no metrics */
    sg_metric_line metrics[SG_METRICS];
    const sg_shared_resource *occupancy;   /* what bounds the number of waves */
    size_t occupancy_count;
    sg_input page;
} sg_compiler;

#ifdef __cplusplus
}
#endif
#endif
