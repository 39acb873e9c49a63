/* options.h: reading an options struct of a program that was compiled against another header.
 *
 * struct_size says which fields the caller knows. Fields are only ever added at the end, so a
 * smaller struct comes from an older header. A larger struct is accepted if its unknown fields are
 * zero, since zero asks for nothing.
 */
#ifndef SPMV_OPTIONS_H
#define SPMV_OPTIONS_H

#include "runtime/spmv.h"

/* No version of a public struct is larger. A struct that claims to be was not initialised, and is
 * neither read nor written. */
enum { SPMV_OPTIONS_MAX = 4096 };

/* Copies the fields that both sides know from `given` into `known`, a zeroed struct of known_size
 * bytes. first_size: the struct's size in its first version. */
spmv_status spmv_options_read(void *known, size_t known_size, size_t first_size, const void *given,
                              spmv_error *err);

#endif
