/* test_unload.c LIBSPMV: a program may load and unload the library again and again, while the
 * threads that multiplied live on. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/spmv.h"

#include "../tap.h"

#include <dlfcn.h>
#include <string.h>

enum { ROWS = 20000, ROUNDS = 40, THREADS = 3 };

static int32_t row_ptr[ROWS + 1], col_idx[ROWS];
static double val[ROWS], x[ROWS], y[ROWS];

/* Converts without a cast between pointers to data and to functions, which C has not. */
#define FIND(name)                                                                                 \
    __typeof__(spmv_##name) *name;                                                                 \
    void *at_##name = dlsym(library, "spmv_" #name);                                               \
    memcpy(&name, &at_##name, sizeof name)

/* Multiplies once by the functions of the library. */
static int multiply(void *library)
{
    FIND(device_open);
    FIND(device_close);
    FIND(plan_create);
    FIND(plan_destroy);
    FIND(execute);
    const spmv_csr a = { .rows = ROWS, .cols = ROWS, .nnz = ROWS, .row_ptr = row_ptr,
                         .col_idx = col_idx, .val = val, .offset_type = SPMV_I32,
                         .value_type = SPMV_F64 };
    const spmv_plan_options options = { .struct_size = sizeof options, .threads = THREADS };
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;

    memset(y, 0, sizeof y);
    const int good = device_open(NULL, &device, NULL) == SPMV_OK &&
                     plan_create(device, &a, &options, &plan, NULL) == SPMV_OK &&
                     execute(plan, 1.0, x, 0.0, y, NULL) == SPMV_OK &&
                     y[0] == 6 && y[ROWS - 1] == 6;
    plan_destroy(plan);
    device_close(device);
    return good;
}

int main(int argc, char **argv)
{
    int rounds = 0;

    for (int i = 0; i < ROWS; i++) {
        row_ptr[i + 1] = i + 1;
        col_idx[i] = i;
        val[i] = 2;
        x[i] = 3;
    }
    for (; rounds < ROUNDS && argc > 1; rounds++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            diag("%s", dlerror());
            break;
        }
        if (!multiply(library) || dlclose(library) != 0)
            break;
    }
    ok(rounds == ROUNDS, "a library was loaded and unloaded %d times", rounds);
    return tap_done();
}
