/* debug.h: explanations on stderr, for who set SPMV_DEBUG=1. Nothing else of the library prints. */
#ifndef SPMV_DEBUG_H
#define SPMV_DEBUG_H

#include "runtime/device/device.h"

/* Does the environment ask for explanations? Any value but "" and "0" does. */
int spmv_debug_is_wanted(void);

/* One line, "spmv: ...", if the device was opened with explanations. */
void spmv_debug_print(const spmv_device *device, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same where there is no device at hand: asks the environment each time. */
void spmv_debug_line(const char *text);

/* Every module of the device, and whether it may be chosen; of those in other languages how many. */
void spmv_debug_modules(const spmv_device *device);

#endif
