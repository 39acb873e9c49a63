/* mock_ready.c: tests/runtime/mock_opencl.h for programs that know nothing of it, such as spmvbench: the
 * library has its good device as soon as it is opened. */
#include "tests/runtime/mock_opencl.h"

mock_control *mock_opencl_control(void);

__attribute__((constructor)) static void get_ready(void)
{
    mock_opencl_control();
}
