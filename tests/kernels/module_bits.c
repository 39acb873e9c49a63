/* module_bits.c: prints a hash of the bits of the results, for every module that this machine can
 * run and for every program for another device. test_same_bits.py builds this file in several ways,
 * and every line must be the same in all builds.
 *
 *     module_bits [any-zero]       without results that are zeros, whose sign -fno-signed-zeros
 *                                  leaves open
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/library/devices/builtin.h"
#include "suite.h"

static const struct {
    const char *shape;
    int64_t size;
} inputs[] = {
    { "short-rows", 3000 }, { "giant-middle", 20000 }, { "inner-empty", 3000 }, { "skewed", 20000 },
    { "lengths-around", 300 }, { "staircase", 150 }, { "dense", 90 }, { "poisson-3d", 1000 },
};

/* Continues an FNV-1a hash. */
static uint64_t add_to_hash(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Makes all of x so small that products round to 0 or -0. */
static void make_least(const test_input *input)
{
    const spmv_csr *csr = &input->matrix->csr;

    for (int64_t i = 0; i < csr->cols; i++)
        if (csr->value_type == SPMV_F64)
            ((double *)input->x)[i] = copysign(DBL_TRUE_MIN, ((double *)input->x)[i]);
        else
            ((float *)input->x)[i] = copysignf(FLT_TRUE_MIN, ((float *)input->x)[i]);
}

/* False for vector kernels: the last nonzeros of a row fill part of a vector, whose other lanes add
 * 0*0, which turns -0 into +0. Work-items do not add 0*0. docs/reference/manifest.md excepts that
 * sign. */
static bool tells_sign_of_zero(const spmv_module *module)
{
    return strcmp(module->method, "csr_vector") != 0 && strcmp(module->method, "evc_hyb") != 0;
}

/* Adds the bits of the results for a matrix, which the method has accepted. */
static bool hash_results(bare *b, test_input *input, bool any_zero, uint64_t *hash)
{
    if (bare_execute(b, 0.7, input->x, -1.3, input->before, BARE_WHOLE, input->y))
        return false;
    *hash = add_to_hash(*hash, input->y, input->y_bytes);
    if (any_zero)
        return true;
    make_least(input);
    if (bare_execute(b, 1, input->x, 0, input->before, BARE_WHOLE, input->y))
        return false;
    *hash = add_to_hash(*hash, input->y, input->y_bytes);
    return true;
}

/* Methods may decline some of the matrices, but not all. */
static bool hash_module(const spmv_module *module, bool any_zero, uint64_t *hash)
{
    bare *b = bare_create(module);
    size_t accepted = 0;
    bool good = b != NULL;

    *hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0] && good; i++) {
        const test_case one = { bench_shape_find(inputs[i].shape), inputs[i].size, i + 1 };
        test_input input;
        bare_fault fault;
        if (!test_input_create(module, &one, 0, BENCH_MIXED, &input)) {
            good = false;
            break;
        }
        fault = bare_build(b, &input.matrix->csr, GUARD_AT_END, BARE_WHOLE);
        good = fault == BARE_DECLINED ||
               (!fault && hash_results(b, &input, any_zero || !tells_sign_of_zero(module), hash));
        accepted += !fault;
        if (!good)
            fprintf(stderr, "module_bits: %s: %s\n", module->name, bare_error(b));
        test_input_destroy(&input);
    }
    if (good && accepted == 0)
        fprintf(stderr, "module_bits: %s: it declines every matrix\n", module->name);
    bare_destroy(b);
    return good && accepted > 0;
}

/* Prints a module's hash; false: a run failed. */
static bool print_hash(const spmv_module *module, bool any_zero)
{
    uint64_t hash;
    const bool good = hash_module(module, any_zero, &hash);

    printf("%s %016llx\n", module->name, (unsigned long long)hash);
    return good;
}

int main(int argc, char **argv)
{
    const bool any_zero = argc > 1 && strcmp(argv[1], "any-zero") == 0;
    spmv_device *device = NULL;
    spmv_error err = { SPMV_OK, "" };
    bool good = true;

    if (spmv_device_open(NULL, &device, &err)) {
        fprintf(stderr, "module_bits: %s\n", err.text);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < spmv_device_module_count(device); i++)
        good = print_hash(spmv_device_module(device, i), any_zero) && good;
    /* Programs for other devices run in the shim. */
    for (size_t t = 0; spmv_builtin_tables[t]; t++)
        for (size_t i = 0; spmv_builtin_tables[t][i]; i++)
            if (spmv_builtin_tables[t][i]->program)
                good = print_hash(spmv_builtin_tables[t][i], any_zero) && good;
    spmv_device_close(device);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
