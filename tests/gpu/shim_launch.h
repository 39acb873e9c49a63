/* shim_launch.h: launches of a bundle's .cu file on this CPU. It precedes that file. */
#ifndef TEST_SHIM_LAUNCH_H
#define TEST_SHIM_LAUNCH_H

#include "tests/gpu/fake_cudart.h"
#include "tests/kernels/cuda_shim.h"

/* `arguments` reads them from `argument`, which the function around the launch has, too. */
#define SPMV_LAUNCH(kernel, groups, items, stream, arguments)                                      \
    do {                                                                                           \
        struct of_shim {                                                                           \
            static void call(const void *const *argument)                                          \
            {                                                                                      \
                kernel arguments;                                                                  \
            }                                                                                      \
        };                                                                                         \
        fake_launch(#kernel, of_shim::call, groups, items, stream, argument);                      \
    } while (0)

#endif
