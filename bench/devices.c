/* devices.c: see devices.h. */
#include "devices.h"

#include <stdio.h>
#include <string.h>

/* What libspmv calls the backend "c". */
static const char cpu[] = "cpu";

/* --modules names a file, also without a slash, which dlopen would look for elsewhere. */
static spmv_status load_modules(spmv_device *device, const char *name, spmv_error *err)
{
    char path[4096];

    if (strchr(name, '/') || snprintf(path, sizeof path, "./%s", name) >= (int)sizeof path)
        return spmv_device_load_modules(device, name, err);
    return spmv_device_load_modules(device, path, err);
}

/* name: as spmv_device_options.device has it, or NULL. A device of all targets where --target is
 * given, so that messages can name those that there are, or where several backends cannot all be those
 * of SPMV_TARGET. */
static spmv_status open_device(const bench_options *options, const char *name, spmv_device **out,
                               spmv_error *err)
{
    const spmv_device_options device_options = {
        .struct_size = sizeof device_options, .device = name,
        .target = options->target || options->backends.count > 1 ? "" : NULL,
        .no_builtin_modules = options->modules.count > 0,
    };
    spmv_status status = spmv_device_open(&device_options, out, err);

    for (size_t i = 0; i < options->modules.count && !status; i++) {
        const size_t before = spmv_device_module_count(*out);
        status = load_modules(*out, options->modules.name[i], err);
        if (!status && spmv_device_module_count(*out) == before)
            fprintf(stderr, "spmvbench: note: %s adds no kernel: this machine can run none of it, "
                    "or has them already\n", options->modules.name[i]);
    }
    return status;
}

/* What --backend and --device say together. */
static const char *name_device(const bench_options *options, const char *backend, char *name,
                               size_t bytes)
{
    const char *text = options->device;
    const size_t length = strlen(backend);

    if (strcmp(backend, "c") == 0)
        return cpu;
    if (text && strncmp(text, backend, length) == 0 && (text[length] == ':' || !text[length]))
        text = text[length] ? text + length + 1 : NULL;
    snprintf(name, bytes, "%s%s%s", backend, text ? ":" : "", text ? text : "");
    return name;
}

spmv_status bench_devices_open(const bench_options *options, bench_devices *out, spmv_error *err)
{
    const size_t wanted = options->backends.count;
    spmv_status status = SPMV_OK;

    *out = (bench_devices){ .count = 0 };
    if (wanted == 0)
        return open_device(options, options->device, &out->device[out->count++], err);
    for (size_t i = 0; i < wanted && i < BENCH_MAX_DEVICES && !status; i++) {
        char name[256];
        status = open_device(options, name_device(options, options->backends.name[i], name,
                                                  sizeof name), &out->device[out->count++], err);
    }
    return status;
}

void bench_devices_close(bench_devices *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        spmv_device_close(devices->device[i]);
    devices->count = 0;
}

size_t bench_devices_module_count(const bench_devices *devices)
{
    size_t count = 0;

    for (size_t i = 0; i < devices->count; i++)
        count += spmv_device_module_count(devices->device[i]);
    return count;
}

bench_candidate bench_devices_module(const bench_devices *devices, size_t index)
{
    for (size_t i = 0; i < devices->count; i++) {
        const size_t count = spmv_device_module_count(devices->device[i]);
        if (index < count)
            return (bench_candidate){ devices->device[i],
                                      spmv_device_module(devices->device[i], index) };
        index -= count;
    }
    return (bench_candidate){ NULL, NULL };
}
