/* test_bundle_static.c: a bundle that allocates nothing, with one toy module. */
#include "bundle_sample.h"
#include "toy_sorted.h"

#include "../tap.h"

#include "runtime/bundle/kernels.h"

#include <string.h>

/* Memory of `bytes` bytes at an address that is `shift` bytes behind an aligned one, between bytes
 * that must stay as they are. */
typedef struct area {
    char *all, *memory;
    size_t bytes;
} area;

enum { FENCE = 256, CANARY = 0x5a };

static area area_create(size_t bytes, size_t shift)
{
    area a = {(char *)bundle_memory(bytes + 3 * FENCE, 1), NULL, bytes};

    memset(a.all, CANARY, bytes + 3 * FENCE);
    a.memory = a.all + FENCE - (uintptr_t)a.all % 64 + shift;
    return a;
}

static int area_is_intact(const area *a)
{
    for (const char *p = a->all; p < a->memory; p++)
        if (*p != CANARY)
            return 0;
    for (const char *p = a->memory + a->bytes; p < a->all + a->bytes + 3 * FENCE; p++)
        if (*p != CANARY)
            return 0;
    return 1;
}

static int multiplies(bundle_sample *s, const spmv_matrix *matrix, double factor)
{
    bundle_sample_fill_y(s, 3);
    return spmv_multiply_f64(matrix, -2, s->x, 4, s->y) == SPMV_OK &&
           bundle_sample_is_right(s, -2 * factor, 12);
}

static void run_backwards(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    ++*(int *)context;
    for (int32_t i = count; i-- > 0;)
        run(argument, i);
}

static void test_place(int32_t rows, int32_t cols, size_t shift)
{
    bundle_sample s = bundle_sample_create(rows, cols, (int32_t)shift % 2);
    area scratch = area_create(spmv_scratch_bytes(), shift);
    spmv_error error = {SPMV_OK, ""};
    const size_t bytes = spmv_matrix_bytes_f64(rows, cols, s.row_ptr, s.col_idx, scratch.memory,
                                               &error);
    area memory = area_create(bytes, shift);
    int calls = 0;
    const spmv_matrix_options options = {.full_check = 1, .threads = 3,
                                         .parallel_for = run_backwards,
                                         .parallel_for_context = &calls};
    spmv_matrix *matrix = spmv_matrix_place_f64_with(
        memory.memory, bytes, rows, cols, s.row_ptr, s.col_idx, s.val, scratch.memory,
        shift % 3 == 0 ? &options : NULL, &error);
    spmv_matrix_info info;
    int is_right = matrix != NULL && spmv_matrix_query(matrix, &info) == SPMV_OK &&
                   info.bytes == bytes && info.rows == rows && info.nnz == s.nnz;

    memset(scratch.memory, 0x77, scratch.bytes);
    is_right &= is_right && multiplies(&s, matrix, 1);
    for (int32_t k = 0; k < s.nnz; k++)
        s.val[k] *= 3;
    is_right &= is_right && spmv_matrix_update_f64(matrix, s.val, &error) == SPMV_OK &&
                multiplies(&s, matrix, 3);
    if (!ok(is_right && area_is_intact(&memory) && area_is_intact(&scratch),
            "%d x %d, %zu bytes from an aligned address: right, within %zu bytes", (int)rows,
            (int)cols, shift, bytes))
        diag("%s", error.text);
    ok(shift % 3 != 0 || s.nnz < 4 || calls > 0, "parallel_for is called if there is one");
    free(memory.all);
    free(scratch.all);
    bundle_sample_destroy(&s);
}

static void refused(const void *result, const spmv_error *error, spmv_status status,
                    const char *text)
{
    if (!ok(result == NULL && error->status == status && strstr(error->text, text) == error->text,
            "refused: %s", text))
        diag("%d %s", (int)error->status, error->text);
}

#define PLACE "spmv_matrix_place_f64: "

static void test_errors(void)
{
    bundle_sample s = bundle_sample_create(40, 20, 0);
    area scratch = area_create(spmv_scratch_bytes(), 0);
    spmv_error error;
    size_t bytes = spmv_matrix_bytes_f64(40, 20, s.row_ptr, s.col_idx, scratch.memory, &error);
    area memory = area_create(bytes, 0);
    char text[256];

    refused(spmv_matrix_place_f64(NULL, bytes, 40, 20, s.row_ptr, s.col_idx, s.val, scratch.memory,
                                  &error),
            &error, SPMV_INVALID_ARGUMENT, PLACE "memory is NULL");
    refused(spmv_matrix_place_f64(memory.memory, 20, 40, 20, s.row_ptr, s.col_idx, s.val,
                                  scratch.memory, &error),
            &error, SPMV_INVALID_ARGUMENT, PLACE "memory has 20 bytes; expected as many as "
            "spmv_matrix_bytes_... tells");
    snprintf(text, sizeof text, PLACE "memory has %zu bytes; expected %zu, as", bytes - 1, bytes);
    refused(spmv_matrix_place_f64(memory.memory, bytes - 1, 40, 20, s.row_ptr, s.col_idx, s.val,
                                  scratch.memory, &error),
            &error, SPMV_INVALID_ARGUMENT, text);
    refused(spmv_matrix_place_f64(s.val, 1 << 20, 40, 20, s.row_ptr, s.col_idx, s.val,
                                  scratch.memory, &error),
            &error, SPMV_ALIASING, PLACE "memory overlaps");
    refused(spmv_matrix_place_f64(memory.memory, bytes, 40, 20, s.row_ptr, s.col_idx, NULL,
                                  scratch.memory, &error),
            &error, SPMV_INVALID_ARGUMENT, PLACE "val is NULL");
    if (spmv_scratch_bytes() > 0)
        refused(spmv_matrix_place_f64(memory.memory, bytes, 40, 20, s.row_ptr, s.col_idx, s.val,
                                      NULL, &error),
                &error, SPMV_INVALID_ARGUMENT, PLACE "scratch is NULL");
    s.row_ptr[5]++;
    s.row_ptr[6] = 0;
    ok(spmv_matrix_bytes_f64(40, 20, s.row_ptr, s.col_idx, scratch.memory, &error) == 0 &&
       error.status == SPMV_INVALID_MATRIX &&
       strstr(error.text, "spmv_matrix_bytes_f64: row 5 (from 0)") == error.text,
       "bytes are 0 for no matrix");
    ok(spmv_matrix_bytes_f32(40, 20, s.row_ptr, s.col_idx, scratch.memory, NULL) == 0,
       "and for types without kernels");
    ok(area_is_intact(&memory), "errors stay within the memory");
    free(memory.all);
    free(scratch.all);
    bundle_sample_destroy(&s);
}

int main(void)
{
    static const struct { int32_t rows, cols; } sizes[] = {{0, 0}, {1, 1}, {7, 3}, {100, 40},
                                                           {3000, 500}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t shift = 0; shift < 64; shift += 1 + i * 9)
            test_place(sizes[i].rows, sizes[i].cols, shift);
    test_errors();
    return tap_done();
}
