/* mock_cuda.c: devices, contexts, modules and NVRTC of mock_cuda.h. A lock serialises concurrent
 * calls; the control must not change during a call.
 *
 * An image is a line of text: "CUBIN sm_90", "PTX compute_80", or "FATBIN 50" for capability 5.0
 * and newer. */
#include "mock_cuda_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cuda_control control;
int live, misuses;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int calls;

enum { MOST_DEPTH = 16 };
static _Thread_local object *stack[MOST_DEPTH];
static _Thread_local int depth;
static object *primary[MOCK_DEVICES];
static object *objects;

/* ---- the control --------------------------------------------------------------------------- */

EXPORT cuda_control *mock_cuda_control(void);
cuda_control *mock_cuda_control(void)
{
    streams_reset();
    memory_reset();
    while (objects != NULL)      /* left by a failed call */
        destroy(objects);
    memset(primary, 0, sizeof primary);
    depth = 0;
    control = (cuda_control){
        .overtaking = 1,
        .devices = 1,
        .name = { "Mock device", "Mock Tegra" },
        .capability = { 90, 32 },
        .has_managed = 1,
        .has_concurrent_managed = 1,
        .has_one_address_space = 1,
        .work_group_size = 1024,
        .local_memory = 49152,
        .dynamic_memory = 232448,
        .largest_grid = 2147483647,
        .kernel_work_group_size = 1024,
        .largest_allocation = 1 << 30,
        .architecture = { 50, 60, 70, 75, 80, 86, 89, 90 },
        .log = "line 1: nothing is right",
        .load_log = "no such instruction",
    };
    live = misuses = calls = 0;
    return &control;
}

EXPORT void mock_cuda_count(void);
void mock_cuda_count(void)
{
    streams_run();
    control.live = live;
    control.misuses = misuses;
}

EXPORT int mock_cuda_depth(void);
int mock_cuda_depth(void)
{
    return depth;
}

/* ---- calls and objects --------------------------------------------------------------------- */

static int fails(const char *function)
{
    if (control.failing == NULL || strcmp(control.failing, function) != 0)
        return 0;
    control.calls = ++calls;
    return control.calls == control.fail_at;
}

