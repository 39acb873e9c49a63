/* vendored_opencl.c: an emitted OpenCL module in an OpenCL program without libspmv.
 *
 * The module's C file has the program's text. Its tables list the arrays of a layout, the kernels
 * and work-groups of a multiplication, and the names of the kernels' arguments. So the functions
 * below run any method and any matrix. The exception is a host step, which the CPU runs between
 * kernels (the speculative method, unless a page sets speculative.repair = "device"). A host step
 * uses y and the workspace in host memory; see spmv_part.host and spmv_layout.host_y in
 * spmv_module.h. libspmv runs host steps.
 *
 *     cc -I pocl vendored_opencl.c pocl/spmv_csr5__pocl.c -lm -lOpenCL
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spmv_modules__pocl.h"

enum { SKIPPED = 77 };           /* Meson's exit code of a skipped test */

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "cannot %s: error %d\n", what, (int)code);
    exit(1);
}

/* ---- the layout, on the CPU, as in vendored.c ---------------------------------------------- */

static void *allocate(size_t bytes)
{
    void *memory = aligned_alloc(SPMV_ALIGNMENT, (bytes / SPMV_ALIGNMENT + 1) * SPMV_ALIGNMENT);

    check(memory != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "allocate memory");
    return memory;
}

static void build(const spmv_module *module, spmv_layout *layout)
{
    spmv_job job = {.layout = layout};
    spmv_step step[SPMV_MAX_STEPS];

    for (int32_t i = 0; i < module->ops->setting_count; i++)
        layout->setting[i] = module->ops->settings[i].initial;
    layout->scratch = allocate(module->ops->sizing_bytes);
    check(module->ops->layout_size(layout) == SPMV_OK ? CL_SUCCESS : CL_INVALID_VALUE,
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

/* ---- arguments by name --------------------------------------------------------------------- */

/* A buffer on the device, and the name of the kernel argument for it. */
typedef struct named_buffer {
    const char *name;
    cl_mem memory;               /* NULL: 0 bytes */
} named_buffer;

enum { MOST_BUFFERS = 5 + SPMV_MAX_ARRAYS + SPMV_MAX_PARTS };

typedef struct device_matrix {
    const spmv_module *module;
    const spmv_layout *layout;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    named_buffer buffer[MOST_BUFFERS];
    int count;
} device_matrix;

/* data: NULL if the initial contents do not matter. */
static cl_mem add_buffer(device_matrix *a, const char *name, size_t bytes, const void *data)
{
    cl_mem memory = NULL;
    cl_int code = CL_SUCCESS;

    if (bytes > 0)
        memory = clCreateBuffer(a->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    check(code, "make a buffer");
    if (bytes > 0 && data != NULL)
        check(clEnqueueWriteBuffer(a->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
              "fill a buffer");
    a->buffer[a->count++] = (named_buffer){name, memory};
    return memory;
}

static const cl_mem *find_buffer(const device_matrix *a, const char *name)
{
    for (int i = 0; i < a->count; i++)
        if (strcmp(a->buffer[i].name, name) == 0)
            return &a->buffer[i].memory;
    check(CL_INVALID_ARG_VALUE, name);
    return NULL;
}

static int64_t find_integer(const device_matrix *a, const char *name)
{
    const spmv_method_ops *ops = a->module->ops;
    const spmv_csr *csr = &a->layout->csr;

    for (int32_t i = 0; i < ops->number_count; i++)
        if (strcmp(ops->number_names[i], name) == 0)
            return a->layout->number[i];
    return strcmp(name, "rows") == 0 ? csr->rows : strcmp(name, "cols") == 0 ? csr->cols
           : strcmp(name, "nnz") == 0 ? csr->nnz : csr->base;
}

static void set_argument(const device_matrix *a, cl_kernel kernel, cl_uint index,
                         const spmv_argument *argument, const spmv_job *job)
{
    const double real = strcmp(argument->name, "alpha") == 0 ? job->alpha : job->beta;
    const float f32 = (float)real;
    int64_t i64;
    int32_t i32;
    cl_int code = CL_INVALID_ARG_VALUE;

    switch (argument->kind) {
    case SPMV_ARGUMENT_READ:
    case SPMV_ARGUMENT_READ_WRITE:
        code = clSetKernelArg(kernel, index, sizeof(cl_mem), find_buffer(a, argument->name));
        break;
    case SPMV_ARGUMENT_I32:
        i32 = (int32_t)find_integer(a, argument->name);
        code = clSetKernelArg(kernel, index, sizeof i32, &i32);
        break;
    case SPMV_ARGUMENT_I64:
        i64 = find_integer(a, argument->name);
        code = clSetKernelArg(kernel, index, sizeof i64, &i64);
        break;
    case SPMV_ARGUMENT_F32: code = clSetKernelArg(kernel, index, sizeof f32, &f32); break;
    case SPMV_ARGUMENT_F64: code = clSetKernelArg(kernel, index, sizeof real, &real); break;
    }
    check(code, "set an argument");
}

/* ---- the program and the matrix on the device ---------------------------------------------- */

static void build_program(device_matrix *a, cl_device_id device)
{
    const spmv_program *p = a->module->program;
    cl_uint lines = 0;
    cl_int code;

    for (int32_t i = 0; i < p->part_count; i++)
        lines += (cl_uint)p->parts[i].line_count;
    const char **text = malloc(lines * sizeof *text);
    if (!text)
        exit(1);
    lines = 0;
    for (int32_t i = 0; i < p->part_count; i++)
        for (int32_t k = 0; k < p->parts[i].line_count; k++)
            text[lines++] = p->parts[i].lines[k];
    a->program = clCreateProgramWithSource(a->context, lines, text, NULL, &code);
    free(text);
    check(code, "take the program");
    check(clBuildProgram(a->program, 1, &device, p->options, NULL, NULL), "build the program");
}

static void move_matrix(device_matrix *a)
{
    const spmv_layout *l = a->layout;
    const spmv_csr *csr = &l->csr;
    const int32_t borrows = l->borrows;

    /* Arrays of the matrix that kernels read, too. */
    add_buffer(a, "row_ptr", ((size_t)csr->rows + 1) * sizeof(int32_t),
               borrows & SPMV_BORROWS_ROW_PTR ? csr->row_ptr : NULL);
    if (borrows & SPMV_BORROWS_COL_IDX)
        add_buffer(a, "col_idx", (size_t)csr->nnz * sizeof(int32_t), csr->col_idx);
    if (borrows & SPMV_BORROWS_VAL)
        add_buffer(a, "val", (size_t)csr->nnz * sizeof(double), csr->val);
    for (int32_t i = 0; i < l->array_count; i++)
        add_buffer(a, l->array[i].name, l->array[i].bytes, l->array[i].data);
    for (int32_t i = 0; i < l->part_count; i++)
        add_buffer(a, l->part[i].name, l->part[i].bytes, NULL);
}

/* y = alpha*A*x + beta*y on the buffers named x and y. */
static void multiply(const device_matrix *a, double alpha, double beta)
{
    const spmv_job job = {.layout = a->layout, .alpha = alpha, .beta = beta};
    spmv_step step[SPMV_MAX_STEPS];
    const int32_t count = a->module->ops->launches(&job, step);

    for (int32_t i = 0; i < count; i++) {
        const spmv_kernel *kernel = a->module->program->kernels;
        cl_int code;

        check(step[i].run == NULL ? CL_SUCCESS : CL_INVALID_KERNEL, "run a step of the CPU here");
        if (step[i].grid == 0)
            continue;
        while (strcmp(kernel->name, step[i].name) != 0)
            kernel++;
        const size_t group = (size_t)kernel->work_group_size;
        const size_t global = (size_t)step[i].grid * group;
        cl_kernel made = clCreateKernel(a->program, kernel->symbol, &code);
        check(code, kernel->name);
        for (int32_t k = 0; k < kernel->argument_count; k++)
            set_argument(a, made, (cl_uint)k, &kernel->arguments[k], &job);
        check(clEnqueueNDRangeKernel(a->queue, made, 1, NULL, &global, &group, 0, NULL, NULL),
              kernel->name);
        clReleaseKernel(made);
    }
}

static void destroy(device_matrix *a)
{
    for (int i = 0; i < a->count; i++)
        if (a->buffer[i].memory != NULL)
            clReleaseMemObject(a->buffer[i].memory);
    clReleaseProgram(a->program);
    clReleaseCommandQueue(a->queue);
    clReleaseContext(a->context);
}

int main(void)
{
    static const int32_t row_ptr[] = {0, 2, 5, 5, 7};
    static const int32_t col_idx[] = {0, 1, 0, 1, 2, 2, 3};
    static const double val[] = {4, 1, 1, 4, 1, 1, 4};
    static const double x[] = {1, 2, 3, 4};
    static const double expected[] = {62, 74, 50, 88};
    double y[] = {100, 100, 100, 100};
    const spmv_module *module = &spmv_csr5_f64_i32__pocl;
    spmv_layout layout = {.csr = {
        .rows = 4, .cols = 4, .nnz = 7, .row_ptr = row_ptr, .col_idx = col_idx, .val = val,
        .offset_type = SPMV_I32, .value_type = SPMV_F64,
    }};
    device_matrix a = {.module = module, .layout = &layout};
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;

    /* In a module with another ABI only `abi` may be read. */
    check(module->abi == SPMV_MODULE_ABI ? CL_SUCCESS : CL_INVALID_BINARY, "read the module");
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        printf("there is no OpenCL device\n");
        return SKIPPED;
    }
    a.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "make a context");
    a.queue = clCreateCommandQueue(a.context, device, 0, &code);
    check(code, "make a queue");

    build(module, &layout);
    build_program(&a, device);
    move_matrix(&a);
    add_buffer(&a, "x", sizeof x, x);
    cl_mem on_device = add_buffer(&a, "y", sizeof y, y);
    multiply(&a, 2.0, 0.5);
    check(clEnqueueReadBuffer(a.queue, on_device, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL),
          "read y");
    printf("y = %g %g %g %g\n", y[0], y[1], y[2], y[3]);

    destroy(&a);
    for (int32_t i = 0; i < layout.array_count; i++)
        free(layout.array[i].data);
    return memcmp(y, expected, sizeof y) != 0;
}
