/* backend.h: what runs the programs of modules on another device than the CPU.
 *
 * A backend takes the programs of one language. A device of libspmv has at most one, opened with
 * it; the modules that it can run are then those of that language. Layouts are built on the CPU, as
 * for every module; a plan's state here is what the device has of them. Devices and plans of
 * libspmv say which calls may run at once; a backend keeps to the same rules.
 */
#ifndef SPMV_BACKEND_H
#define SPMV_BACKEND_H

#include "runtime/spmv.h"
#include "runtime/base/text.h"
#include "runtime/device/allocation_registry.h"
#include "runtime/threads/team.h"

enum { SPMV_DEVICE_NAME_SIZE = 128 };

/* What the state of an open device begins with, whatever its backend. */
typedef struct spmv_backend_state {
    spmv_allocation_registry allocations;    /* that host and device share */
    char name[SPMV_DEVICE_NAME_SIZE];        /* of the device, as its driver calls it */
} spmv_backend_state;

typedef struct spmv_backend {
    const char *language;        /* spmv_program.language */

    size_t state_bytes;          /* of an open device's state */

    /* Opens the device whose name contains `wanted`, or the one that it prefers (NULL); of a queue
     * of the caller's (NULL: none) its device. state: its registry is ready, all else is zero;
     * close comes after an error, too. Error texts have no prefix yet. */
    spmv_status (*open)(void *state, const char *wanted, void *queue, spmv_error *err);
    void (*close)(void *state);

    /* 1 if the device cannot run the module; `why` then gets the end of a sentence. */
    int (*refuses)(const void *state, const spmv_module *module, spmv_text *why);

    /* Memory that the device shares with the host: for layouts of the module, or what callers ask
     * for (NULL). *out is NULL with SPMV_OK where they share none. free returns 0 for other
     * memory. */
    spmv_status (*alloc)(void *state, const spmv_module *module, size_t bytes, void **out);
    int (*free)(void *state, void *memory);

    /* *is_hidden: only the device can read this memory, as far as the driver tells. NULL: no
     * pointer is to such memory. */
    spmv_status (*look)(void *state, const void *memory, int *is_hidden, spmv_error *err);

    /* Makes what a plan has on the device: the module's program and its layout, which is built and
     * stays where it is. threads: for host steps. */
    spmv_status (*plan_create)(void *state, const spmv_module *module, const spmv_layout *layout,
                               const spmv_threads *threads, void **plan_state, spmv_error *err);
    void (*plan_destroy)(void *plan_state);

    /* The layout's values have changed. */
    spmv_status (*take_values)(void *plan_state, spmv_error *err);

    /* The steps that the module lists for the job. time: SPMV_MAX_STEPS of them, for transfers too,
     * or NULL; *count: how many were written. */
    spmv_status (*execute)(void *plan_state, const spmv_job *job, spmv_step_time *time,
                           int32_t *count);

    /* The same, started and not waited for: of vectors in the device's memory. The job has
     * neither. */
    spmv_status (*enqueue)(void *plan_state, const spmv_job *job, void *x, void *y,
                           const spmv_enqueue_options *options);
} spmv_backend;

/* All that were built in, NULL-terminated. */
extern const spmv_backend *const spmv_backends[];

/* The backend of a language; NULL: none. */
const spmv_backend *spmv_backend_find(const char *language);

/* Allocates the state and opens the backend's device; closes it, and frees what it still shares. */
spmv_status spmv_backend_open(const spmv_backend *backend, const char *wanted, void *queue,
                              void **state, spmv_error *err);
void spmv_backend_close(const spmv_backend *backend, void *state);

/* The device's name, as its driver calls it. */
const char *spmv_backend_device_name(const void *state);

/* SPMV_INVALID_ARGUMENT and words where `memory`, which is called `what`, is hidden from the host
 * by the device that the backend (NULL: none) has opened. */
spmv_status spmv_check_host_memory(const spmv_backend *backend, void *state, const void *memory,
                                   const char *what, spmv_error *err);

/* 1 if a kernel asks for more work-items or bytes of local memory than a work-group of the device
 * may have; `why` then gets the end of a sentence. */
int spmv_program_exceeds(const spmv_program *program, uint64_t work_group_size,
                         uint64_t local_memory, spmv_text *why);

#endif
