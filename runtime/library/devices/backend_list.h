/* backend_list.h: the backends that libspmv has. */
#ifndef SPMV_BACKEND_LIST_H
#define SPMV_BACKEND_LIST_H

#include "runtime/device/backend.h"

/* All of them, NULL-terminated. */
extern const spmv_backend *const spmv_backends[];

/* The backend of a language. NULL: none. */
const spmv_backend *spmv_backend_find(const char *language);

#endif
