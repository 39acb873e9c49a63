/* device_debug.h: diagnostics on stderr, if SPMV_DEBUG enabled them when the device was opened. */
#ifndef SPMV_DEVICE_DEBUG_H
#define SPMV_DEVICE_DEBUG_H

#include "runtime/library/devices/device.h"

/* Prints one line, "spmv: ...". */
SPMV_PRINTF(2, 3) void spmv_debug_print(const spmv_device *device, const char *format, ...);

/* Lists every module of the device and whether it may be chosen. Modules in other languages are
 * only counted. */
void spmv_debug_modules(const spmv_device *device);

#endif
