/* mock_opencl.c: devices, contexts, programs and kernels of mock_opencl.h; the rest is in
 * mock_opencl_commands.c. Calls may run concurrently; the control must not change during a call. */
#include "mock_opencl_objects.h"

#include <stdlib.h>
#include <string.h>

static const char mock_binary[] = "what the driver made of it";

mock_control control;
atomic_int misuses;
static atomic_int live, calls;

EXPORT mock_control *mock_opencl_control(void);
mock_control *mock_opencl_control(void)
{
    control = (mock_control){
        .overtaking = 1,
        .platforms = 1,
        .devices = 1,
        .name = "Mock device",
        .has_f64 = 1,
        .work_group_size = 256,
        .local_memory = 32768,
        .largest_buffer = 1 << 30,
        .log = "line 1: nothing is right",
        .extensions = "cl_khr_fp64 cl_mock_shuffle_relative cl_mock_shuffle ",
        .subgroup_size = 32,
    };
    commands_reset();
    shared_reset();
    atomic_store(&live, 0);
    atomic_store(&misuses, 0);
    atomic_store(&calls, 0);
    return &control;
}

EXPORT void mock_opencl_count(void);
void mock_opencl_count(void)
{
    commands_reset();            /* commands that nothing waits for may run at any time */
    control.live = atomic_load(&live);
    control.misuses = atomic_load(&misuses);
}

int fails(const char *function)
{
    if (control.failing == NULL || strcmp(control.failing, function) != 0)
        return 0;
    control.calls = atomic_fetch_add(&calls, 1) + 1;
    return control.calls == control.fail_at;
}

/* ---- objects ------------------------------------------------------------------------------- */

void *create(const char *function, object_kind kind, spmv_opencl_int *code)
{
    object *o = fails(function) ? NULL : calloc(1, sizeof *o);

    if (code != NULL)
        *code = o != NULL ? OCL_SUCCESS : control.code;
    if (o == NULL)
        return NULL;
    o->kind = kind;
    atomic_store(&o->references, 1);
    atomic_fetch_add(&live, 1);
    return o;
}

object *check(const void *handle, object_kind kind)
{
    object *o = (object *)handle;

    if (o != NULL && o->kind == kind)
        return o;
    atomic_fetch_add(&misuses, 1);
    return NULL;
}

spmv_opencl_int retain(const void *handle, object_kind kind)
{
    object *o = check(handle, kind);

    if (o == NULL)
        return -30;
    atomic_fetch_add(&o->references, 1);
    return OCL_SUCCESS;
}

spmv_opencl_int release(const void *handle, object_kind kind)
{
    object *o = check(handle, kind);

    if (o == NULL)
        return -30;
    if (atomic_fetch_sub(&o->references, 1) > 1)
        return OCL_SUCCESS;
    atomic_fetch_sub(&live, 1);
    free(o->data);
    o->kind = (object_kind)0;
    free(o);
    return OCL_SUCCESS;
}

/* ---- platforms and devices ----------------------------------------------------------------- */

static char platform_object;
char device_object;

spmv_opencl_int answer(const void *value, size_t bytes, size_t size, void *out, size_t *needed)
{
    if (needed != NULL)
        *needed = bytes;
    if (out != NULL && size < bytes)
        return -30;
    if (out != NULL)
        memcpy(out, value, bytes);
    return OCL_SUCCESS;
}

spmv_opencl_int clGetPlatformIDs(spmv_opencl_uint room, spmv_opencl_platform *platform,
                                 spmv_opencl_uint *count)
{
    if (fails("GetPlatformIDs"))
        return control.code;
    *count = (spmv_opencl_uint)control.platforms;
    for (spmv_opencl_uint i = 0; i < room && i < *count; i++)
        platform[i] = (spmv_opencl_platform)(void *)&platform_object;
    return control.platforms > 0 ? OCL_SUCCESS : OCL_PLATFORM_NOT_FOUND;
}

spmv_opencl_int clGetPlatformInfo(spmv_opencl_platform platform, spmv_opencl_uint what, size_t size,
                                  void *out, size_t *needed)
{
    (void)platform;
    (void)what;
    return fails("GetPlatformInfo") ? control.code : answer("Mock", 5, size, out, needed);
}

