/* options.h: reading an options struct of a program that was compiled against another header.
 *
 * struct_size says which fields the caller knows. Fields are only ever added at the end, so a
 * smaller struct is one of an older header, and a larger one may be taken if its unknown fields are
 * zero, which asks for nothing.
 */
#ifndef SPMV_OPTIONS_H
#define SPMV_OPTIONS_H

#include "runtime/spmv.h"

/* No version of a public struct is larger: what says so was not initialised, and its bytes are
 * neither read nor written. */
enum { SPMV_OPTIONS_MAX = 4096 };

/* Copies what both sides know from `given` into `known`, which is zeroed and known_size large.
 * first_size: the size of the struct in its first version. */
spmv_status spmv_options_read(void *known, size_t known_size, size_t first_size, const void *given,
                              spmv_error *err);

#endif
