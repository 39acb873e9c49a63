/* same_bits.c: see same_bits.h. */
#include "same_bits.h"
#include "toy.h"

#include <stdlib.h>
#include <string.h>

static const char *const methods[METHODS] = {"toy_rows", "toy_parts"};

spmv_device *same_bits_device;
sample *same_bits_sample;
static double *expected[METHODS];        /* by one thread */

spmv_plan *same_bits_plan(size_t method, spmv_parallel_for *parallel_for, void *context)
{
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = methods[method], .threads = PARTS,
        .parallel_for = parallel_for, .parallel_for_context = context,
    };
    spmv_plan *plan = NULL;

    spmv_plan_create(same_bits_device, &same_bits_sample->csr, &options, &plan, NULL);
    return plan;
}

int plan_is_same(const spmv_plan *plan, size_t method)
{
    double *y = sample_vector(same_bits_sample, ROWS, 7);
    const int same =
        plan != NULL &&
        spmv_execute(plan, 1.1, same_bits_sample->x, 0.7, y, NULL) == SPMV_OK &&
        memcmp(y, expected[method], ROWS * sizeof *y) == 0;

    free(y);
    return same;
}

int plans_are_same(spmv_parallel_for *parallel_for, void *context)
{
    int same = 1;

    for (size_t m = 0; m < METHODS; m++) {
        spmv_plan *plan = same_bits_plan(m, parallel_for, context);

        for (int repeat = 0; repeat < 5; repeat++)
            same &= plan_is_same(plan, m);
        spmv_plan_destroy(plan);
    }
    return same;
}

void same_bits_begin(void)
{
    same_bits_device = sample_device();
    same_bits_sample = sample_create(ROWS, 900, 0, SPMV_F64, SPMV_I32);
    for (int64_t k = 0; k < same_bits_sample->csr.nnz; k++)
        ((double *)same_bits_sample->val)[k] = 1.0 / (double)(k % 101 + 1) * (k % 2 ? -1e5 : 1);
    for (int64_t col = 0; col < same_bits_sample->csr.cols; col++)
        ((double *)same_bits_sample->x)[col] = 1.0 / (double)(col + 3);
    for (size_t m = 0; m < METHODS; m++) {
        const spmv_plan_options one = {.struct_size = sizeof one, .method = methods[m],
                                       .threads = 1};
        spmv_plan *plan = NULL;

        expected[m] = sample_vector(same_bits_sample, ROWS, 7);
        spmv_plan_create(same_bits_device, &same_bits_sample->csr, &one, &plan, NULL);
        spmv_execute(plan, 1.1, same_bits_sample->x, 0.7, expected[m], NULL);
        spmv_plan_destroy(plan);
    }
}

void same_bits_end(void)
{
    for (size_t m = 0; m < METHODS; m++)
        free(expected[m]);
    sample_destroy(same_bits_sample);
    spmv_device_close(same_bits_device);
}
