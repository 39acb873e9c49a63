/* backend.h: the interface of backends, which run programs of modules on devices other than the
 * CPU.
 *
 * A backend runs the programs of one language. A device of libspmv has at most one backend, and can
 * then run modules of that language alone. Layouts are built on the CPU, as for every module, and
 * copied to the device with the plan's state. Calls may run concurrently as spmv.h states for
 * devices and plans.
 */
#ifndef SPMV_BACKEND_H
#define SPMV_BACKEND_H

#include "runtime/base/text.h"
#include "runtime/core/threads/team.h"
#include "runtime/device/allocation_registry.h"
#include "runtime/spmv.h"

enum { SPMV_DEVICE_NAME_SIZE = 128 };

/* The beginning of an open device's state, common to all backends. */
typedef struct spmv_backend_state {
    spmv_allocation_registry allocations;    /* shared by host and device */
    char name[SPMV_DEVICE_NAME_SIZE];        /* of the device, from its driver */
} spmv_backend_state;

typedef struct spmv_backend {
    const char *language;        /* spmv_program.language */

    size_t state_bytes;          /* of an open device's state */

    /* Opens the device of the caller's queue, else (NULL) the device whose name has `wanted`
     * (spmv_text_has), else (NULL) the one that the backend prefers. The state's registry is ready,
     * the rest is zero. close is called after an error, too. Error texts have no prefix yet. */
    spmv_status (*open)(void *state, const char *wanted, void *queue, spmv_error *err);
    void (*close)(void *state);

    /* Returns 1 if the device cannot run the module, and appends the reason to `why`. */
    int (*refuses)(const void *state, const spmv_module *module, spmv_text *why);

    /* Memory that the device shares with the host, for layouts of the module or for callers (NULL).
     * *out == NULL with SPMV_OK: they share none. free returns 0 for other memory. */
    spmv_status (*alloc)(void *state, const spmv_module *module, size_t bytes, void **out);
    int (*free)(void *state, void *memory);

    /* Sets *is_hidden if, according to the driver, only the device can read this memory. NULL: no
     * pointer points to memory of a device. */
    spmv_status (*look)(void *state, const void *memory, int *is_hidden, spmv_error *err);

    /* Copies memory that is hidden from the host to `to`, behind earlier commands of the device's
     * queue, and waits. `name` is the array's, for error texts. NULL if look is. */
    spmv_status (*fetch)(void *state, const char *name, const void *memory, size_t bytes, void *to,
                         spmv_error *err);

    /* Makes the plan's state on the device: the module's program and a copy of the layout, which
     * has been built and must outlive the state. threads: for host steps. */
    spmv_status (*plan_create)(void *state, const spmv_module *module, const spmv_layout *layout,
                               const spmv_threads *threads, void **plan_state, spmv_error *err);
    void (*plan_destroy)(void *plan_state);

    /* Copies the layout's values again after they have changed. */
    spmv_status (*take_values)(void *plan_state, spmv_error *err);

    /* Runs the steps that the module lists for the job. time: room for SPMV_MAX_STEPS times of
     * steps and copies, or NULL; *count: how many were written. */
    spmv_status (*execute)(void *plan_state, const spmv_job *job, spmv_step_time *time,
                           int32_t *count);

    /* Starts the same steps without waiting for them. The vectors x and y are in the device's
     * memory; the job's are not set. */
    spmv_status (*enqueue)(void *plan_state, const spmv_job *job, void *x, void *y,
                           const spmv_enqueue_options *options);
} spmv_backend;

/* Allocates a state and opens the device; closes the device and frees the state with all shared
 * memory. */
spmv_status spmv_backend_open(const spmv_backend *backend, const char *wanted, void *queue,
                              void **state, spmv_error *err);
void spmv_backend_close(const spmv_backend *backend, void *state);

/* Memory for a layout of the module, or for vectors (NULL): shared by device and host, or ordinary
 * memory of the host if they share none. backend may be NULL. */
spmv_status spmv_backend_alloc(const spmv_backend *backend, void *state, const spmv_module *module,
                               size_t bytes, void **out);
void spmv_backend_free(const spmv_backend *backend, void *state, void *memory);

/* The device's name, from its driver. */
const char *spmv_backend_device_name(const void *state);

/* SPMV_INVALID_ARGUMENT if the host cannot read `memory`, which the error text calls `what`.
 * backend may be NULL. */
spmv_status spmv_check_host_memory(const spmv_backend *backend, void *state, const void *memory,
                                   const char *what, spmv_error *err);

/* Returns 1 if a kernel needs more work-items or local memory than a work-group of the device may
 * have, and appends the reason to `why`. dynamic_memory: the most of declared and dynamic local
 * memory together; 0: there is no dynamic local memory. */
int spmv_program_exceeds(const spmv_program *program, uint64_t work_group_size,
                         uint64_t local_memory, uint64_t dynamic_memory, spmv_text *why);

#endif
