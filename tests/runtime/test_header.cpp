// test_header.cpp: a C++ program can use the public header.
#include "runtime/spmv.h"

#include <cstdio>

int main()
{
    spmv_device *device = nullptr;
    spmv_error err;
    spmv_plan_options options = {};
    const bool opened = spmv_device_open(nullptr, &device, &err) == SPMV_OK;

    options.struct_size = sizeof options;
    spmv_device_close(device);
    std::printf("%s 1 - a C++ program opens and closes a device\n1..1\n", opened ? "ok" : "not ok");
    return opened ? 0 : 1;
}
