/* test_small_stacks.c: tests that every call that creates, uses, saves or loads a plan works on a
 * stack of 64 KiB, or of the system's least size for a thread, if that is larger.
 *
 * The calling thread has a stack of that size, and memory below it is inaccessible. meson.build
 * sets OMP_STACKSIZE for the threads of OpenMP. Results must have the bits of the main thread.
 */
#define _GNU_SOURCE              /* MAP_ANONYMOUS */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../tap.h"
#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "bench/matrices/shapes.h"
#include "runtime/spmv.h"
#include "symmetrising.h"

enum { WANTED_STACK = 64 * 1024, FORBIDDEN = 4 << 20, PATTERN = 0xa5, SEVERAL = 3 };

/* Strips in all their storages, and split rows; rows of all kinds for the other methods. */
static const struct {
    const char *shape;
    int64_t size;
} shapes[] = {
    { "stencil-27", 1000 }, { "blocks", 500 }, { "short-rows", 20000 }, { "giant-middle", 40000 },
    { "uniform", 2000 },
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- the calls ----------------------------------------------------------------------------- */

typedef struct trial {
    const spmv_module *module;   /* NULL: libspmv's choice */
    const bench_matrix *matrix;
    const void *x;
    void *y;                     /* rows values */
    const char *file;
    int32_t threads;
    char error[512];             /* empty: no error */
} trial;

/* Keeps the error of a call that failed; true: it did not fail. */
static bool went_well(trial *t, const char *call, spmv_status status, const char *text)
{
    if (status)
        snprintf(t->error, sizeof t->error, "%s: %.400s", call,
                 text[0] ? text : spmv_status_text(status));
    return !status;
}

static void use_plan(trial *t, spmv_plan *plan, spmv_error *err)
{
    const spmv_csr *csr = &t->matrix->csr;
    spmv_figure figure[SPMV_MAX_FIGURES];
    int32_t count = 0;
    char choice[512];

    if (!went_well(t, "spmv_plan_update_values", spmv_plan_update_values(plan, csr->val, err),
                   err->text) ||
        !went_well(t, "spmv_plan_figures", spmv_plan_figures(plan, figure, &count), "") ||
        !went_well(t, "spmv_plan_choice", spmv_plan_choice(plan, choice, sizeof choice, err),
                   err->text))
        return;
    void *val = malloc((size_t)csr->nnz * bench_value_bytes(csr->value_type) + 1);
    if (went_well(t, "malloc", val ? SPMV_OK : SPMV_OUT_OF_MEMORY, "") &&
        went_well(t, "spmv_plan_restore_csr", spmv_plan_restore_csr(plan, NULL, NULL, val, err),
                  err->text))
        went_well(t, "spmv_execute", spmv_execute(plan, 0.5, t->x, 0, t->y, NULL), "");
    free(val);
}

static void save_and_load(trial *t, spmv_device *device, const spmv_plan_options *options,
                          spmv_plan *plan, spmv_error *err)
{
    spmv_plan *loaded = NULL;

    if (went_well(t, "spmv_plan_save", spmv_plan_save(plan, t->file, err), err->text) &&
        went_well(t, "spmv_plan_load",
                  spmv_plan_load(device, &t->matrix->csr, options, t->file, &loaded, err),
                  err->text))
        went_well(t, "spmv_execute", spmv_execute(loaded, 0.5, t->x, 0, t->y, NULL), "");
    spmv_plan_destroy(loaded);
}

/* Makes every call of a plan, from its creation to its end. */
static void *make_calls(void *context)
{
    trial *t = context;
    const int32_t transposes = t->module && t->module->ops->transposes;
    const int32_t symmetric = t->module && t->module->ops->symmetric ? SPMV_SYMMETRIC_FULL
                                                                     : SPMV_SYMMETRIC_NONE;
    const spmv_plan_options options = {
        .struct_size = sizeof options, .threads = t->threads, .full_check = 1, .savable = 1,
        .method = t->module ? t->module->method : NULL,
        .target = t->module ? t->module->target : NULL,
        .measure = t->module == NULL, .transposed = transposes, .symmetric = symmetric,
    };
    const spmv_plan_options unknown = { .struct_size = sizeof unknown, .method = "strip" };
    const spmv_plan_options kept = { .struct_size = sizeof kept, .threads = t->threads,
                                     .transposed = transposes, .symmetric = symmetric };
    spmv_error err = { SPMV_OK, "" };
    spmv_device *device = NULL;
    spmv_plan *plan = NULL;

    t->error[0] = '\0';
    if (went_well(t, "spmv_device_open", spmv_device_open(NULL, &device, &err), err.text)) {
        if (spmv_plan_create(device, &t->matrix->csr, &unknown, &plan, &err) != SPMV_UNSUPPORTED)
            snprintf(t->error, sizeof t->error, "an unknown method is no error");
        else if (went_well(t, "spmv_plan_create",
                           spmv_plan_create(device, &t->matrix->csr, &options, &plan, &err),
                           err.text))
            use_plan(t, plan, &err);
        if (!t->error[0] && t->module)
            save_and_load(t, device, &kept, plan, &err);
        spmv_plan_destroy(plan);
    }
    spmv_device_close(device);
    return NULL;
}

/* ---- a thread with a small stack ----------------------------------------------------------- */

static size_t stack_bytes(void)
{
    const long least = sysconf(_SC_THREAD_STACK_MIN);

    return least > WANTED_STACK ? (size_t)least : WANTED_STACK;
}

/* Calls `make_calls` on a thread with a small stack. Returns the number of written bytes of the
 * stack; 0: the thread could not be created. */
static size_t make_calls_on_small_stack(trial *t)
{
    const size_t bytes = stack_bytes();
    size_t untouched = 0;
    pthread_attr_t attributes;
    pthread_t thread;
    unsigned char *memory = mmap(NULL, FORBIDDEN + bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                                 -1, 0);

    if (memory == MAP_FAILED || mprotect(memory + FORBIDDEN, bytes, PROT_READ | PROT_WRITE))
        return 0;
    memset(memory + FORBIDDEN, PATTERN, bytes);
    pthread_attr_init(&attributes);
    const bool started = !pthread_attr_setstack(&attributes, memory + FORBIDDEN, bytes) &&
                         !pthread_create(&thread, &attributes, make_calls, t) &&
                         !pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    while (started && untouched < bytes && memory[FORBIDDEN + untouched] == PATTERN)
        untouched++;
    munmap(memory, FORBIDDEN + bytes);
    return started ? bytes - untouched : 0;
}

/* ---- modules ------------------------------------------------------------------------------- */

/* The greater number of values of x and y, whichever way a module multiplies. */
static int64_t longest(const spmv_csr *csr)
{
    return csr->rows > csr->cols ? csr->rows : csr->cols;
}

/* Tries a module, or libspmv's choice, on one matrix. Raises *most to the bytes of stack in use. */
static bool works(trial *t, size_t *most)
{
    const spmv_csr *csr = &t->matrix->csr;
    const size_t y_bytes = (size_t)longest(csr) * bench_value_bytes(csr->value_type);
    void *expected = calloc(1, y_bytes + 1), *small = calloc(1, y_bytes + 1);
    bool good = expected && small;

    t->threads = 1;
    t->y = expected;
    if (good)
        make_calls(t);
    for (int32_t threads = 1; threads <= SEVERAL && good && !t->error[0];
         threads += SEVERAL - 1) {
        t->threads = threads;
        t->y = small;
        const size_t used = make_calls_on_small_stack(t);
        *most = used > *most ? used : *most;
        /* A choice by measurement may differ each time. */
        if (!used)
            snprintf(t->error, sizeof t->error, "the test itself has no such thread");
        else if (!t->error[0] && t->module && memcmp(expected, small, y_bytes) != 0)
            snprintf(t->error, sizeof t->error, "other bits than on the main thread");
    }
    if (t->error[0])
        diag("%d threads: %s", t->threads, t->error);
    good = good && !t->error[0];
    free(expected);
    free(small);
    return good;
}

/* The matrix of a shape, symmetric if the module needs that: then the first shape is stored by
 * runs, and the others by diagonals. */
static bool build_matrix(int shape, const spmv_module *module, spmv_value_type value_type,
                         spmv_offset_type offset_type, bench_matrix **out)
{
    bench_matrix *master = NULL;
    const bool made =
        !bench_shape_build(bench_shape_find(shapes[shape].shape), shapes[shape].size, 5, &master) &&
        (!module || test_symmetrise(module, shape == 0 ? 2 : 1, &master)) &&
        !bench_matrix_convert(&master->csr, 0, offset_type, value_type, out);

    bench_matrix_destroy(master);
    return made;
}

/* Tries a module on all matrices, in its types. */
static void try_module(const spmv_module *module, const char *file)
{
    const spmv_value_type value_type = module ? module->value_type : SPMV_F64;
    const spmv_offset_type offset_type = module ? module->offset_type : SPMV_I32;
    size_t most = 0;
    bool good = true;

    for (int i = 0; i < SHAPES && good; i++) {
        bench_matrix *matrix = NULL;
        bench_random random = { 7 };
        void *x = NULL;
        good = build_matrix(i, module, value_type, offset_type, &matrix) &&
               (x = malloc((size_t)longest(&matrix->csr) * bench_value_bytes(value_type))) != NULL;
        if (good) {
            trial t = { .module = module, .matrix = matrix, .x = x, .file = file };
            bench_random_fill(&random, BENCH_UNIFORM, value_type, x,
                              (size_t)longest(&matrix->csr));
            good = works(&t, &most);
        }
        if (!good)
            diag("%s of size %lld", shapes[i].shape, (long long)shapes[i].size);
        bench_matrix_destroy(matrix);
        free(x);
    }
    ok(good, "%s: on a stack of %zu KiB", module ? module->name : "what is chosen and measured",
       stack_bytes() / 1024);
    diag("the caller's stack took %zu bytes at most", most);
}

int main(int argc, char **argv)
{
    spmv_error err = { SPMV_OK, "" };
    spmv_device *device = NULL;
    char file[PATH_MAX];

    snprintf(file, sizeof file, "%s.%ld.plan", argc > 0 ? argv[0] : "small_stacks", (long)getpid());
    if (spmv_device_open(NULL, &device, &err)) {
        ok(false, "a device opens: %s", err.text);
        return tap_done();
    }
    try_module(NULL, file);
    for (size_t i = 0; i < spmv_device_module_count(device); i++)
        try_module(spmv_device_module(device, i), file);
    remove(file);
    spmv_device_close(device);
    return tap_done();
}
