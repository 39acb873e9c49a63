/* report.h: gpubench's results as JSON; bench/gpu/report.py joins the files of many matrices. */
#ifndef GPU_REPORT_H
#define GPU_REPORT_H

#include <stdio.h>

#include "bench/gpu/copy.h"
#include "bench/gpu/contender.h"
#include "runtime/spmv.h"

typedef struct gpu_report {
    const gpu_device *device;
    int cusparse;                /* version; 0: unknown */
    const gpu_bandwidth *bandwidth;      /* NULL: the members below */
    const gpu_problem *problem;
    const gpu_contender *contenders;
    size_t count;
    size_t replicas;
    const char *no_modules;      /* reason why libspmv has no modules, or "" */
    bool is_complete;            /* false: modes, or the last check, are missing */
} gpu_report;

/* Whether the file can be written, checked before any work; if not, a sentence is in error. */
bool gpu_report_can_write(const char *path, spmv_error *error);

bool gpu_report_write(const gpu_report *report, const char *path, spmv_error *error);

/* Prints a line for each contender. */
void gpu_report_print(const gpu_report *report, FILE *out);

#endif
