/* module_list.h: the modules that a device knows, in the order of preference.
 *
 * The list owns its own memory only; modules belong to whoever linked or loaded them and outlive
 * it. Modules that cannot be chosen stay in it, so that an error can say why one was not taken. A
 * list may be read from many threads at once, and changed by one when nobody reads.
 */
#ifndef SPMV_MODULE_LIST_H
#define SPMV_MODULE_LIST_H

#include "runtime/device/backend.h"

typedef enum spmv_module_state {
    SPMV_MODULE_USABLE,
    SPMV_MODULE_LACKS_CPU,       /* it is for other CPUs: with instructions that this one lacks, or by its page */
    SPMV_MODULE_OTHER_TARGET,    /* the device was opened for one target */
    SPMV_MODULE_OTHER_DEVICE     /* the device does not run such modules, or not this one */
} spmv_module_state;

/* Which modules a device may choose. */
typedef struct spmv_module_filter {
    const char *target;          /* only of this one; NULL: any */
    const spmv_backend *backend; /* only programs of its language; NULL: only what has no program */
    void *backend_state;
} spmv_module_filter;

enum { SPMV_REFUSAL_SIZE = 128 };

typedef struct spmv_module_entry {
    const spmv_module *module;
    spmv_module_state state;
    char why[SPMV_REFUSAL_SIZE]; /* of SPMV_MODULE_OTHER_DEVICE: why not, a sentence's end; else "" */
} spmv_module_entry;

typedef struct spmv_module_list {
    spmv_module_entry *entry;    /* by state, then rank (highest first), then name */
    size_t count;
    size_t usable_count;
} spmv_module_list;

/* Adds a NULL-terminated table, all of it or, on error, nothing. A module that the list has already
 * (same name and source hash) is passed over; another one of the same name is refused. `where` opens the error text. */
spmv_status spmv_module_list_add(spmv_module_list *list, const spmv_module *const *table,
                                 const spmv_module_filter *filter, const char *where,
                                 spmv_error *err);

/* The usable module that was saved by this name and source hash. SPMV_STALE, with what there is
 * instead, if the list has not exactly this one. */
spmv_status spmv_module_list_find(const spmv_module_list *list, const char *name,
                                  uint64_t source_hash, const spmv_module **module,
                                  spmv_error *err);

void spmv_module_list_clear(spmv_module_list *list);

#endif
