/* compiler_table.h: a file of targets/compilers (docs/reference/compilers.md): how programs of a
 * language are compiled for a device, and which lines of the output have a kernel's metrics. */
#ifndef SG_COMPILER_TABLE_H
#define SG_COMPILER_TABLE_H

#include "generator/base/input.h"

/* Metrics of a kernel that a compiler may print, in the order of the columns. */
typedef enum sg_metric {
    SG_REGISTERS,                /* per lane; vector registers, if there are scalar ones too */
    SG_SCALAR_REGISTERS,         /* per wave */
    SG_SPILLS,                   /* registers spilled to memory */
    SG_SCALAR_SPILLS,            /* scalar registers spilled to memory or vector registers */
    SG_LOCAL_BYTES,              /* local memory of a work-group */
    SG_SCRATCH_BYTES,            /* memory of a work-item or thread used in place of registers */
    SG_SIMD_WIDTH,               /* work-items per thread */
    SG_WAVES,                    /* waves that a SIMD unit can hold at once */
    SG_METRICS
} sg_metric;

/* Names of the metrics in tables; NULL-terminated. */
extern const char *const sg_metric_names[SG_METRICS + 1];

typedef struct sg_metric_line {
    const char *title;           /* of the column */
    const char *line;            /* of the output, $ being the metric; NULL: not printed */
    const char *absent;          /* the metric if the line is missing; NULL: that is an error */
} sg_metric_line;

/* A resource that waves, or the work-groups that they belong to, share. */
typedef struct sg_shared_resource {
    const char *name;            /* in messages: "local memory" */
    const char *total;           /* the fact with the total amount */
    const char *step;            /* the fact that shares are multiples of; NULL: 1 */
    int metric;                  /* the share of one: an sg_metric; SG_METRICS: 1 */
    bool is_of_groups;           /* groups share that of a compute unit; else waves share that of a
                                    SIMD unit */
} sg_shared_resource;

typedef struct sg_compiler {
    const char *name, *title;    /* the file's name; the name in messages */
    const char *language;        /* a file of targets/dialects */
    const char *prefix;          /* text that is included before a program; "": with clang, the
                                    language's prefix for the reparse */
    const char *const *clang;    /* arguments of `clang -cc1`, in this process; NULL: a command */
    const char *const *command;  /* a program and its arguments; NULL: clang */
    const char *output;          /* a file of $DIR with further output; or "" */
    const char *install;         /* where the command comes from */
    const char *kernel;          /* the line that begins a kernel's part, $ being its name; NULL:
                                    the output has no metrics */
    sg_metric_line metrics[SG_METRICS];
    const sg_shared_resource *occupancy;   /* resources that bound the number of waves */
    size_t occupancy_count;
    sg_input page;
} sg_compiler;

#endif
