/* driver.h: loading libraries of device drivers at run time. */
#ifndef SPMV_DRIVER_H
#define SPMV_DRIVER_H

/* Opens the file `wanted` or, if that is NULL or empty, the first of the NULL-terminated names that
 * exists. NULL: spmv_driver_error says why. */
void *spmv_driver_open(const char *wanted, const char *const *names);
void spmv_driver_close(void *library);

/* The reason why this thread's last open failed; of several names, that of the first. */
const char *spmv_driver_error(void);

/* Finds a function. `pointer` points to a function pointer, which becomes NULL if the library has
 * no such function. Returns 1 if it has. */
int spmv_driver_find(void *library, const char *name, void *pointer);

#endif
