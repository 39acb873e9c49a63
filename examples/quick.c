/* quick.c: the shortest complete use of libspmv: open, plan, execute, and handle errors.
 *
 *     cc quick.c $(pkg-config --cflags --libs spmv)
 *
 * The static library needs further libraries, above all -fopenmp:
 *
 *     cc -I runtime examples/quick.c build/runtime/libspmv.a -fopenmp -ldl -lm
 */
#include "spmv.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    /*     | 4 1 . . |          | 1 |
     * A = | 1 4 1 . |      x = | 2 |
     *     | . . . . |          | 3 |
     *     | . . 1 4 |          | 4 |  */
    static const int32_t row_ptr[] = {0, 2, 5, 5, 7};
    static const int32_t col_idx[] = {0, 1, 0, 1, 2, 2, 3};
    static const double val[] = {4, 1, 1, 4, 1, 1, 4};
    static const double x[] = {1, 2, 3, 4};
    double y[] = {100, 100, 100, 100};
    const spmv_csr a = {
        .rows = 4, .cols = 4, .nnz = 7, .row_ptr = row_ptr, .col_idx = col_idx, .val = val,
        .base = 0, .offset_type = SPMV_I32, .value_type = SPMV_F64,
    };
    const spmv_plan_options options = {.struct_size = sizeof options, .full_check = 1};
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_plan_info info = {.struct_size = sizeof info};
    spmv_error err = {SPMV_OK, ""};

    if (spmv_device_open(NULL, &device, &err) != SPMV_OK ||
        spmv_plan_create(device, &a, &options, &plan, &err) != SPMV_OK)
        goto cleanup;
    spmv_plan_query(plan, &info);
    printf("%s: %s; %" PRId32 " threads\n", info.module->name, info.reason, info.threads);

    /* y = 2*A*x + 0.5*y. spmv_execute reports errors by its status alone. */
    err.status = spmv_execute(plan, 2.0, x, 0.5, y, NULL);
    if (err.status == SPMV_OK)
        printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

cleanup:
    if (err.status != SPMV_OK)
        fprintf(stderr, "quick: %s\n", err.text[0] ? err.text : spmv_status_text(err.status));
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    return err.status == SPMV_OK ? 0 : 1;
}
