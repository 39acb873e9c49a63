/* report.h: what gpubench found, as JSON; bench/gpu/report.py joins the files of many matrices. */
#ifndef GPU_REPORT_H
#define GPU_REPORT_H

#include <stdio.h>

#include "bench/gpu/copy.h"
#include "bench/gpu/contender.h"

typedef struct gpu_report {
    const gpu_device *device;
    int cusparse;                /* version; 0: not known */
    const gpu_bandwidth *bandwidth;      /* or NULL, and then these */
    const gpu_problem *problem;
    const gpu_contender *contenders;
    size_t count;
    size_t replicas;
    const char *no_modules;      /* why there is none of libspmv's, or "" */
    bool is_complete;            /* false: some ways, or the check after them, are still to come */
} gpu_report;

/* Before any work: whether the file may and can be written; if not, a sentence is in message. */
bool gpu_report_can_write(const char *path, char *message, size_t message_bytes);

bool gpu_report_write(const gpu_report *report, const char *path, char *message,
                      size_t message_bytes);

/* A line for each contender, for people who look on. */
void gpu_report_print(const gpu_report *report, FILE *out);

#endif
