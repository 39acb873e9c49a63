/* load_modules.c: see load_modules.h. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/library/devices/load_modules.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/library/devices/device_debug.h"

#include <string.h>

#define LOAD "spmv_device_load_modules"
#define TABLE_SYMBOL "spmv_module_table"

#if defined(__unix__) || defined(__APPLE__)

#include <dlfcn.h>

/* The text of dlerror, which may have none. */
static const char *dl_reason(void)
{
    const char *reason = dlerror();

    return reason != NULL ? reason : "no reason given";
}

/* Makes room for one more handle first, since nothing may fail once the modules are in the list. */
static spmv_status grow_libraries(spmv_device *device, spmv_error *err)
{
    void **libraries = spmv_memory_alloc((device->library_count + 1) * sizeof *libraries);

    if (libraries == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, LOAD ": no memory for one more library");
    if (device->library_count > 0)
        memcpy(libraries, device->libraries, device->library_count * sizeof *libraries);
    spmv_memory_free(device->libraries);
    device->libraries = libraries;
    return SPMV_OK;
}

static spmv_status add_table(spmv_device *device, void *library, const char *path, spmv_error *err)
{
    const spmv_module *const *table = (const spmv_module *const *)dlsym(library, TABLE_SYMBOL);

    if (table == NULL)
        return spmv_error_set(err, SPMV_LOAD_FAILED,
                              LOAD ": '%.160s' exports no " TABLE_SYMBOL " (%.160s); compile the "
                              "spmv_modules__TARGET.c of an emitted folder into it, with "
                              "-DSPMV_MODULE_TABLE_EXPORT", path, dl_reason());
    return spmv_module_list_add(&device->modules, table, &device->filter, LOAD, err);
}

spmv_status spmv_device_load_modules(spmv_device *device, const char *path, spmv_error *err)
{
    void *library;
    spmv_status status;

    if (device == NULL || path == NULL || path[0] == '\0')
        return spmv_error_set(err, SPMV_INVALID_ARGUMENT, LOAD ": %s",
                              device == NULL ? "device is NULL"
                                             : "path is empty; expected a shared object's path");
    status = grow_libraries(device, err);
    if (status != SPMV_OK)
        return status;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return spmv_error_set(err, SPMV_LOAD_FAILED, LOAD ": %s", dl_reason());
    status = add_table(device, library, path, err);
    if (status != SPMV_OK) {
        dlclose(library);
        return status;
    }
    device->libraries[device->library_count++] = library;
    spmv_debug_print(device, "modules loaded from '%s'", path);
    spmv_debug_modules(device);
    return SPMV_OK;
}

void spmv_libraries_close(spmv_device *device)
{
    while (device->library_count > 0)
        dlclose(device->libraries[--device->library_count]);
    spmv_memory_free(device->libraries);
    device->libraries = NULL;
}

#else

spmv_status spmv_device_load_modules(spmv_device *device, const char *path, spmv_error *err)
{
    (void)device;
    (void)path;
    return spmv_error_set(err, SPMV_LOAD_FAILED,
                          LOAD ": this system has no dlopen; link the modules in and use "
                          "spmv_device_add_modules");
}

void spmv_libraries_close(spmv_device *device)
{
    (void)device;
}

#endif