spmv_opencl_int clGetDeviceIDs(spmv_opencl_platform platform, spmv_opencl_bits type,
                               spmv_opencl_uint room, spmv_opencl_device *device,
                               spmv_opencl_uint *count)
{
    (void)platform;
    (void)type;
    if (fails("GetDeviceIDs"))
        return control.code;
    *count = (spmv_opencl_uint)control.devices;
    for (spmv_opencl_uint i = 0; i < room && i < *count; i++)
        device[i] = (spmv_opencl_device)(void *)&device_object;
    return control.devices > 0 ? OCL_SUCCESS : OCL_DEVICE_NOT_FOUND;
}

spmv_opencl_int clGetDeviceInfo(spmv_opencl_device device, spmv_opencl_uint what, size_t size,
                                void *out, size_t *needed)
{
    const uint32_t yes = 1;
    const uint64_t gpu = OCL_DEVICE_TYPE_GPU;
    const uint64_t f64 = control.has_f64 ? 63 : 0;
    const uint32_t unified = (uint32_t)control.is_unified;
    void *const platform = &platform_object;

    (void)device;
    if (fails("GetDeviceInfo"))
        return control.code;
    switch (what) {
    case OCL_DEVICE_NAME: return answer(control.name, strlen(control.name) + 1, size, out, needed);
    case OCL_DRIVER_VERSION: return answer("1.0", 4, size, out, needed);
    case OCL_DEVICE_TYPE: return answer(&gpu, sizeof gpu, size, out, needed);
    case OCL_DEVICE_AVAILABLE: return answer(&yes, sizeof yes, size, out, needed);
    case OCL_DEVICE_COMPILER_AVAILABLE: return answer(&yes, sizeof yes, size, out, needed);
    case OCL_DEVICE_DOUBLE_FP_CONFIG: return answer(&f64, sizeof f64, size, out, needed);
    case OCL_DEVICE_EXTENSIONS:
        return answer(control.extensions, strlen(control.extensions) + 1, size, out, needed);
    case OCL_DEVICE_SUB_GROUP_SIZES:
        return answer(control.subgroup_sizes, sizeof control.subgroup_sizes, size, out, needed);
    case OCL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer(&control.work_group_size, sizeof control.work_group_size, size, out, needed);
    case OCL_DEVICE_LOCAL_MEM_SIZE:
        return answer(&control.local_memory, sizeof control.local_memory, size, out, needed);
    case OCL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return answer(&control.largest_buffer, sizeof control.largest_buffer, size, out, needed);
    case OCL_DEVICE_HOST_UNIFIED_MEMORY: return answer(&unified, sizeof unified, size, out, needed);
    case OCL_DEVICE_SVM_CAPABILITIES:
        return answer(&control.svm, sizeof control.svm, size, out, needed);
    case OCL_DEVICE_PLATFORM: return answer(&platform, sizeof platform, size, out, needed);
    default: return -30;
    }
}

/* ---- contexts, programs, kernels ----------------------------------------------------------- */

spmv_opencl_context clCreateContext(const spmv_opencl_property *properties, spmv_opencl_uint count,
                                   const spmv_opencl_device *device,
                                   void (*notify)(const char *, const void *, size_t, void *),
                                   void *user, spmv_opencl_int *code)
{
    (void)properties;
    (void)count;
    (void)device;
    (void)notify;
    (void)user;
    return create("CreateContext", CONTEXT, code);
}

spmv_opencl_int clRetainContext(spmv_opencl_context context)
{
    return fails("RetainContext") ? control.code : retain(context, CONTEXT);
}

spmv_opencl_int clReleaseContext(spmv_opencl_context context) { return release(context, CONTEXT); }

spmv_opencl_program clCreateProgramWithSource(spmv_opencl_context context, spmv_opencl_uint count,
                                             const char **lines, const size_t *lengths,
                                             spmv_opencl_int *code)
{
    (void)lengths;
    check(context, CONTEXT);
    if (count < 1 || lines[count - 1] == NULL)
        atomic_fetch_add(&misuses, 1);
    return create("CreateProgramWithSource", PROGRAM, code);
}

spmv_opencl_program clCreateProgramWithBinary(spmv_opencl_context context, spmv_opencl_uint count,
                                              const spmv_opencl_device *device, const size_t *bytes,
                                              const unsigned char **binary, spmv_opencl_int *taken,
                                              spmv_opencl_int *code)
{
    (void)device;
    check(context, CONTEXT);
    if (count != 1 || *bytes != sizeof mock_binary || memcmp(*binary, mock_binary, *bytes) != 0)
        atomic_fetch_add(&misuses, 1);
    control.from_binary++;
    *taken = OCL_SUCCESS;
    return create("CreateProgramWithBinary", PROGRAM, code);
}

