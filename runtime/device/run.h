/* run.h: a multiplication on a device, while it runs: its steps, and how memory changes hands
 * between kernels and host steps.
 *
 * Backends share this: their runs begin with spmv_run. After the first call that fails nothing more
 * is started; the code of that call is kept.
 */
#ifndef SPMV_RUN_H
#define SPMV_RUN_H

#include "runtime/device/device_plan.h"
#include "runtime/device/launch_list.h"
#include "runtime/device/step_times.h"

typedef struct spmv_run {
    spmv_device_plan *p;
    spmv_slot *slot;
    spmv_job job;                /* y: where the host has it, if anywhere */
    spmv_area x, y;              /* what kernels get */
    int y_is_home;               /* the host has the newest y */
    spmv_times times;
    const char *doing;           /* the step that is under way */
    int code;                    /* of the API's first call that failed; 0: none did */
    spmv_status status;          /* what else failed, with its text in err */
    spmv_error *err;             /* may be NULL */
} spmv_run;

/* Room for what spmv_run_doing writes. */
enum { SPMV_DOING_SIZE = 96 };

int spmv_run_is_failed(const spmv_run *r);

/* What was under way, for an error text: "multiply (STEP)". */
void spmv_run_doing(const spmv_run *r, char doing[SPMV_DOING_SIZE]);

/* What a pointer argument of a kernel is bound to. */
spmv_area spmv_run_area(const spmv_run *r, spmv_binding binding);

/* Copies were started at `start`: their time in a profile, once they have ended. */
void spmv_run_note_copies(spmv_run *r, const char *name, double start);

/* Moves what host steps use of the workspace: with to_host what they read, else what they wrote. A
 * workspace that is shared is handed over whole, or stays. */
void spmv_run_move_parts(spmv_run *r, int32_t access, int to_host);

/* The device is to use y, and the host has the newest. */
void spmv_run_send_y(spmv_run *r);

/* Runs all steps of the list: kernels on the device, and between them host steps, which get y and
 * the parts of the workspace that they say they use in memory of the host; what they write goes
 * back. */
void spmv_run_steps(spmv_run *r, const spmv_launch_list *list);

#endif
