/* fuzz_plan_file.c: a libFuzzer target, built only on request (needs clang):
 *
 *     ninja tests/runtime/fuzz_plan_file && tests/runtime/fuzz_plan_file CORPUS -max_len=2048
 *
 * The input is a plan's file. It is loaded unchanged, and again with a corrected checksum in its
 * header, which leads past the first check. A file that is refused gives an error text and no plan;
 * a file that is accepted gives a plan that multiplies correctly. Write a good file to start with:
 *
 *     SPMV_FUZZ_SEED=CORPUS/good tests/runtime/fuzz_plan_file -runs=0
 */
#define _POSIX_C_SOURCE 200809L
#include "runtime/library/saved/plan_file.h"
#include "sample.h"
#include "toy_sorted.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static spmv_device *device;
static sample *s;
static char path[4096];

static void require(int condition)
{
    if (!condition)
        abort();
}

static void begin(void)
{
    const char *seed = getenv("SPMV_FUZZ_SEED");
    const char *folder = getenv("TMPDIR");
    const spmv_plan_options options = {.struct_size = sizeof options, .method = "toy_sorted",
                                       .savable = 1};
    spmv_plan *plan = NULL;

    device = sample_device();
    spmv_device_add_modules(device, toy_sorted_modules, NULL);
    s = sample_create(9, 6, 1, SPMV_F64, SPMV_I32);
    snprintf(path, sizeof path, "%s/fuzz_plan_file.%ld", folder != NULL ? folder : "/tmp",
             (long)getpid());
    if (seed != NULL) {
        require(spmv_plan_create(device, &s->csr, &options, &plan, NULL) == SPMV_OK &&
                spmv_plan_save(plan, seed, NULL) == SPMV_OK);
        spmv_plan_destroy(plan);
    }
}

static void try_file(const uint8_t *bytes, size_t size)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .threads = 1};
    FILE *file = fopen(path, "wb");
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    double y[9];
    spmv_status status;

    require(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    status = spmv_plan_load(device, &s->csr, &options, path, &plan, &err);
    unlink(path);
    if (status != SPMV_OK) {
        require(plan == NULL && err.status == status && strlen(err.text) > 30);
        return;
    }
    require(spmv_execute(plan, 1, s->x, 0, y, NULL) == SPMV_OK && sample_is_right(s, y, 1, 0, 0));
    spmv_plan_destroy(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const size_t from = offsetof(spmv_file_header, abi);
    spmv_file_header header;
    uint8_t *copy;

    if (device == NULL)
        begin();
    try_file(bytes, size);
    if (size < sizeof header)
        return 0;
    copy = malloc(size);
    require(copy != NULL);
    memcpy(copy, bytes, size);
    memcpy(&header, bytes, sizeof header);
    header.checksum = spmv_hash(NULL, (const char *)&header + from, sizeof header - from);
    memcpy(copy, &header, sizeof header);
    try_file(copy, size);
    free(copy);
    return 0;
}