spmv_opencl_int clGetProgramInfo(spmv_opencl_program program, spmv_opencl_uint what, size_t size,
                                 void *out, size_t *needed)
{
    const size_t bytes = sizeof mock_binary;
    unsigned char *binary;

    check(program, PROGRAM);
    if (fails("GetProgramInfo"))
        return control.code;
    if (what == OCL_PROGRAM_BINARY_SIZES)
        return answer(&bytes, sizeof bytes, size, out, needed);
    memcpy(&binary, out, sizeof binary);
    memcpy(binary, mock_binary, sizeof mock_binary);
    return OCL_SUCCESS;
}

spmv_opencl_int clBuildProgram(spmv_opencl_program program, spmv_opencl_uint count,
                               const spmv_opencl_device *device, const char *options,
                               void (*notify)(spmv_opencl_program, void *), void *user)
{
    (void)count;
    (void)device;
    (void)options;
    (void)notify;
    (void)user;
    check(program, PROGRAM);
    return fails("BuildProgram") ? control.code : OCL_SUCCESS;
}

spmv_opencl_int clGetProgramBuildInfo(spmv_opencl_program program, spmv_opencl_device device,
                                      spmv_opencl_uint what, size_t size, void *out, size_t *needed)
{
    (void)device;
    (void)what;
    check(program, PROGRAM);
    return fails("GetProgramBuildInfo")
               ? control.code : answer(control.log, strlen(control.log) + 1, size, out, needed);
}

spmv_opencl_int clReleaseProgram(spmv_opencl_program program) { return release(program, PROGRAM); }

spmv_opencl_kernel clCreateKernel(spmv_opencl_program program, const char *name,
                                  spmv_opencl_int *code)
{
    const toy_kernel *found = NULL;

    check(program, PROGRAM);
    for (int i = 0; toy_kernels[i].name != NULL; i++)
        if (strcmp(toy_kernels[i].name, name) == 0)
            found = &toy_kernels[i];
    if (found == NULL) {
        *code = -46;
        return NULL;
    }
    object *o = create("CreateKernel", KERNEL, code);
    if (o != NULL)
        o->kernel = found;
    return (spmv_opencl_kernel)(void *)o;
}

spmv_opencl_int clReleaseKernel(spmv_opencl_kernel kernel) { return release(kernel, KERNEL); }

spmv_opencl_int clGetKernelSubGroupInfo(spmv_opencl_kernel kernel, spmv_opencl_device device,
                                        spmv_opencl_uint what, size_t in_bytes, const void *in,
                                        size_t size, void *out, size_t *needed)
{
    (void)device;
    if (!check(kernel, KERNEL) || what != OCL_KERNEL_MAX_SUB_GROUP_SIZE ||
        in_bytes != sizeof(size_t) || in == NULL)
        atomic_fetch_add(&misuses, 1);
    return fails("GetKernelSubGroupInfo")
               ? control.code
               : answer(&control.subgroup_size, sizeof control.subgroup_size, size, out, needed);
}

static spmv_opencl_int set_argument(spmv_opencl_kernel kernel, spmv_opencl_uint index, size_t bytes,
                                    const void *value, int is_shared)
{
    object *o = check(kernel, KERNEL);

    if (o == NULL || index >= MOST_ARGUMENTS || bytes > sizeof o->arguments.value[0]) {
        atomic_fetch_add(&misuses, 1);
        return -50;
    }
    memcpy(o->arguments.value[index], value, bytes);
    o->arguments.bytes[index] = bytes;
    o->arguments.is_shared[index] = is_shared;
    return OCL_SUCCESS;
}

spmv_opencl_int clSetKernelArg(spmv_opencl_kernel kernel, spmv_opencl_uint index, size_t bytes,
                               const void *value)
{
    return fails("SetKernelArg") ? control.code : set_argument(kernel, index, bytes, value, 0);
}

spmv_opencl_int clSetKernelArgSVMPointer(spmv_opencl_kernel kernel, spmv_opencl_uint index,
                                         const void *pointer)
{
    return fails("SetKernelArgSVMPointer")
               ? control.code : set_argument(kernel, index, sizeof pointer, &pointer, 1);
}
