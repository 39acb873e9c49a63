/* vendored_cuda.cu: emitted kernels in a CUDA program without libspmv, compiled by nvcc, for
 * devices whose driver cannot compile programs, such as the Tegra K1.
 *
 * The program includes the kernels and launches them by name. The tables of the module's C file
 * list the arrays of a layout, the kernels and work-groups of a multiplication, and the names of
 * the kernels' arguments. So the functions below run any matrix with any method whose kernels are
 * in `kernels`. The exception is a host step, which the CPU runs between kernels (the speculative
 * method, unless a page sets speculative.repair = "device"). A host step uses y and the workspace
 * in host memory; see spmv_part.host and spmv_layout.host_y in spmv_module.h.
 *
 * Before CUDA 7, which added cudaLaunchKernel, use kernel<<<groups, items>>>(...) or the driver's
 * cuLaunchKernel.
 *
 *     spmvgen --target sm_90 --method csr5 --type f64 --offsets i32 --program-files -o sm_90
 *     nvcc -arch=sm_90 -I sm_90 vendored_cuda.cu sm_90/spmv_csr5__sm_90.c -o vendored_cuda
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv_modules__sm_90.h"

/* Kernels of several methods may have equal names, so each text has its own namespace. */
#define SPMV_LINKAGE static
namespace csr5_f64 {
#include "spmv_csr5__sm_90.cu"
}

enum { SKIPPED = 77 };           /* Meson's exit code of a skipped test */

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "cannot %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

/* ---- kernels ------------------------------------------------------------------------------- */

typedef struct named_kernel {
    const char *name;
    const void *function;
} named_kernel;

static const named_kernel kernels[] = {
    {"scale_rows", (const void *)csr5_f64::scale_rows},
    {"csr5_tiles", (const void *)csr5_f64::csr5_tiles},
    {"csr5_short_rows", (const void *)csr5_f64::csr5_short_rows},
    {"csr5_long_rows", (const void *)csr5_f64::csr5_long_rows},
};

static const void *find_function(const char *name)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return kernels[i].function;
    check(cudaErrorInvalidDeviceFunction, name);
    return NULL;
}

/* ---- the layout, on the CPU, as in vendored.c ---------------------------------------------- */

static void *allocate(size_t bytes)
{
    void *memory = NULL;

    if (posix_memalign(&memory, SPMV_ALIGNMENT, bytes + SPMV_ALIGNMENT) != 0)
        check(cudaErrorMemoryAllocation, "allocate memory");
    return memory;
}

static void build(const spmv_module *module, spmv_layout *layout)
{
    spmv_job job;
    spmv_step step[SPMV_MAX_STEPS];

    memset(&job, 0, sizeof job);
    job.layout = layout;
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        layout->setting[i] = module->ops->settings[i].initial;
    layout->scratch = allocate(module->ops->sizing_bytes);
    check(module->ops->layout_size(layout) == SPMV_OK ? cudaSuccess : cudaErrorInvalidValue,
          "lay this matrix out");
    free(layout->scratch);
    layout->scratch = NULL;
    for (int32_t i = 0; i < layout->array_count; i++)
        layout->array[i].data = allocate(layout->array[i].bytes);
    job.workspace = allocate(layout->build_bytes);
    const int32_t count = module->ops->build_steps(layout, step);
    for (int32_t i = 0; i < count; i++)
        if (step[i].grid > 0)
            step[i].run(&job, 0, step[i].grid);
    free(job.workspace);
}

/* ---- the matrix on the device -------------------------------------------------------------- */

/* Device memory, and the name of the kernel argument for it. */
typedef struct named_memory {
    const char *name;
    void *memory;
} named_memory;

enum { MOST_AREAS = 5 + SPMV_MAX_ARRAYS + SPMV_MAX_PARTS };

typedef struct device_matrix {
    const spmv_module *module;
    const spmv_layout *layout;
    named_memory area[MOST_AREAS];
    int count;
} device_matrix;

/* data: NULL if the initial contents do not matter. */
static void *add_area(device_matrix *a, const char *name, size_t bytes, const void *data)
{
    const named_memory none = {name, NULL};
    named_memory *area = &a->area[a->count++];

    *area = none;
    if (bytes > 0)
        check(cudaMalloc(&area->memory, bytes), "allocate memory of the device");
    if (bytes > 0 && data != NULL)
        check(cudaMemcpy(area->memory, data, bytes, cudaMemcpyHostToDevice), "fill it");
    return area->memory;
}

static void move_matrix(device_matrix *a)
{
    const size_t offset = a->module->offset_type == SPMV_I64 ? 8 : 4;
    const size_t value = a->module->value_type == SPMV_F64 ? 8 : 4;
    const spmv_layout *l = a->layout;
    const spmv_csr *csr = &l->csr;
    const int32_t borrows = l->borrows;

    /* Arrays of the matrix that kernels read, too. */
    if (borrows & SPMV_BORROWS_ROW_PTR)
        add_area(a, "row_ptr", ((size_t)csr->rows + 1) * offset, csr->row_ptr);
    if (borrows & SPMV_BORROWS_COL_IDX)
        add_area(a, "col_idx", (size_t)csr->nnz * sizeof(int32_t), csr->col_idx);
    if (borrows & SPMV_BORROWS_VAL)
        add_area(a, "val", (size_t)csr->nnz * value, csr->val);
    for (int32_t i = 0; i < l->array_count; i++)
        add_area(a, l->array[i].name, l->array[i].bytes, l->array[i].data);
    for (int32_t i = 0; i < l->part_count; i++)
        add_area(a, l->part[i].name, l->part[i].bytes, NULL);
}

