/* device_plan.h: what a plan has on a device, and what one multiplication has there for itself.
 *
 * Backends share this: their plans and slots begin with these structs, and what an API must do
 * stands in a table of functions.
 *
 *     host                         device
 *     layout, borrowed arrays ---> csr[], array[]         when the plan is made, and for new values
 *     x, y (unless beta is 0) ---> slot.x, slot.y         each execute
 *                                  kernels
 *     y                       <--- slot.y
 *
 * An arrow is a copy. Where host and device share the memory nothing is copied.
 */
#ifndef SPMV_DEVICE_PLAN_H
#define SPMV_DEVICE_PLAN_H

#include "runtime/device/arguments.h"
#include "runtime/device/slot_pool.h"
#include "runtime/module/layout.h"
#include "runtime/threads/team.h"

struct spmv_device_ops;

/* What a pointer argument of a kernel points to: one of the two, or nothing. */
typedef struct spmv_area {
    void *buffer;                /* memory of the device: its address or, in OpenCL, its object */
    void *shared;                /* memory that host and device both see */
} spmv_area;

/* What one multiplication has for itself. Made when it is first needed; until then all is zero. */
typedef struct spmv_slot {
    int index;                   /* in the plan */
    int is_made;
    void *x, *y;                 /* buffers: copies of vectors that the device does not see */
    spmv_area part[SPMV_MAX_PARTS];
    void *workspace;             /* what host steps see of the parts: the parts themselves, or a
                                    copy; NULL where there is no host step */
    int is_shared;               /* workspace is the parts themselves */
    int is_home;                 /* likewise, where shared memory is lent to the device: the host
                                    has it, during a host step or after an error */
    void *host_y;                /* for host steps, where y is a buffer of the caller's */
} spmv_slot;

typedef struct spmv_device_plan {
    const struct spmv_device_ops *ops;
    void *state;                 /* the backend's: the open device */
    const spmv_module *module;
    const spmv_layout *layout;   /* of the plan, as are threads */
    const spmv_threads *threads;
    int shares;                  /* parts are in shared memory, where host steps use them */
    spmv_area csr[SPMV_CSR_ARRAYS];
    spmv_area array[SPMV_MAX_ARRAYS];
    spmv_bindings bindings;
    spmv_slot *slot[SPMV_SLOTS]; /* in the backend's plan */
    spmv_slot_pool slots;        /* who has which: while an execute or enqueue is within libspmv,
                                    and for good once a graph has captured one */
} spmv_device_plan;

struct spmv_run;

/* What an API must do. */
typedef struct spmv_device_ops {
    /* Makes a buffer of the size; `what` names it in errors. NULL for no bytes. */
    spmv_status (*buffer_make)(void *state, const char *what, size_t bytes, void **buffer,
                               spmv_error *err);
    void (*buffer_free)(void *state, void **buffer);

    /* Makes the area what the device sees of an array of the host that the plan keeps: the array
     * itself where they share it, else a buffer with its contents, made unless the area has one. */
    spmv_status (*area_take)(spmv_device_plan *p, const char *what, const void *data, size_t bytes,
                             spmv_area *area, spmv_error *err);

    /* Memory for both. *out is NULL with SPMV_OK where any memory of the host is shared. free
     * returns 0 for other memory. */
    spmv_status (*shared_alloc)(void *state, size_t bytes, void **out);
    int (*shared_free)(void *state, void *memory);

    /* What a slot has beside memory. On error what was made stays for slot_close, which waits for
     * the slot's commands first. */
    spmv_status (*slot_open)(spmv_device_plan *p, spmv_slot *slot, spmv_error *err);
    void (*slot_close)(spmv_device_plan *p, spmv_slot *slot);

    /* The device gets a slot's new workspace, which is shared. NULL: nothing is to be done. */
    spmv_status (*slot_lend)(spmv_device_plan *p, spmv_slot *slot, spmv_error *err);

    /* Copies between a buffer and the host, and waiting until all of a multiplication has ended.
     * Nothing happens after a call that failed. */
    void (*write)(struct spmv_run *r, void *buffer, const void *data, size_t bytes);
    void (*read)(struct spmv_run *r, void *data, void *buffer, size_t bytes);
    void (*wait)(struct spmv_run *r);
    int copies_block;            /* write and read return once the copy has ended */

    /* Starts a kernel of the program, with its time in a profile. */
    void (*launch)(struct spmv_run *r, int32_t kernel, const spmv_step *step);

    /* Shared memory goes to the device and back. NULL: both may use it without. */
    void (*lend)(struct spmv_run *r, const void *memory);
    void (*take_back)(struct spmv_run *r, const void *memory);
} spmv_device_ops;

/* ---- the layout ---------------------------------------------------------------------------- */

/* Fills a plan of zeros, whose slots the backend has set, and binds the kernels' arguments. */
spmv_status spmv_device_plan_begin(spmv_device_plan *p, const spmv_device_ops *ops, void *state,
                                   const spmv_module *module, const spmv_layout *layout,
                                   const spmv_threads *threads, spmv_error *err);

/* Gives the device the plan's layout and what it borrows; or those of its arrays that hold values,
 * which have changed. */
spmv_status spmv_device_plan_take_layout(spmv_device_plan *p, spmv_error *err);
spmv_status spmv_device_plan_take_values(spmv_device_plan *p, spmv_error *err);

/* Frees all slots and buffers. */
void spmv_device_plan_clear(spmv_device_plan *p);

/* ---- slots --------------------------------------------------------------------------------- */

/* Makes the slot complete but for x, y and host_y. On error what was made stays for
 * spmv_slot_free. */
spmv_status spmv_slot_make(spmv_device_plan *p, spmv_slot *slot, spmv_error *err);
void spmv_slot_free(spmv_device_plan *p, spmv_slot *slot);

/* A slot for one multiplication in this queue. NULL: *status says why, and *err, which may be NULL;
 * SPMV_BUSY has no text yet. */
spmv_slot *spmv_slot_take(spmv_device_plan *p, spmv_slot_kind kind, void *queue,
                          spmv_status *status, spmv_error *err);
void spmv_slot_give_back(spmv_device_plan *p, const spmv_slot *slot);

#endif
