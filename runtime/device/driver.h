/* driver.h: opening libraries of device drivers at run time, and finding their functions. */
#ifndef SPMV_DRIVER_H
#define SPMV_DRIVER_H

/* Opens the file `wanted`, or where that is NULL or empty the first of the names that there is
 * (NULL-terminated). NULL: spmv_driver_error says why. */
void *spmv_driver_open(const char *wanted, const char *const *names);
void spmv_driver_close(void *library);

/* Why this thread's last open gave nothing; of several names, the first. */
const char *spmv_driver_error(void);

/* Writes the function to *pointer, which is a pointer to it: NULL if the library has none of that name.
 * Returns whether it has. */
int spmv_driver_find(void *library, const char *name, void *pointer);

#endif
