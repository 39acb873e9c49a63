/* device.h: what an open device is made of.
 * The device owns everything here but the modules. It is changed by open, close and the calls that
 * add modules; all others only read it. */
#ifndef SPMV_DEVICE_H
#define SPMV_DEVICE_H

#include "runtime/module/modules.h"

struct spmv_device {
    spmv_module_list modules;
    spmv_module_filter filter;   /* which of them may be chosen */
    char *target;                /* the filter's, or NULL */
    const char *target_origin;   /* who asked for it: "options.target" or "SPMV_TARGET" */
    int debug;                   /* SPMV_DEBUG asks for explanations on stderr */
    void **libraries;            /* handles of the shared objects that modules came from */
    size_t library_count;
};

/* Memory for a layout of the module, or for vectors (NULL); device_memory.c. */
spmv_status spmv_device_memory_alloc(const spmv_device *device, const spmv_module *module,
                                     size_t bytes, void **out);
void spmv_device_memory_free(const spmv_device *device, void *memory);

/* Closes the shared objects of the device; library.c. */
void spmv_libraries_close(spmv_device *device);

/* The tables that were linked into the library, NULL-terminated; builtin.c. */
extern const spmv_module *const *const spmv_builtin_tables[];

#endif