/* ---- a multiplication ---------------------------------------------------------------------- */

typedef union argument_value {
    void *memory;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
} argument_value;

static int64_t find_integer(const device_matrix *a, const char *name)
{
    const spmv_method_ops *ops = a->module->ops;
    const spmv_csr *csr = &a->layout->csr;

    for (int32_t i = 0; i < ops->number_count; i++)
        if (strcmp(ops->number_names[i], name) == 0)
            return a->layout->number[i];
    if (strcmp(name, "rows") == 0)
        return csr->rows;
    if (strcmp(name, "cols") == 0)
        return csr->cols;
    if (strcmp(name, "nnz") == 0)
        return csr->nnz;
    check(strcmp(name, "base") == 0 ? cudaSuccess : cudaErrorInvalidValue, name);
    return csr->base;
}

static void *find_memory(const device_matrix *a, const char *name)
{
    for (int i = 0; i < a->count; i++)
        if (strcmp(a->area[i].name, name) == 0)
            return a->area[i].memory;
    check(cudaErrorInvalidValue, name);
    return NULL;
}

static argument_value find_value(const device_matrix *a, const spmv_argument *argument,
                                 const spmv_job *job)
{
    const double real = strcmp(argument->name, "alpha") == 0 ? job->alpha : job->beta;
    argument_value value;

    switch (argument->kind) {
    case SPMV_ARGUMENT_READ:
    case SPMV_ARGUMENT_READ_WRITE: value.memory = find_memory(a, argument->name); break;
    case SPMV_ARGUMENT_I32: value.i32 = (int32_t)find_integer(a, argument->name); break;
    case SPMV_ARGUMENT_I64: value.i64 = find_integer(a, argument->name); break;
    case SPMV_ARGUMENT_F32: value.f32 = (float)real; break;
    case SPMV_ARGUMENT_F64: value.f64 = real; break;
    }
    return value;
}

/* y = alpha*A*x + beta*y on the areas named x and y. */
static void multiply(const device_matrix *a, double alpha, double beta)
{
    spmv_job job;
    spmv_step step[SPMV_MAX_STEPS];

    memset(&job, 0, sizeof job);
    job.layout = a->layout;
    job.alpha = alpha;
    job.beta = beta;
    const int32_t count = a->module->ops->launches(&job, step);
    for (int32_t i = 0; i < count; i++) {
        const spmv_kernel *kernel = a->module->program->kernels;
        argument_value value[SPMV_MAX_ARGUMENTS];
        void *argument[SPMV_MAX_ARGUMENTS];

        check(step[i].run == NULL ? cudaSuccess : cudaErrorNotSupported,
              "run a step of the CPU here");
        if (step[i].grid == 0)
            continue;
        while (strcmp(kernel->name, step[i].name) != 0)
            kernel++;
        for (int32_t k = 0; k < kernel->argument_count; k++) {
            value[k] = find_value(a, &kernel->arguments[k], &job);
            argument[k] = &value[k];
        }
        check(cudaLaunchKernel(find_function(kernel->name), dim3((unsigned)step[i].grid),
                               dim3((unsigned)kernel->work_group_size), argument, 0, 0),
              kernel->name);
    }
}

int main()
{
    static const int32_t row_ptr[] = {0, 2, 5, 5, 7};
    static const int32_t col_idx[] = {0, 1, 0, 1, 2, 2, 3};
    static const double val[] = {4, 1, 1, 4, 1, 1, 4};
    static const double x[] = {1, 2, 3, 4};
    static const double expected[] = {62, 74, 50, 88};
    double y[] = {100, 100, 100, 100};
    spmv_layout layout;
    device_matrix a;
    int devices = 0;

    memset(&layout, 0, sizeof layout);
    layout.csr.rows = layout.csr.cols = 4;
    layout.csr.nnz = 7;
    layout.csr.row_ptr = row_ptr;
    layout.csr.col_idx = col_idx;
    layout.csr.val = val;
    layout.csr.offset_type = SPMV_I32;
    layout.csr.value_type = SPMV_F64;
    memset(&a, 0, sizeof a);
    a.module = &spmv_csr5_f64_i32__sm_90;
    a.layout = &layout;

    /* In a module with another ABI only `abi` may be read. */
    check(a.module->abi == SPMV_MODULE_ABI ? cudaSuccess : cudaErrorInvalidValue,
          "read the module");
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("there is no CUDA device\n");
        return SKIPPED;
    }
    build(a.module, &layout);
    move_matrix(&a);
    add_area(&a, "x", sizeof x, x);
    void *on_device = add_area(&a, "y", sizeof y, y);
    multiply(&a, 2.0, 0.5);
    check(cudaMemcpy(y, on_device, sizeof y, cudaMemcpyDeviceToHost), "read y");
    printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

    for (int i = 0; i < a.count; i++)
        cudaFree(a.area[i].memory);
    for (int32_t i = 0; i < layout.array_count; i++)
        free(layout.array[i].data);
    return memcmp(y, expected, sizeof y) != 0;
}
