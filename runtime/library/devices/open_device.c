/* open_device.c: opening and closing a device, and its modules. */
#include "runtime/library/devices/backend_list.h"
#include "runtime/library/devices/device.h"

#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/options.h"
#include "runtime/base/text.h"
#include "runtime/base/environment.h"
#include "runtime/library/devices/device_debug.h"
#include "runtime/library/devices/load_modules.h"
#include "runtime/library/devices/builtin.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define OPEN "spmv_device_open"

/* ---- open and close ------------------------------------------------------------------------ */

/* The struct's size in the first release: no program was compiled with less. */
enum { FIRST_OPTIONS = offsetof(spmv_device_options, no_builtin_modules) + sizeof(int32_t) };

/* A forgotten struct_size must not turn a request into a default. */
static spmv_status read_options(const spmv_device_options *given, spmv_device_options *known,
                                spmv_error *err)
{
    if (given != NULL && given->struct_size == 0 &&
        (given->target || given->no_builtin_modules || given->device || given->queue))
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              OPEN ": options are set, but options.struct_size is 0; set it to "
                              "sizeof(spmv_device_options)");
    *known = (spmv_device_options){0};
    return spmv_error_within(err, OPEN, spmv_options_read(known, sizeof *known, FIRST_OPTIONS,
                                                          given, err));
}

/* The program's option overrides the environment, since the program may depend on it. */
static spmv_status choose_target(spmv_device *device, const char *asked, spmv_error *err)
{
    const char *environment = spmv_variable("SPMV_TARGET");
    const char *target = asked != NULL ? asked : environment;

    if (target == NULL || target[0] == '\0')
        return SPMV_OK;
    device->target_origin = asked != NULL ? "options.target" : "SPMV_TARGET";
    device->target = spmv_memory_alloc(strlen(target) + 1);
    if (device->target == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, OPEN ": no memory for the target's name");
    strcpy(device->target, target);
    return SPMV_OK;
}

/* A program of the target, from the modules that are linked in. NULL: the target's modules run on
 * the CPU, or it is unknown. */
static const spmv_program *program_of(const char *target)
{
    for (size_t i = 0; target != NULL && spmv_builtin_tables[i] != NULL; i++)
        for (size_t k = 0; spmv_builtin_tables[i][k] != NULL; k++) {
            const spmv_module *module = spmv_builtin_tables[i][k];
            if (module->abi == SPMV_MODULE_ABI && strcmp(module->target, target) == 0)
                return module->program;
        }
    return NULL;
}

/* The error of a device name that no backend knows. */
static spmv_status unknown_device(const char *where, const char *wanted, spmv_error *err)
{
    char words[256];
    spmv_text text = spmv_text_begin(words, sizeof words);

    for (int i = 0; spmv_backends[i] != NULL; i++)
        spmv_text_add(&text, ", \"%s\", \"%s:\" and part of a device's name",
                      spmv_backends[i]->language, spmv_backends[i]->language);
    return spmv_error_set(err, SPMV_INVALID_ARGUMENT, OPEN ": %s is '%.64s'; expected \"cpu\"%s",
                          where, wanted, words);
}

/* Opens the backend of the device. The CPU has no backend. */
static spmv_status open_backend(spmv_device *device, const char *asked, void *queue,
                                spmv_error *err)
{
    /* A queue belongs to a device, so the environment may not choose another. */
    const char *environment = queue == NULL ? spmv_variable("SPMV_DEVICE") : NULL;
    const char *where = asked != NULL ? "options.device" : "SPMV_DEVICE";
    const char *wanted = asked != NULL ? asked : environment;
    const spmv_program *program = program_of(device->target);
    const char *language = program != NULL ? program->language : NULL;
    /* A device named by the caller's queue is accepted even if no page matches its name. */
    const char *name = program != NULL && program->match[0] != '\0' && queue == NULL
                           ? program->match : NULL;
    const spmv_backend *backend;
    char kind[16];
    spmv_status status;

    if (wanted != NULL && wanted[0] != '\0') {
        const size_t length = strcspn(wanted, ":");

        snprintf(kind, sizeof kind, "%.*s", length < sizeof kind ? (int)length : 0, wanted);
        language = strcmp(wanted, "cpu") == 0 ? NULL : kind;
        if (wanted[length] == ':' && wanted[length + 1] != '\0')
            name = wanted + length + 1;
    }
    if (language == NULL && queue != NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                              OPEN ": options.queue is set, but the CPU has "
                                   "none; name its language in options.device, such as \"opencl\"");
    if (language == NULL)
        return SPMV_OK;
    backend = spmv_backend_find(language);
    if (backend == NULL)
        return unknown_device(where, wanted != NULL && wanted[0] != '\0' ? wanted : language, err);
    status = spmv_backend_open(backend, name, queue, &device->filter.backend_state, err);
    if (status != SPMV_OK)
        return spmv_error_within(err, OPEN, status);
    device->filter.backend = backend;
    spmv_debug_print(device, "%s: device '%s'", language,
                     spmv_backend_device_name(device->filter.backend_state));
    return SPMV_OK;
}

