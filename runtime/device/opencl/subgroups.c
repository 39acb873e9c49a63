/* opencl/subgroups.c: requirements of a program beyond OpenCL 1.2: extensions, and subgroups of a
 * certain size.
 *
 * Extensions are checked when a module is added, and so is the subgroup size if kernels can require
 * a size (cl_intel_required_subgroup_size). A kernel then gets its size or does not build, whatever
 * the driver reports for the built kernel (PoCL 6 reports 1). Without that extension the driver
 * chooses the size, which only the built kernels reveal. */
#include "runtime/device/opencl/subgroups.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <string.h>

/* ---- extensions ---------------------------------------------------------------------------- */

/* The device's list of extensions, for the caller to free. NULL: none. */
static char *read_extensions(const spmv_opencl_state *state)
{
    size_t bytes = 0;
    char *names;

    if (state->api.GetDeviceInfo(state->device, OCL_DEVICE_EXTENSIONS, 0, NULL, &bytes) !=
            OCL_SUCCESS || (names = (char *)spmv_memory_alloc(bytes + 1)) == NULL)
        return NULL;
    if (state->api.GetDeviceInfo(state->device, OCL_DEVICE_EXTENSIONS, bytes, names, NULL) !=
        OCL_SUCCESS)
        bytes = 0;
    names[bytes] = '\0';
    return names;
}

/* Whether the name of `length` bytes is in the list, whose names are separated by spaces. */
static int is_listed(const char *list, const char *name, size_t length)
{
    while (*list != '\0') {
        const size_t next = strcspn(list, " ");
        if (next == length && memcmp(list, name, length) == 0)
            return 1;
        list += next + strspn(list + next, " ");
    }
    return 0;
}

static int lacks_extension(const char *list, const char *needed, spmv_text *why)
{
    for (size_t length; *needed != '\0'; needed += length + strspn(needed + length, " ")) {
        length = strcspn(needed, " ");
        if (is_listed(list, needed, length))
            continue;
        spmv_text_add(why, "the device lacks the extension %.*s", (int)length, needed);
        return 1;
    }
    return 0;
}

/* ---- sizes --------------------------------------------------------------------------------- */

/* Returns 1 if the device lacks the size that the kernels require, and appends that to `why`. */
static int lacks_size(const spmv_opencl_state *state, int32_t wanted, spmv_text *why)
{
    size_t size[16];
    size_t bytes = 0;

    if (state->api.GetDeviceInfo(state->device, OCL_DEVICE_SUB_GROUP_SIZES, sizeof size, size,
                                 &bytes) != OCL_SUCCESS)
        return 0;
    for (size_t i = 0; i < bytes / sizeof size[0]; i++)
        if (size[i] == (size_t)wanted)
            return 0;
    spmv_text_add(why, "the device has no subgroups of %d work-items", (int)wanted);
    return 1;
}

/* Whether kernels can require a size. */
static int is_size_granted(const char *list)
{
    static const char asks_for_size[] = "cl_intel_required_subgroup_size";

    return is_listed(list, asks_for_size, sizeof asks_for_size - 1);
}

int spmv_opencl_lacks_needed(const spmv_opencl_state *state, const spmv_program *program,
                             spmv_text *why)
{
    char *list;
    int lacks;

    if (program->extensions == NULL || program->extensions[0] == '\0')
        return 0;
    list = read_extensions(state);
    lacks = lacks_extension(list != NULL ? list : "", program->extensions, why);
    if (!lacks && program->subgroup_size > 1 && is_size_granted(list))
        lacks = lacks_size(state, program->subgroup_size, why);
    spmv_memory_free(list);
    return lacks;
}

/* The kernel's subgroup size. 0: unknown. */
static size_t subgroup_size_of(const spmv_opencl_state *state, spmv_opencl_kernel kernel,
                               size_t work_group_size)
{
    size_t size = 0;

    if (state->api.GetKernelSubGroupInfo == NULL ||
        state->api.GetKernelSubGroupInfo(kernel, state->device, OCL_KERNEL_MAX_SUB_GROUP_SIZE,
                                         sizeof work_group_size, &work_group_size, sizeof size,
                                         &size, NULL) != OCL_SUCCESS)
        return 0;
    return size;
}

static spmv_status check_kernel(const spmv_opencl_state *state, const spmv_module *module,
                                const spmv_kernel *kernel, spmv_opencl_program program,
                                spmv_error *err)
{
    const int32_t wanted = module->program->subgroup_size;
    spmv_opencl_int code = OCL_SUCCESS;
    spmv_opencl_kernel made = state->api.CreateKernel(program, kernel->symbol, &code);
    size_t size;

    if (code != OCL_SUCCESS)
        return SPMV_OK;          /* creating the kernel for use will report the error */
    size = subgroup_size_of(state, made, (size_t)kernel->work_group_size);
    state->api.ReleaseKernel(made);
    if (size == (size_t)wanted)
        return SPMV_OK;
    if (size == 0)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "%.64s relies on subgroups of %d work-items; "
                              "'%.60s' does not tell how many its have. Take a target without "
                              "subgroups", module->name, (int)wanted, state->base.name);
    return spmv_error_set(err, SPMV_UNSUPPORTED,
                          "%.64s relies on subgroups of %d work-items; those "
                          "of '%.60s' have %zu in kernel %.64s. Take a target for that, or one "
                          "without subgroups",
                          module->name, (int)wanted, state->base.name, size, kernel->name);
}

spmv_status spmv_opencl_check_subgroups(const spmv_opencl_state *state, const spmv_module *module,
                                        spmv_opencl_program program, spmv_error *err)
{
    spmv_status status = SPMV_OK;
    char *list;
    int is_granted;

    if (module->program->subgroup_size <= 1)
        return SPMV_OK;
    list = read_extensions(state);
    is_granted = list != NULL && is_size_granted(list);
    spmv_memory_free(list);
    if (is_granted)
        return SPMV_OK;
    for (int32_t k = 0; k < module->program->kernel_count && status == SPMV_OK; k++)
        status = check_kernel(state, module, &module->program->kernels[k], program, err);
    return status;
}
