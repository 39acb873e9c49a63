/* mock_ready.c: the mock of tests/runtime/mock_opencl.h for programs that do not control it, such
 * as spmvbench: opening the library gives a working device. */
#include "tests/runtime/mock_opencl.h"

mock_control *mock_opencl_control(void);

__attribute__((constructor)) static void get_ready(void)
{
    mock_opencl_control();
}
