/* device_plan.h: a plan's arrays on a device, and slots, the resources of one multiplication.
 *
 * Plans and slots of every backend begin with these structs. spmv_device_ops has the functions that
 * depend on the API.
 *
 *     host                         device
 *     layout, borrowed arrays ---> csr[], array[]         when the plan is made, and for new values
 *     x, y (unless beta is 0) ---> slot.x, slot.y         each execute
 *                                  kernels
 *     y                       <--- slot.y
 *
 * An arrow is a copy. Shared memory is not copied.
 */
#ifndef SPMV_DEVICE_PLAN_H
#define SPMV_DEVICE_PLAN_H

#include "runtime/core/layout.h"
#include "runtime/core/threads/team.h"
#include "runtime/device/arguments.h"
#include "runtime/device/slot_pool.h"

struct spmv_device_ops;

/* The memory behind a pointer argument of a kernel. At most one of the two is set. */
typedef struct spmv_area {
    void *buffer;                /* memory of the device: its address or, in OpenCL, its object */
    void *shared;                /* memory that host and device both see */
} spmv_area;

/* The resources of one running multiplication. They are created on first use; until then all is
 * zero. */
typedef struct spmv_slot {
    int index;                   /* in the plan */
    int is_made;
    void *x, *y;                 /* buffers: copies of vectors that the device does not see */
    spmv_area part[SPMV_MAX_PARTS];
    void *workspace;             /* the parts for host steps: the parts themselves, or a copy; NULL
                                    without host steps */
    int is_shared;               /* workspace is the parts themselves, in shared memory */
    int is_with_host;            /* the host has the shared workspace, during a host step or after
                                    an error; otherwise it is lent to the device */
    void *host_y;                /* y for host steps, if the caller's y is a buffer */
} spmv_slot;

typedef struct spmv_device_plan {
    const struct spmv_device_ops *ops;
    void *state;                 /* the open device, of the backend's type */
    const spmv_module *module;
    const spmv_layout *layout;   /* of the plan, as are threads */
    const spmv_threads *threads;
    int shares;                  /* parts that host steps use are in shared memory */
    spmv_area csr[SPMV_CSR_ARRAYS];
    spmv_area array[SPMV_MAX_ARRAYS];
    spmv_bindings bindings;
    spmv_slot *slot[SPMV_SLOTS]; /* in the backend's plan */
    spmv_slot_pool slots;        /* the slots in use. A call of execute or enqueue uses a slot until
                                    it returns */
} spmv_device_plan;

struct spmv_run;

/* The functions that depend on the API. */
typedef struct spmv_device_ops {
    /* Allocates a buffer; `what` names it in errors. For 0 bytes *buffer is NULL. */
    spmv_status (*buffer_make)(void *state, const char *what, size_t bytes, void **buffer,
                               spmv_error *err);
    void (*buffer_free)(void *state, void **buffer);

    /* Makes an array of the host, which the plan keeps, visible to the device: the array itself if
     * it is in shared memory, else a buffer with a copy. A buffer that the area has is used
     * again. */
    spmv_status (*area_take)(spmv_device_plan *p, const char *what, const void *data, size_t bytes,
                             spmv_area *area, spmv_error *err);

    /* Shared memory. *out == NULL with SPMV_OK: any memory of the host is shared. free returns 0
     * for other memory. */
    spmv_status (*shared_alloc)(void *state, size_t bytes, void **out);
    int (*shared_free)(void *state, void *memory);

    /* Makes and frees the objects of the API in a slot. slot_close first waits for the slot's
     * commands, and frees what slot_open made before an error. */
    spmv_status (*slot_open)(spmv_device_plan *p, spmv_slot *slot, spmv_error *err);
    void (*slot_close)(spmv_device_plan *p, spmv_slot *slot);

    /* Lends a slot's new shared workspace to the device. NULL: no lending is needed. */
    spmv_status (*slot_lend)(spmv_device_plan *p, spmv_slot *slot, spmv_error *err);

    /* Copy between a buffer and the host, and wait until all commands of a multiplication have
     * ended. They do nothing after a call that failed. */
    void (*write)(struct spmv_run *r, void *buffer, const void *data, size_t bytes);
    void (*read)(struct spmv_run *r, void *data, void *buffer, size_t bytes);
    void (*wait)(struct spmv_run *r);
    int copies_block;            /* write and read return after the copy has ended */

    /* Starts a kernel of the program, and adds its time to a profile. */
    void (*launch)(struct spmv_run *r, int32_t kernel, const spmv_step *step);

    /* Lend shared memory to the device and take it back. NULL: both may always use it. */
    void (*lend)(struct spmv_run *r, const void *memory);
    void (*take_back)(struct spmv_run *r, const void *memory);
} spmv_device_ops;

/* ---- the layout ---------------------------------------------------------------------------- */

/* Fills a zeroed plan, in which the backend has set `slot`, and resolves the kernels' arguments. */
spmv_status spmv_device_plan_begin(spmv_device_plan *p, const spmv_device_ops *ops, void *state,
                                   const spmv_module *module, const spmv_layout *layout,
                                   const spmv_threads *threads, spmv_error *err);

/* Copies the layout and the arrays that it borrows to the device; take_values copies only the
 * arrays of values, after they have changed. */
spmv_status spmv_device_plan_take_layout(spmv_device_plan *p, spmv_error *err);
spmv_status spmv_device_plan_take_values(spmv_device_plan *p, spmv_error *err);

/* Whether the plan has an array in a buffer of its own. */
int spmv_device_plan_has_buffers(const spmv_device_plan *p);

/* Frees all slots and buffers. */
void spmv_device_plan_clear(spmv_device_plan *p);

/* Forgets the plan's buffers, which the API has freed, so that they are not freed again. */
void spmv_device_plan_forget(spmv_device_plan *p);

/* ---- slots --------------------------------------------------------------------------------- */

/* Makes everything in the slot but x, y and host_y. On error spmv_slot_free frees what was made. */
spmv_status spmv_slot_make(spmv_device_plan *p, spmv_slot *slot, spmv_error *err);
void spmv_slot_free(spmv_device_plan *p, spmv_slot *slot);

/* Forgets the slot's buffers, which the API has freed. */
void spmv_slot_forget(spmv_slot *slot);

/* Takes a slot for one multiplication in this queue. On NULL *status says why, and err, which may
 * be NULL, has a text; SPMV_BUSY has none. */
spmv_slot *spmv_slot_take(spmv_device_plan *p, spmv_slot_kind kind, void *queue,
                          spmv_status *status, spmv_error *err);
void spmv_slot_give_back(spmv_device_plan *p, const spmv_slot *slot);

#endif
