/* options.h: gpubench's command line. Strings point into argv. */
#ifndef GPU_OPTIONS_H
#define GPU_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/spmv.h"

typedef struct gpu_options {
    const char *matrix;          /* a look-alike; NULL: none */
    const char *shape;           /* NULL: none */
    double size;                 /* of the shape; -1: its typical one */
    int64_t seed;                /* of the matrix, and of x and y */
    const char *type, *offset;   /* "f32" or "f64"; "i32" or "i64" */
    const char *device, *target; /* of libspmv; target NULL: all that the device runs */
    const char *json, *faults;   /* files; NULL: none */
    const char *only;            /* parts of the variants' labels, with commas; NULL: all */
    double beta;
    double patience;             /* seconds */
    int64_t modes;               /* the first of these many modes are timed */
    bool bandwidth, describe, matrix_on_device, probe, profile, help, version;
} gpu_options;

/* Fills *out. False, with a sentence in error, if the command line is wrong. */
bool gpu_options_parse(int argc, char *const *argv, gpu_options *out, spmv_error *error);

void gpu_options_help(FILE *out);

#endif
