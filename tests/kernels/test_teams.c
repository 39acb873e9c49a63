/* test_teams.c: tests that every linked-in CPU module gives the bits of one thread, with libspmv's
 * threads and with a function of the caller that runs the parts in reverse order. The test is built
 * twice: with the library's default threads, and with its own pool of threads.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"
#include "runtime/spmv.h"
#include "tests/kernels/symmetrising.h"
#include "tests/tap.h"

enum { PARTS = 7 };

typedef struct shape {
    const char *name;
    int64_t size;
} shape;

/* Diagonals, rows of any length, one row on several threads, empty rows. */
static const shape shapes[] = {
    { "stencil-27", 1000 }, { "skewed", 20000 }, { "giant-middle", 20000 }, { "inner-empty", 9000 },
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static atomic_int calls;

static void run_backwards(void *context, int32_t count, spmv_run_part *run, void *argument)
{
    (void)context;
    atomic_fetch_add(&calls, 1);
    for (int32_t i = count - 1; i >= 0; i--)
        run(argument, i);
}

static void *random_vector(uint64_t seed, spmv_value_type type, int64_t count)
{
    bench_random random = { seed };
    void *vector = malloc(bench_value_bytes(type) * (size_t)(count + 1));

    if (!vector)
        abort();
    bench_random_fill(&random, BENCH_MIXED, type, vector, (size_t)count);
    return vector;
}

/* The y of two multiplications, for free(). NULL: creating the plan or a multiplication failed. */
static void *multiply(spmv_device *device, const spmv_module *module, const spmv_csr *csr,
                      int32_t threads, spmv_parallel_for *parallel_for)
{
    const spmv_plan_options options = { .struct_size = sizeof options, .method = module->method,
                                        .target = module->target, .threads = threads,
                                        .parallel_for = parallel_for,
                                        .transposed = module->ops->transposes,
                                        .symmetric = module->ops->symmetric
                                                         ? SPMV_SYMMETRIC_FULL
                                                         : SPMV_SYMMETRIC_NONE };
    const int64_t longest = csr->rows > csr->cols ? csr->rows : csr->cols;
    void *x = random_vector(1, csr->value_type, longest);
    void *y = random_vector(2, csr->value_type, longest);
    spmv_plan *plan = NULL;
    spmv_error err = { 0 };
    spmv_status status = spmv_plan_create(device, csr, &options, &plan, &err);

    for (int i = 0; i < 2 && !status; i++)
        status = spmv_execute(plan, 1.1, x, 0.7, y, NULL);
    spmv_plan_destroy(plan);
    free(x);
    if (!status)
        return y;
    diag("%s: %s", module->name, err.status ? err.text : spmv_status_text(status));
    free(y);
    return NULL;
}

static bool have_same_bits(spmv_device *device, const spmv_module *module, const spmv_csr *csr)
{
    const size_t bytes = bench_value_bytes(csr->value_type) * (size_t)csr->rows;
    void *one = multiply(device, module, csr, 1, NULL);
    void *own = multiply(device, module, csr, PARTS, NULL);
    void *reversed = multiply(device, module, csr, PARTS, run_backwards);
    const bool same = one && own && reversed && memcmp(one, own, bytes) == 0 &&
                      memcmp(one, reversed, bytes) == 0;

    free(one);
    free(own);
    free(reversed);
    return same;
}

/* A module of symmetric matrices stores the first shape by runs, and the others by diagonals. */
static bool is_same_on(spmv_device *device, const spmv_module *module, int i)
{
    bench_matrix *matrix = NULL, *converted = NULL;
    bool same;

    if (bench_shape_build(bench_shape_find(shapes[i].name), shapes[i].size, 1, &matrix) ||
        !test_symmetrise(module, i == 0 ? 2 : 1, &matrix) ||
        bench_matrix_convert(&matrix->csr, 0, module->offset_type, module->value_type, &converted))
        abort();
    same = have_same_bits(device, module, &converted->csr);
    bench_matrix_destroy(matrix);
    bench_matrix_destroy(converted);
    return same;
}

int main(void)
{
    const spmv_device_options options = { .struct_size = sizeof options, .device = "cpu" };
    spmv_device *device;

    if (spmv_device_open(&options, &device, NULL))
        return 2;
    for (size_t m = 0; m < spmv_device_module_count(device); m++) {
        const spmv_module *module = spmv_device_module(device, m);
        bool same = true;

        for (int i = 0; i < SHAPES; i++)
            same &= is_same_on(device, module, i);
        ok(same, "%s: the same bits from one thread, %d, and the caller's in reverse", module->name,
           PARTS);
    }
    ok(calls > 0, "options.parallel_for is called");
    spmv_device_close(device);
    return tap_done();
}
