/* device.h: what an open device is made of.
 * The device owns everything here but the modules. It is changed by open, close and the calls that
 * add modules; all others only read it. */
#ifndef SPMV_DEVICE_H
#define SPMV_DEVICE_H

#include "runtime/device/module_list.h"

struct spmv_device {
    spmv_module_list modules;
    spmv_module_filter filter;   /* which of them may be chosen */
    char *target;                /* the filter's, or NULL */
    const char *target_origin;   /* who asked for it: "options.target" or "SPMV_TARGET" */
    int debug;                   /* SPMV_DEBUG asks for explanations on stderr */
    void **libraries;            /* handles of the shared objects that modules came from */
    size_t library_count;
};

#endif
