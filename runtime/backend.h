/* backend.h: what runs the programs of modules on another device than the CPU.
 *
 * A backend takes the programs of one language. A device of libspmv has at most one, opened with it;
 * the modules that it can run are then those of that language. Layouts are built on the CPU, as for
 * every module; a plan's state here is what the device has of them. Devices and plans of libspmv
 * say which calls may run at once; a backend keeps to the same rules.
 */
#ifndef SPMV_BACKEND_H
#define SPMV_BACKEND_H

#include "spmv.h"

typedef struct spmv_backend {
    const char *language;        /* spmv_program.language */

    /* Opens the device whose name contains `wanted`, or the one that it prefers (NULL). Error texts
     * have no prefix yet. */
    spmv_status (*open)(const char *wanted, void **state, spmv_error *err);
    void (*close)(void *state);

    /* The device as its driver calls it. */
    const char *(*name)(const void *state);

    /* Why the device cannot run the module, as the end of a sentence; NULL: it can. */
    const char *(*refuses)(const void *state, const spmv_module *module);

    /* What a plan has on the device: its program, its layout. The plan's layout is built, what it
     * borrows is there. */
    spmv_status (*plan_create)(void *state, const spmv_plan *plan, void **plan_state,
                               spmv_error *err);
    void (*plan_destroy)(void *plan_state);

    /* The layout's values have changed. */
    spmv_status (*take_values)(void *plan_state, spmv_error *err);

    /* The steps that the module lists for the job. time: SPMV_MAX_STEPS of them, for transfers too, or
     * NULL; *count: how many were written. */
    spmv_status (*execute)(void *plan_state, const spmv_job *job, spmv_step_time *time,
                           int32_t *count);
} spmv_backend;

/* All that were built in, NULL-terminated. */
extern const spmv_backend *const spmv_backends[];

/* The backend of a language; NULL: none. */
const spmv_backend *spmv_backend_find(const char *language);

#endif