object *current(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

spmv_cuda_result enter(const char *function, int how)
{
    pthread_mutex_lock(&mutex);
    control.all_calls++;
    if (fails(function))
        return control.code;
    if ((how & IN_CONTEXT) && current() == NULL) {
        misuses++;
        return CU_INVALID_CONTEXT;
    }
    if ((how & UNSAFE) && captures_are_global() && capture_mode != CU_CAPTURE_MODE_RELAXED) {
        captures_spoil();
        return CAPTURE_UNSUPPORTED;
    }
    return (how & IN_CONTEXT) && !(how & LENIENT) && current()->is_bad ? LAUNCH_FAILED : CU_SUCCESS;
}

spmv_cuda_result leave(spmv_cuda_result code)
{
    pthread_mutex_unlock(&mutex);
    return code;
}

object *create(object_kind kind)
{
    object *o = calloc(1, sizeof *o);

    o->kind = kind;
    o->context = kind != CONTEXT ? current() : NULL;
    o->next = objects;
    objects = o;
    live++;
    return o;
}

void destroy(object *o)
{
    object **link = &objects;

    while (*link != o)
        link = &(*link)->next;
    *link = o->next;
    mark_release(o->mark);
    live--;
    o->kind = (object_kind)0;
    free(o);
}

object *check(const void *handle, object_kind kind)
{
    object *o = (object *)handle;

    if (o != NULL && o->kind == kind && (o->context == NULL || o->context == current()))
        return o;
    misuses++;
    return NULL;
}

/* ---- the driver and its devices ------------------------------------------------------------- */

spmv_cuda_result cuInit(unsigned flags)
{
    spmv_cuda_result code = enter("cuInit", ANYWHERE);

    return leave(code != CU_SUCCESS || flags == 0 ? code : CU_INVALID_VALUE);
}

spmv_cuda_result cuDriverGetVersion(int *version)
{
    *version = 12040;
    return leave(enter("cuDriverGetVersion", ANYWHERE));
}

spmv_cuda_result cuDeviceGetCount(int *count)
{
    *count = control.devices;
    return leave(enter("cuDeviceGetCount", ANYWHERE));
}

spmv_cuda_result cuDeviceGet(spmv_cuda_device *device, int index)
{
    *device = index;
    return leave(enter("cuDeviceGet", ANYWHERE));
}

spmv_cuda_result cuDeviceGetName(char *name, int room, spmv_cuda_device device)
{
    spmv_cuda_result code = enter("cuDeviceGetName", ANYWHERE);

    if (code == CU_SUCCESS)
        snprintf(name, (size_t)room, "%s", control.name[device]);
    return leave(code);
}

spmv_cuda_result cuDeviceGetAttribute(int *value, int what, spmv_cuda_device device)
{
    const struct {
        int what, value;
    } facts[] = {
        {CU_MAX_THREADS_PER_BLOCK, control.work_group_size},
        {CU_MAX_GRID_DIM_X, control.largest_grid},
        {CU_MAX_SHARED_MEMORY_PER_BLOCK, control.local_memory},
        {CU_WARP_SIZE, 32},
#ifndef MOCK_OLD
        {CU_MAX_SHARED_MEMORY_ON_REQUEST, control.dynamic_memory},
#endif
        {CU_INTEGRATED, control.is_integrated},
        {CU_COMPUTE_MODE, control.is_prohibited[device] ? CU_COMPUTE_MODE_PROHIBITED : 0},
        {CU_UNIFIED_ADDRESSING, control.has_one_address_space},
        {CU_COMPUTE_CAPABILITY_MAJOR, control.capability[device] / 10},
        {CU_COMPUTE_CAPABILITY_MINOR, control.capability[device] % 10},
        {CU_MANAGED_MEMORY, control.has_managed},
        {CU_CONCURRENT_MANAGED_ACCESS, control.has_concurrent_managed},
        {CU_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 0},
    };
    spmv_cuda_result code = enter("cuDeviceGetAttribute", ANYWHERE);

    if (code != CU_SUCCESS)
        return leave(code);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (facts[i].what == what) {
            *value = facts[i].value;
            return leave(CU_SUCCESS);
        }
    return leave(CU_INVALID_VALUE);
}

#ifndef MOCK_OLD
static const struct {
    spmv_cuda_result code;
    const char *name, *meaning;
} errors[] = {
    {CU_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CU_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CU_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CU_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

spmv_cuda_result cuGetErrorName(spmv_cuda_result code, const char **name)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].code == code) {
            *name = errors[i].name;
            return CU_SUCCESS;
        }
    return CU_INVALID_VALUE;
}

spmv_cuda_result cuGetErrorString(spmv_cuda_result code, const char **meaning)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].code == code) {
            *meaning = errors[i].meaning;
            return CU_SUCCESS;
        }
    return CU_INVALID_VALUE;
}
#endif

/* ---- contexts ------------------------------------------------------------------------------ */

static int exists(const object *context)
{
    for (const object *o = objects; o != NULL; o = o->next)
        if (o == context)
            return 1;
    return 0;
}

/* A context that has been destroyed is an error, and no misuse. */
static spmv_cuda_result push(object *context)
{
    if (context == NULL || !exists(context))
        return CU_INVALID_CONTEXT;
    if (check(context, CONTEXT) == NULL || depth == MOST_DEPTH) {
        misuses++;
        return CU_INVALID_CONTEXT;
    }
    stack[depth++] = context;
    return CU_SUCCESS;
}

#ifndef MOCK_NEW
spmv_cuda_result cuCtxCreate_v2(spmv_cuda_context *context, unsigned flags, spmv_cuda_device device)
{
    spmv_cuda_result code = enter("cuCtxCreate_v2", ANYWHERE);
    object *o;

    (void)flags;
    if (code != CU_SUCCESS)
        return leave(code);
    o = create(CONTEXT);
    o->device = device;
    *context = (spmv_cuda_context)(void *)o;
    return leave(push(o));
}

static void end_contents(const object *context)
{
    streams_run();
    memory_end(context);
    for (object *o = objects, *next; o != NULL; o = next) {
        next = o->next;
        if (o->context == context)
            destroy(o);
    }
}