spmv_status spmv_device_open(const spmv_device_options *options, spmv_device **out, spmv_error *err)
{
    spmv_device_options known;
    spmv_device *device;
    spmv_status status;

    if (out == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, OPEN ": out is NULL");
    *out = NULL;
    status = read_options(options, &known, err);
    if (status != SPMV_OK)
        return status;

    device = spmv_memory_alloc_zeroed(sizeof *device);
    if (device == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, OPEN ": no memory for the device");
    device->debug = spmv_debug_is_wanted();
    status = choose_target(device, known.target, err);
    device->filter.target = device->target;
    if (status == SPMV_OK)
        status = open_backend(device, known.device, known.queue, err);
    if (!known.no_builtin_modules)
        for (size_t i = 0; status == SPMV_OK && spmv_builtin_tables[i] != NULL; i++)
            status = spmv_module_list_add(&device->modules, spmv_builtin_tables[i], &device->filter,
                                          OPEN, err);
    if (status != SPMV_OK) {
        spmv_device_close(device);
        return status;
    }
    spmv_debug_print(device, "libspmv %s, device opened", SPMV_VERSION);
    spmv_debug_modules(device);
    *out = device;
    return SPMV_OK;
}

void spmv_device_close(spmv_device *device)
{
    if (device == NULL)
        return;
    if (device->filter.backend != NULL)
        spmv_backend_close(device->filter.backend, device->filter.backend_state);
    spmv_module_list_clear(&device->modules);
    spmv_libraries_close(device);
    spmv_memory_free(device->target);
    spmv_memory_free(device);
}

/* ---- modules ------------------------------------------------------------------------------- */

spmv_status spmv_device_add_modules(spmv_device *device, const spmv_module *const *table,
                                    spmv_error *err)
{
    spmv_status status;

    if (device == NULL || table == NULL)
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, "spmv_device_add_modules: %s is NULL",
                              device == NULL ? "device" : "table");
    status = spmv_module_list_add(&device->modules, table, &device->filter,
                                  "spmv_device_add_modules", err);
    if (status == SPMV_OK) {
        spmv_debug_print(device, "a table of modules was added");
        spmv_debug_modules(device);
    }
    return status;
}

size_t spmv_device_module_count(const spmv_device *device)
{
    return device != NULL ? device->modules.usable_count : 0;
}

const spmv_module *spmv_device_module(const spmv_device *device, size_t index)
{
    return index < spmv_device_module_count(device) ? device->modules.entry[index].module : NULL;
}

/* ---- memory of the device ------------------------------------------------------------------ */

spmv_status spmv_alloc(spmv_device *device, size_t bytes, void **out)
{
    if (out == NULL)
        return SPMV_INVALID_ARGUMENT;
    *out = NULL;
    if (device == NULL)
        return SPMV_INVALID_ARGUMENT;
    return spmv_backend_alloc(device->filter.backend, device->filter.backend_state, NULL, bytes,
                              out);
}

void spmv_free(spmv_device *device, void *memory)
{
    spmv_backend_free(device != NULL ? device->filter.backend : NULL,
                      device != NULL ? device->filter.backend_state : NULL, memory);
}
