/* run.h: a running multiplication on a device. It has steps, and memory is moved between kernels
 * and host steps.
 *
 * Runs of every backend begin with spmv_run. After a call of the API has failed nothing more is
 * started, and the code of that call is kept.
 */
#ifndef SPMV_RUN_H
#define SPMV_RUN_H

#include "runtime/device/device_plan.h"
#include "runtime/device/launch_list.h"
#include "runtime/device/step_times.h"

typedef struct spmv_run {
    spmv_device_plan *p;
    spmv_slot *slot;
    spmv_job job;                /* y: in memory of the host, or NULL */
    spmv_area x, y;              /* the arguments of kernels */
    int y_is_with_host;          /* the host has the newest y */
    spmv_times times;
    const char *doing;           /* the current step */
    int code;                    /* of the first call of the API that failed; 0: none */
    spmv_status status;          /* of any other failure, with its text in err */
    spmv_error *err;             /* may be NULL */
} spmv_run;

/* Bytes of the text that spmv_run_doing writes. */
enum { SPMV_DOING_SIZE = 96 };

int spmv_run_is_failed(const spmv_run *r);

/* Writes "multiply (STEP)" with the current step, for an error text. */
void spmv_run_doing(const spmv_run *r, char doing[SPMV_DOING_SIZE]);

/* The memory that a pointer argument of a kernel is bound to. */
spmv_area spmv_run_area(const spmv_run *r, spmv_binding binding);

/* Waits for the copies that were started at time `start`, and adds their duration to the profile.
 * Without a profile it does nothing. */
void spmv_run_note_copies(spmv_run *r, const char *name, double start);

/* Copies the parts of the workspace that host steps read to the host (to_host), or those that they
 * wrote to the device. A shared workspace is lent or taken back as a whole. */
void spmv_run_move_parts(spmv_run *r, int32_t access, int to_host);

/* Copies or lends the newest y from the host to the device. */
void spmv_run_send_y(spmv_run *r);

/* Runs all steps of the list. Before a host step, y and the parts of the workspace that the step
 * reads are copied to the host; afterwards those that it wrote are copied back. */
void spmv_run_steps(spmv_run *r, const spmv_launch_list *list);

#endif