spmv_cuda_result cuCtxDestroy_v2(spmv_cuda_context context)
{
    spmv_cuda_result code = enter("cuCtxDestroy_v2", ANYWHERE);
    object *o = check(context, CONTEXT);

    if (o != NULL && control.contexts_own)
        end_contents(o);
    if (o != NULL) {
        depth -= current() == o;
        destroy(o);
    }
    return leave(code);
}
#endif

spmv_cuda_result cuCtxPushCurrent_v2(spmv_cuda_context context)
{
    spmv_cuda_result code = enter("cuCtxPushCurrent_v2", ANYWHERE);

    return leave(code == CU_SUCCESS ? push((object *)(void *)context) : code);
}

spmv_cuda_result cuCtxPopCurrent_v2(spmv_cuda_context *context)
{
    spmv_cuda_result code = enter("cuCtxPopCurrent_v2", IN_CONTEXT | LENIENT);

    if (current() != NULL)
        *context = (spmv_cuda_context)(void *)stack[--depth];
    return leave(code);
}

spmv_cuda_result cuCtxGetCurrent(spmv_cuda_context *context)
{
    spmv_cuda_result code = enter("cuCtxGetCurrent", ANYWHERE);

    *context = (spmv_cuda_context)(void *)current();
    return leave(code);
}

spmv_cuda_result cuCtxGetDevice(spmv_cuda_device *device)
{
    spmv_cuda_result code = enter("cuCtxGetDevice", IN_CONTEXT);

    if (code == CU_SUCCESS)
        *device = current()->device;
    return leave(code);
}

#ifndef MOCK_OLD
spmv_cuda_result cuDevicePrimaryCtxRetain(spmv_cuda_context *context, spmv_cuda_device device)
{
    spmv_cuda_result code = enter("cuDevicePrimaryCtxRetain", ANYWHERE);

    if (code != CU_SUCCESS)
        return leave(code);
    if (primary[device] == NULL) {
        primary[device] = create(CONTEXT);
        primary[device]->device = device;
    }
    primary[device]->retains++;
    *context = (spmv_cuda_context)(void *)primary[device];
    return leave(CU_SUCCESS);
}

spmv_cuda_result cuDevicePrimaryCtxGetState(spmv_cuda_device device, unsigned *flags,
                                            int *is_active)
{
    spmv_cuda_result code = enter("cuDevicePrimaryCtxGetState", ANYWHERE);

    *flags = 0;
    *is_active = primary[device] != NULL;
    return leave(code);
}

spmv_cuda_result cuDevicePrimaryCtxRelease_v2(spmv_cuda_device device)
{
    spmv_cuda_result code = enter("cuDevicePrimaryCtxRelease_v2", ANYWHERE);

    if (primary[device] == NULL) {
        misuses++;
    } else if (--primary[device]->retains == 0) {
        destroy(primary[device]);
        primary[device] = NULL;
    }
    return leave(code);
}

spmv_cuda_result cuDevicePrimaryCtxRelease(spmv_cuda_device device)
{
    (void)enter("cuDevicePrimaryCtxRelease", ANYWHERE);
    misuses++;                   /* the caller must use the second version */
    (void)device;
    return leave(CU_SUCCESS);
}
#endif

/* ---- modules ------------------------------------------------------------------------------- */

/* Whether code of the image runs on the context's device. */
static spmv_cuda_result judge(const char *image)
{
    const int capability = control.capability[current()->device];
    int needed;

    if (control.refused != NULL && strncmp(image, control.refused, strlen(control.refused)) == 0)
        return 218;
    if (sscanf(image, "CUBIN sm_%d", &needed) == 1)
        return needed / 10 == capability / 10 && needed <= capability ? CU_SUCCESS : 209;
    if (sscanf(image, "PTX compute_%d", &needed) == 1 || sscanf(image, "FATBIN %d", &needed) == 1)
        return needed <= capability ? CU_SUCCESS : 209;
    return 200;
}

static spmv_cuda_result load(spmv_cuda_module *module, const char *image, unsigned count,
                             const int *option, void **value)
{
    const spmv_cuda_result code = judge(image);

    if (code == CU_SUCCESS) {
        snprintf(control.image, sizeof control.image, "%s", image);
        control.loaded++;
        *module = (spmv_cuda_module)(void *)create(MODULE);
        return CU_SUCCESS;
    }
    for (unsigned i = 0; i + 1 < count; i++)
        if (option[i] == CU_JIT_ERROR_LOG_BUFFER && option[i + 1] == CU_JIT_ERROR_LOG_BUFFER_SIZE)
            snprintf(value[i], (size_t)(uintptr_t)value[i + 1], "%s", control.load_log);
    return code;
}

