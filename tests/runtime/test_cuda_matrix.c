/* test_cuda_matrix.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: matrices and new values in device
 * memory of the caller. */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

/* A copy of an array of the host in device memory. */
static spmv_cuda_pointer upload(const cuda_app *app, const void *data, size_t bytes)
{
    spmv_cuda_pointer memory = 0;

    cu.MemAlloc(&memory, bytes);
    cu.MemcpyHtoDAsync(memory, data, bytes, app->stream);
    return memory;
}

/* The matrix on the device, written by commands that have not run yet: plans are those of the
 * host's matrix, and borrow nothing. is_borrowing: the method borrows its arrays. */
static void test_matrix_on_device(int is_borrowing, int overtaking)
{
    const size_t row_ptr_bytes = (ROWS + 1) * sizeof(int32_t);
    const size_t col_idx_bytes = (size_t)s->csr.nnz * sizeof(int32_t);
    const size_t val_bytes = (size_t)s->csr.nnz * sizeof(double);
    spmv_device *device = NULL;
    spmv_plan *plan = NULL, *host_plan = NULL;
    spmv_csr csr = s->csr;
    spmv_error err = {SPMV_OK, ""};
    spmv_cuda_pointer memory[4];
    double *val = malloc(val_bytes);
    cuda_app app;

    cuda_reset();
    mock->overtaking = overtaking;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    toy_open("cuda", is_borrowing ? toy_borrowing_modules : toy_alone_modules, app.stream, &device,
             NULL);
    memory[0] = upload(&app, csr.row_ptr, row_ptr_bytes);
    memory[1] = upload(&app, csr.col_idx, col_idx_bytes);
    memory[2] = upload(&app, csr.val, val_bytes);
    csr.row_ptr = address(memory[0]);
    csr.col_idx = address(memory[1]);
    csr.val = address(memory[2]);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_OK,
       "a matrix on the device, borrowed %d: %s", is_borrowing, err.text);
    spmv_plan_create(device, &s->csr, NULL, &host_plan, NULL);
    app_write(&app, app.x, s->x);
    ok(spmv_enqueue(plan, 2, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 2, 0, 0), "multiplies as one of the host");
    for (int i = 0; i < 3; i++)
        cu.MemFree(memory[i]);
    for (int64_t k = 0; k < s->csr.nnz; k++)
        val[k] = 3 * ((const double *)s->csr.val)[k];
    for (int i = 0; i < 2; i++) {
        memory[3] = upload(&app, val, val_bytes);
        ok(spmv_plan_update_values(i == 0 ? plan : host_plan, address(memory[3]), &err) == SPMV_OK,
           "new values on the device, for a plan of the %s: %s", i == 0 ? "device" : "host",
           err.text);
        cu.MemFree(memory[3]);
    }
    app_fill(&app, app.y, 0);
    ok(spmv_enqueue(plan, 2, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 6, 0, 0), "are taken, and nothing is borrowed");
    ok(spmv_enqueue(host_plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 3, 0, 0), "by both");
    ok(spmv_plan_update_values(host_plan, s->csr.val, &err) == SPMV_OK &&
       spmv_enqueue(host_plan, 1, address(app.x), 0, address(app.y), NULL) == SPMV_OK &&
       app_reads_right(app.stream, app.y, 1, 0, 0), "and values of the host again");
    spmv_plan_destroy(plan);
    spmv_plan_destroy(host_plan);
    spmv_device_close(device);
    app_end(&app);
    free(val);
    ok(is_clean(), "and all objects are released");
}

/* What cannot be fetched. */
static void test_matrix_errors(void)
{
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_csr csr = s->csr;
    spmv_error err = {SPMV_OK, ""};
    spmv_cuda_pointer shorter = 0, all = 0;
    spmv_cuda_graph graph = NULL;
    cuda_app app, other;

    cuda_reset();
    app_begin(&other, 0);
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    open_cuda(app.stream, &device, NULL);
    shorter = upload(&app, csr.val, ((size_t)csr.nnz - 1) * sizeof(double));
    all = upload(&app, csr.val, (size_t)csr.nnz * sizeof(double));
    csr.val = address(shorter);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_ARGUMENT && plan == NULL &&
       strstr(err.text, "spmv_plan_create: val is at ") && strstr(err.text, "that ends too early"),
       "%s", err.text);
    csr.val = address(other.x);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_ARGUMENT &&
       strstr(err.text, "memory of another context"), "%s", err.text);
    csr.val = address(all);
    csr.nnz = -1;
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_MATRIX,
       "sizes are checked before anything is copied: %s", err.text);
    csr = s->csr;
    csr.row_ptr = address(all);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_INVALID_MATRIX,
       "and contents of the device as those of the host: %s", err.text);
    csr = s->csr;
    csr.val = address(all);
    more.StreamBeginCapture(app.stream, CU_CAPTURE_MODE_GLOBAL);
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_UNSUPPORTED &&
       strstr(err.text, "is being captured"), "%s", err.text);
    ok(more.StreamEndCapture(app.stream, &graph) == CU_SUCCESS, "which spoils no capture");
    more.GraphDestroy(graph);
    mock->failing = "cuMemcpyDtoHAsync_v2";
    mock->fail_at = 1;
    mock->code = 719;
    ok(spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_DEVICE_FAILED &&
       strstr(err.text, "CUDA cannot copy the matrix to the host"), "%s", err.text);
    cu.MemFree(shorter);
    cu.MemFree(all);
    spmv_device_close(device);
    app_end(&app);
    app_end(&other);
    ok(is_clean(), "and all objects are released");
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
    for (int overtaking = 1; overtaking <= 2; overtaking++) {
        test_matrix_on_device(0, overtaking);
        test_matrix_on_device(1, overtaking);
    }
    test_matrix_errors();
    cuda_end();
    return tap_done();
}
