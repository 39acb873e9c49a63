/* test_cuda_allocations.c MOCK OLD_MOCK LIBRARY_WITHOUT_CUDA NEW_MOCK: the CUDA backend when the
 * host is out of memory. The linker routes the library's allocations through the counter below
 * (-Wl,--wrap). */
#define _POSIX_C_SOURCE 200809L
#include "cuda_client.h"
#include "../tap.h"

#include <stdlib.h>
#include <string.h>

#ifdef WITHOUT_WRAP

int main(void)
{
    skip("the linker has no --wrap, which makes allocations fail");
    return tap_done();
}

#else

static long allocations;         /* so far */
static long failing = -1;        /* the number of the allocation that fails; negative: none */

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *memory = allocations++ == failing ? NULL : __real_aligned_alloc(alignment, bytes);

    if (memory != NULL)
        memset(memory, 0xff, bytes);     /* the library must not rely on zeros */
    return memory;
}

static const struct {
    const char *name;
    spmv_memory memory;
    int is_concurrent;
} ways[] = {
    {"separate", SPMV_MEMORY_DISCRETE, 1},
    {"in turns", SPMV_MEMORY_UNIFIED, 0},
    {"at any time", SPMV_MEMORY_UNIFIED, 1},
};

/* Makes each call that allocates once. 1: all succeeded; 0: one reported that memory is short; -1:
 * anything else. */
static int live_once(int way)
{
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;
    spmv_error err = {SPMV_OK, ""};
    spmv_status status;
    void *memory = NULL;
    double y[ROWS];
    int result = 1;
    cuda_app app;

    cuda_reset();
    toy_device_program.memory = ways[way].memory;
    mock->is_integrated = ways[way].memory == SPMV_MEMORY_UNIFIED;
    mock->has_concurrent_managed = ways[way].is_concurrent;
    app_begin(&app, CU_STREAM_NON_BLOCKING);
    app_write(&app, app.x, s->x);
    allocations = 0;
    if ((status = open_cuda(app.stream, &device, &err)) == SPMV_OK)
        status = spmv_plan_create(device, &s->csr, NULL, &plan, &err);
    result = status == SPMV_OK || err.text[0] != '\0' ? 1 : -1;
    if (status == SPMV_OK && (status = spmv_alloc(device, 100, &memory)) == SPMV_OK &&
        (status = spmv_execute(plan, 2, s->x, 0, address(app.y), NULL)) == SPMV_OK &&
        !app_reads_right(app.stream, app.y, 2, 0, 0))
        result = -1;
    if (status == SPMV_OK &&
        (status = spmv_enqueue(plan, 3, address(app.x), 0, address(app.y), NULL)) == SPMV_OK &&
        !app_reads_right(app.stream, app.y, 3, 0, 0))
        result = -1;
    if (status != SPMV_OK)
        result = status == SPMV_OUT_OF_MEMORY && result == 1 ? 0 : -1;
    if (plan != NULL) {
        const long kept = failing;
        failing = -1;
        if (spmv_execute(plan, 1, s->x, 0, y, NULL) != SPMV_OK || !sample_is_right(s, y, 1, 0, 0))
            result = -1;
        failing = kept;
    }
    spmv_free(device, memory);
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    app_end(&app);
    return is_clean() ? result : -1;
}

/* Without memory for NVRTC's list of architectures, the backend works without the list. */
static void test_failures(int way)
{
    int bad = 0, reported = 0, tried = 0;

    for (failing = 0; ; failing++) {
        const int result = live_once(way);
        if (allocations <= failing)
            break;
        tried++;
        reported += result == 0;
        bad += result < 0;
        if (result < 0)
            diag("allocation %ld", failing);
    }
    failing = -1;
    ok(bad == 0 && reported > 10 && live_once(way) == 1,
       "%s: each of %d allocations fails: %d times reported, else harmless; nothing left, and the "
       "next life works",
       ways[way].name, tried, reported);
}

int main(int argc, char **argv)
{
    cuda_begin(argc, argv, CUDA_NOW);
    for (int way = 0; way < (int)(sizeof ways / sizeof ways[0]); way++)
        test_failures(way);
    cuda_end();
    return tap_done();
}

#endif
