/* load_modules.h: modules from shared objects. The objects stay open as long as the device. */
#ifndef SPMV_LOAD_MODULES_H
#define SPMV_LOAD_MODULES_H

#include "runtime/library/devices/device.h"

void spmv_libraries_close(spmv_device *device);

#endif
