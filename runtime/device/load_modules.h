/* load_modules.h: shared objects of modules, open for as long as their device. */
#ifndef SPMV_LOAD_MODULES_H
#define SPMV_LOAD_MODULES_H

#include "runtime/device/device.h"

void spmv_libraries_close(spmv_device *device);

#endif