spmv_cuda_result cuModuleLoadDataEx(spmv_cuda_module *module, const void *image, unsigned count,
                                    int *option, void **value)
{
    const spmv_cuda_result code = enter("cuModuleLoadDataEx", IN_CONTEXT | UNSAFE);

    return leave(code == CU_SUCCESS ? load(module, image, count, option, value) : code);
}

/* Functions belong to the module and live as long as the mock. */
spmv_cuda_result cuModuleUnload(spmv_cuda_module module)
{
    const spmv_cuda_result code = enter("cuModuleUnload", IN_CONTEXT | UNSAFE);
    object *o = check(module, MODULE);

    if (o != NULL)
        destroy(o);
    return leave(code);
}

spmv_cuda_result cuModuleGetFunction(spmv_cuda_function *function, spmv_cuda_module module,
                                     const char *name)
{
    static object functions[8];
    spmv_cuda_result code = enter("cuModuleGetFunction", IN_CONTEXT);

    if (code != CU_SUCCESS)
        return leave(code);
    check(module, MODULE);
    for (int i = 0; toy_kernels[i].name != NULL; i++)
        if (strcmp(toy_kernels[i].name, name) == 0) {
            functions[i].kind = FUNCTION;
            functions[i].kernel = &toy_kernels[i];
            *function = (spmv_cuda_function)(void *)&functions[i];
            return leave(CU_SUCCESS);
        }
    return leave(CU_NOT_FOUND);
}

spmv_cuda_result cuFuncGetAttribute(int *value, int what, spmv_cuda_function function)
{
    spmv_cuda_result code = enter("cuFuncGetAttribute", IN_CONTEXT);

    if (code == CU_SUCCESS && (check(function, FUNCTION) == NULL ||
                               what != CU_FUNC_MAX_THREADS_PER_BLOCK))
        code = CU_INVALID_VALUE;
    if (code == CU_SUCCESS)
        *value = control.kernel_work_group_size;
    return leave(code);
}

#ifndef MOCK_OLD
spmv_cuda_result cuFuncSetAttribute(spmv_cuda_function function, int what, int value)
{
    spmv_cuda_result code = enter("cuFuncSetAttribute", IN_CONTEXT);

    if (code == CU_SUCCESS && (check(function, FUNCTION) == NULL ||
                               what != CU_FUNC_MAX_DYNAMIC_SHARED_MEMORY ||
                               value > control.dynamic_memory))
        code = CU_INVALID_VALUE;
    if (code == CU_SUCCESS)
        control.requested = value;
    return leave(code);
}
#endif

/* ---- NVRTC --------------------------------------------------------------------------------- */

enum { NVRTC_INTERNAL = 11 };

EXPORT const char *nvrtcGetErrorString(nvrtc_result result);
const char *nvrtcGetErrorString(nvrtc_result result)
{
    return result == NVRTC_COMPILATION      ? "NVRTC_ERROR_COMPILATION"
           : result == NVRTC_INVALID_OPTION ? "NVRTC_ERROR_INVALID_OPTION" : "NVRTC_ERROR";
}

nvrtc_result nvrtcVersion(int *major, int *minor)
{
    *major = 12;
    *minor = 4;
    return leave(enter("nvrtcVersion", ANYWHERE));
}

nvrtc_result nvrtcCreateProgram(nvrtc_program *program, const char *text, const char *name,
                                int headers, const char *const *header, const char *const *include)
{
    nvrtc_result result = enter("nvrtcCreateProgram", ANYWHERE);

    (void)header;
    (void)include;
    if (text == NULL || name == NULL || headers != 0)
        misuses++;
    if (result == NVRTC_SUCCESS) {
        snprintf(control.source, sizeof control.source, "%s", text);
        *program = (nvrtc_program)(void *)create(SOURCE);
        ((object *)(void *)*program)->context = NULL;
    }
    return leave(result);
}

