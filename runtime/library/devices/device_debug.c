/* device_debug.c: see device_debug.h. A line is written in one call, so that lines of threads do
 * not mix. */
#include "runtime/library/devices/device_debug.h"

#include "runtime/base/text.h"
#include "runtime/base/types.h"

#include <stdio.h>
#include <string.h>

void spmv_debug_print(const spmv_device *device, const char *format, ...)
{
    char line[1024];
    spmv_text text = spmv_text_begin(line, sizeof line);
    va_list args;

    if (!device->debug)
        return;
    va_start(args, format);
    spmv_text_add_v(&text, format, args);
    va_end(args);
    fprintf(stderr, "spmv: %s\n", line);
}

/* Modules without a program are C for the CPU. */
static int is_in_other_language(const spmv_device *device, const spmv_module *module)
{
    const spmv_backend *backend = device->filter.backend;

    if (backend == NULL || module->program == NULL)
        return (backend == NULL) != (module->program == NULL);
    return strcmp(module->program->language, backend->language) != 0;
}

void spmv_debug_modules(const spmv_device *device)
{
    static const char *const states[] = {
        [SPMV_MODULE_USABLE] = "usable",
        [SPMV_MODULE_LACKS_CPU] = "not usable: it is for other CPUs",
        [SPMV_MODULE_OTHER_TARGET] = "not usable: the device was opened for another target",
        [SPMV_MODULE_OTHER_DEVICE] = "not usable: the device does not run it",
    };
    size_t others = 0;

    if (!device->debug)
        return;
    if (device->target != NULL)
        spmv_debug_print(device, "only modules of target '%s', by %s", device->target,
                         device->target_origin);
    spmv_debug_print(device, "%zu modules, %zu of them usable", device->modules.count,
                     device->modules.usable_count);
    for (size_t i = 0; i < device->modules.count; i++) {
        const spmv_module *module = device->modules.entry[i].module;
        const char *why = device->modules.entry[i].why;

        if (is_in_other_language(device, module)) {
            others++;
            continue;
        }
        spmv_debug_print(device, "  %s: rank %d, %s values, %s row pointers, %s%s%s", module->name,
                         (int)module->rank, spmv_value_name(module->value_type),
                         spmv_offset_name(module->offset_type),
                         states[device->modules.entry[i].state], why[0] != '\0' ? ": " : "", why);
    }
    if (others > 0)
        spmv_debug_print(device, "  %zu more are in another language than this device's", others);
}
