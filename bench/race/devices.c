/* devices.c: see devices.h. */
#define _POSIX_C_SOURCE 200809L  /* strdup */
#include "bench/race/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output/message.h"
#include "common/did_you_mean.h"
#include "runtime/device/backend.h"
#include "runtime/library/devices/device.h"

/* libspmv's name of the backend "c". */
static const char cpu[] = "cpu";

/* Adds "./" to a file of --modules without a slash, since dlopen would search other folders. */
static spmv_status load_modules(spmv_device *device, const char *name, spmv_error *err)
{
    char path[4096];

    if (strchr(name, '/') || snprintf(path, sizeof path, "./%s", name) >= (int)sizeof path)
        return spmv_device_load_modules(device, name, err);
    return spmv_device_load_modules(device, path, err);
}

/* Writes the reason why the device can use no added module: the error of a plan. Plans of all types
 * are tried, beginning with the requested value type; the longest error is the most specific. False
 * if the device can use a module. */
static bool explain_none(const bench_options *options, spmv_device *device, spmv_error *out)
{
    static const int64_t row_ptr[] = { 0 };      /* valid as 32-bit offsets too */
    const bool narrow = strcmp(options->type, "f32") == 0;

    *out = (spmv_error){ SPMV_OK, "" };
    for (int i = 0; i < 4 && spmv_device_module_count(device) == 0; i++) {
        const spmv_csr csr = {
            .row_ptr = row_ptr, .offset_type = i & 1 ? SPMV_I64 : SPMV_I32,
            .value_type = narrow == (i < 2) ? SPMV_F32 : SPMV_F64,
        };
        spmv_plan *plan = NULL;
        spmv_error err = { SPMV_OK, "" };

        if (spmv_plan_create(device, &csr, NULL, &plan, &err) == SPMV_UNSUPPORTED &&
            strlen(err.text) > strlen(out->text))
            *out = err;
        spmv_plan_destroy(plan);
    }
    return out->text[0] != '\0';
}

static void note_useless(const bench_options *options, spmv_device *device, const char *name)
{
    static const char call[] = "spmv_plan_create: ";
    spmv_error err;

    if (!explain_none(options, device, &err)) {
        bench_message("note: %s adds no kernel: this machine can run none of it, or has them "
                      "already; SPMV_DEBUG=1 shows each with the reason", name);
        return;
    }
    const char *text = strncmp(err.text, call, strlen(call)) == 0 ? err.text + strlen(call)
                                                                  : err.text;
    bench_message("note: %s adds no kernel that can be used: %s; SPMV_DEBUG=1 shows each with the "
                  "reason", name, text);
}

/* Opens a device by its name in spmv_device_options, or NULL. The device has all targets if
 * --target is given, so that messages can list them, and with several backends, since no
 * SPMV_TARGET suits all backends. */
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
            note_useless(options, *out, options->modules.name[i]);
    }
    return status;
}

/* The name of a device, from --backend and --device. */
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

/* Suggests --device opencl:NAME for a NAME without a backend. */
static void suggest_device(const char *name, spmv_error *err)
{
    static const char *const known[] = { "cuda", "opencl" };
    const size_t length = strlen(err->text);
    const char *meant = sg_nearest(name, known, sizeof known / sizeof known[0]);

    if (!strchr(name, ':'))
        snprintf(err->text + length, sizeof err->text - length,
                 "; did you mean --device '%s%.64s'?", meant ? meant : "opencl:",
                 meant ? "" : name);
}

static spmv_status open_linked(const bench_options *options, bench_devices *out, spmv_error *err)
{
    const size_t wanted = options->backends.count;
    spmv_status status = SPMV_OK;

    if (wanted == 0) {
        status = open_device(options, options->device, &out->device[out->count++], err);
        if (status == SPMV_INVALID_ARGUMENT && options->device)
            suggest_device(options->device, err);
        return status;
    }
    for (size_t i = 0; i < wanted && !status; i++) {
        char name[256];
        status = open_device(options, name_device(options, options->backends.name[i], name,
                                                  sizeof name), &out->device[out->count++], err);
    }
    return status;
}

/* Opens a device with the kernels of a variant alone. */
static spmv_status open_variant(const bench_options *options, const bench_variant *variant,
                                spmv_device **out, spmv_error *err)
{
    char name[256];
    const spmv_device_options device_options = {
        .struct_size = sizeof device_options, .target = "", .no_builtin_modules = 1,
        .device = name_device(options, variant->target->backend, name, sizeof name),
    };
    spmv_status status = spmv_device_open(&device_options, out, err);

    if (!status)
        status = spmv_device_load_modules(*out, variant->file, err);
    if (!status && spmv_device_module_count(*out) == 0) {
        status = SPMV_UNSUPPORTED;
        if (!explain_none(options, *out, err))
            snprintf(err->text, sizeof err->text, "this device can run none of its kernels");
    }
    return status;
}

static void open_variants(const bench_options *options, bench_sweep *sweep, bench_devices *out)
{
    for (size_t i = 0; i < sweep->count; i++) {
        bench_variant *variant = &sweep->variant[i];
        spmv_device *device = NULL;
        spmv_error err = { SPMV_OK, "" };

        if (variant->state != BENCH_VARIANT_BUILT)
            continue;
        if (!open_variant(options, variant, &device, &err)) {
            out->variant[out->count] = variant;
            out->device[out->count++] = device;
            continue;
        }
        spmv_device_close(device);
        variant->state = BENCH_VARIANT_UNUSABLE;
        variant->reason = strdup(err.text);
    }
}

spmv_status bench_devices_open(const bench_options *options, bench_sweep *sweep,
                               bench_devices *out, spmv_error *err)
{
    const size_t most = options->backends.count + 1 + sweep->count;

    *out = (bench_devices){ .device = calloc(most, sizeof *out->device),
                            .variant = calloc(most, sizeof *out->variant) };
    if (!out->device || !out->variant) {
        *err = (spmv_error){ SPMV_OUT_OF_MEMORY, "" };
        snprintf(err->text, sizeof err->text, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
        return SPMV_OUT_OF_MEMORY;
    }
    const spmv_status status = open_linked(options, out, err);
    if (!status)
        open_variants(options, sweep, out);
    return status;
}

void bench_devices_close(bench_devices *devices)
{
    for (size_t i = 0; i < devices->count; i++)
        spmv_device_close(devices->device[i]);
    free(devices->device);
    free(devices->variant);
    *devices = (bench_devices){ .count = 0 };
}

const char *bench_device_name(const spmv_device *device)
{
    return device->filter.backend ? spmv_backend_device_name(device->filter.backend_state) : "";
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
            return (bench_candidate){ .device = devices->device[i],
                                      .module = spmv_device_module(devices->device[i], index),
                                      .variant = devices->variant[i] };
        index -= count;
    }
    return (bench_candidate){ .device = NULL };
}
