/* driver.c: see driver.h. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/device/driver.h"

#include <stddef.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)

#include <dlfcn.h>

/* Drivers start threads and leave exit handlers, so their code must stay loaded when a device is
 * closed. */
#ifdef RTLD_NODELETE
enum { FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };
#else
enum { FLAGS = RTLD_NOW | RTLD_LOCAL };
#endif

void *spmv_driver_open(const char *wanted, const char *const *names)
{
    void *library = NULL;

    if (wanted != NULL && wanted[0] != '\0')
        return dlopen(wanted, FLAGS);
    for (size_t i = 0; names[i] != NULL && library == NULL; i++)
        library = dlopen(names[i], FLAGS);
    /* The first name is the usual one, so the error should be about that name. */
    return library != NULL ? library : dlopen(names[0], FLAGS);
}

void spmv_driver_close(void *library)
{
    if (library != NULL)
        dlclose(library);
}

const char *spmv_driver_error(void)
{
    const char *error = dlerror();

    return error != NULL ? error : "it cannot be opened";
}

/* POSIX returns functions as object pointers, which C cannot convert. */
int spmv_driver_find(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);

    memcpy(pointer, &symbol, sizeof symbol);
    return symbol != NULL;
}

#else

void *spmv_driver_open(const char *wanted, const char *const *names)
{
    (void)wanted;
    (void)names;
    return NULL;
}

void spmv_driver_close(void *library)
{
    (void)library;
}

const char *spmv_driver_error(void)
{
    return "this system has no dlopen";
}

int spmv_driver_find(void *library, const char *name, void *pointer)
{
    (void)library;
    (void)name;
    memset(pointer, 0, sizeof(void *));
    return 0;
}

#endif