nvrtc_result nvrtcDestroyProgram(nvrtc_program *program)
{
    object *o;

    (void)enter("nvrtcDestroyProgram", ANYWHERE);
    o = check(*program, SOURCE);
    if (o != NULL)
        destroy(o);
    *program = NULL;
    return leave(NVRTC_SUCCESS);
}

static int knows(int architecture)
{
    for (int i = 0; i < MOCK_ARCHITECTURES; i++)
        if (control.architecture[i] == architecture && architecture != 0)
            return 1;
    return 0;
}

static nvrtc_result compile(object *o, int count, const char *const *option)
{
    int architecture = 0, is_cubin = 0;

    control.options[0] = '\0';
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(control.options);
        snprintf(control.options + length, sizeof control.options - length, "%s%s",
                 i > 0 ? " " : "", option[i]);
        is_cubin |= sscanf(option[i], "--gpu-architecture=sm_%d", &architecture) == 1;
        (void)sscanf(option[i], "--gpu-architecture=compute_%d", &architecture);
    }
    if (!knows(architecture))
        return NVRTC_INVALID_OPTION;
    control.compiled++;
    snprintf(o->image, sizeof o->image, is_cubin ? "CUBIN sm_%d" : "PTX compute_%d", architecture);
    return NVRTC_SUCCESS;
}

nvrtc_result nvrtcCompileProgram(nvrtc_program program, int count, const char *const *option)
{
    const nvrtc_result result = enter("nvrtcCompileProgram", ANYWHERE);
    object *o = check(program, SOURCE);

    return leave(result == NVRTC_SUCCESS && o != NULL ? compile(o, count, option) : result);
}

static nvrtc_result image_size(const char *function, nvrtc_program program, const char *kind,
                               size_t *bytes)
{
    const nvrtc_result result = enter(function, ANYWHERE);
    const object *o = check(program, SOURCE);

    if (o == NULL || strncmp(o->image, kind, strlen(kind)) != 0) {
        misuses++;
        return leave(NVRTC_INTERNAL);
    }
    *bytes = strlen(o->image) + 1;
    return leave(result);
}

static nvrtc_result image(const char *function, nvrtc_program program, char *out)
{
    const nvrtc_result result = enter(function, ANYWHERE);

    if (result == NVRTC_SUCCESS)
        strcpy(out, check(program, SOURCE)->image);
    return leave(result);
}

nvrtc_result nvrtcGetPTXSize(nvrtc_program program, size_t *bytes)
{
    return image_size("nvrtcGetPTXSize", program, "PTX", bytes);
}

nvrtc_result nvrtcGetPTX(nvrtc_program program, char *out)
{
    return image("nvrtcGetPTX", program, out);
}

nvrtc_result nvrtcGetProgramLogSize(nvrtc_program program, size_t *bytes)
{
    const nvrtc_result result = enter("nvrtcGetProgramLogSize", ANYWHERE);

    check(program, SOURCE);
    *bytes = strlen(control.log) + 1;
    return leave(result);
}

nvrtc_result nvrtcGetProgramLog(nvrtc_program program, char *log)
{
    const nvrtc_result result = enter("nvrtcGetProgramLog", ANYWHERE);

    check(program, SOURCE);
    if (result == NVRTC_SUCCESS)
        strcpy(log, control.log);
    return leave(result);
}

#ifndef MOCK_OLD
nvrtc_result nvrtcGetCUBINSize(nvrtc_program program, size_t *bytes)
{
    return image_size("nvrtcGetCUBINSize", program, "CUBIN", bytes);
}

nvrtc_result nvrtcGetCUBIN(nvrtc_program program, char *out)
{
    return image("nvrtcGetCUBIN", program, out);
}

nvrtc_result nvrtcGetNumSupportedArchs(int *count)
{
    const nvrtc_result result = enter("nvrtcGetNumSupportedArchs", ANYWHERE);

    *count = 0;
    while (*count < MOCK_ARCHITECTURES && control.architecture[*count] != 0)
        ++*count;
    return leave(result);
}

nvrtc_result nvrtcGetSupportedArchs(int *known)
{
    const nvrtc_result result = enter("nvrtcGetSupportedArchs", ANYWHERE);

    for (int i = 0; i < MOCK_ARCHITECTURES && control.architecture[i] != 0; i++)
        known[i] = control.architecture[i];
    return leave(result);
}
#endif
