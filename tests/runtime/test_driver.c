/* test_driver.c LIBRARY NO_LIBRARY: spmv_driver_open tries several names of a library. */
#include "runtime/device/driver.h"

#include "../tap.h"

#include <string.h>

int main(int argc, char **argv)
{
    const char *const nowhere[] = {"libnowhere.so.1", "libnowhere.so", "/System/nowhere", NULL};
    const char *const last[] = {"libnowhere.so.1", argv[1], NULL};
    const char *const other[] = {argv[argc - 1], argv[1], NULL};
    void *library = spmv_driver_open(NULL, nowhere);

    ok(library == NULL && strstr(spmv_driver_error(), "libnowhere.so.1") != NULL,
       "if no name exists, the error is about the first");
    library = spmv_driver_open("", last);
    ok(library != NULL, "the first existing library is opened: %s",
       library ? "" : spmv_driver_error());
    spmv_driver_close(library);
    library = spmv_driver_open(NULL, other);
    ok(library != NULL, "also after a file that is no library");
    spmv_driver_close(library);
    library = spmv_driver_open("/nowhere/own.so", last);
    ok(library == NULL && strstr(spmv_driver_error(), "/nowhere/own.so") != NULL,
       "if a file is named, no other is tried");
    return tap_done();
}
