/* device.h: the struct of an open device. The device owns everything in it but the modules.
 * Only opening, closing and adding modules change it. */
#ifndef SPMV_DEVICE_H
#define SPMV_DEVICE_H

#include "runtime/library/devices/module_list.h"

struct spmv_device {
    spmv_module_list modules;
    spmv_module_filter filter;   /* decides which modules may be chosen */
    char *target;                /* the filter's, or NULL */
    const char *target_origin;   /* what set it: "options.target" or "SPMV_TARGET" */
    int debug;                   /* SPMV_DEBUG enables diagnostics on stderr */
    void **libraries;            /* handles of the shared objects that modules came from */
    size_t library_count;
};

#endif
