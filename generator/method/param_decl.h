/* param_decl.h: a parameter as a method's params.lua declares it. */
#ifndef SG_PARAM_DECL_H
#define SG_PARAM_DECL_H

#include <stddef.h>
#include <stdint.h>

#include "generator/base/diag.h"

/* Enumerators that every template has besides its parameters.
 *   FIGURES           1 with --figures, for the functions that only spmvbench calls, else 0
 *   SEVERAL_VECTORS   0 with --one-vector, which leaves out kernels for several vectors, else 1 */
#define SG_FIGURES_ENUMERATOR "FIGURES"
#define SG_SEVERAL_VECTORS_ENUMERATOR "SEVERAL_VECTORS"

typedef struct sg_choice {
    const char *name;
    int64_t value;
} sg_choice;

typedef struct sg_param_decl {
    const char *name;            /* "sigma" */
    const char *c_name;          /* "SIGMA" */
    int64_t min, max;
    const sg_choice *choices;    /* NULL or choice_count of them, sorted by value */
    size_t choice_count;
    const char *unit, *meaning, *source, *derivation;
    const char *const *costs;    /* resources of a kernel that grow with the value: "registers",
                                    "local memory"; NULL-terminated, or NULL */
    sg_loc loc;
} sg_param_decl;

#endif
