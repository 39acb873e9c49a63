/* value_types.h: the types of a matrix's values and of its row pointers.
 *
 * A further value type, such as bf16, is one more line of SG_EACH_VALUE_TYPE. Templates, tables and
 * the runtime change as well: docs/reference/dialects.md, "Value types". */
#ifndef SG_VALUE_TYPES_H
#define SG_VALUE_TYPES_H

#include <stdbool.h>

#include "generator/base/arena.h"

/* Name, name in capitals, bits. */
#define SG_EACH_VALUE_TYPE(X) \
    X(f32, F32, 32)           \
    X(f64, F64, 64)

typedef struct sg_type {
    const char *name;            /* "f32": a word of the prelude, and a fact that a page may deny */
    const char *enumerator;      /* "SPMV_F32" of spmv_module.h */
    const char *argument;        /* "SPMV_ARGUMENT_F32" of spmv_module.h */
    const char *condition;       /* "REAL_IS_F32": encloses its helpers in C files of tables */
    int bits;
} sg_type;

#define SG_COUNT_TYPE(name, capitals, bits) +1
enum { SG_VALUE_TYPES = 0 SG_EACH_VALUE_TYPE(SG_COUNT_TYPE), SG_OFFSET_TYPES = 2 };
#undef SG_COUNT_TYPE

extern const sg_type sg_value_types[SG_VALUE_TYPES], sg_offset_types[SG_OFFSET_TYPES];

/* Names of the types, NULL-terminated. */
extern const char *const sg_value_type_names[SG_VALUE_TYPES + 1];
extern const char *const sg_offset_type_names[SG_OFFSET_TYPES + 1];

/* NULL if no type has that name. */
const sg_type *sg_value_type_find(const char *name);

/* "csr5.f32.sigma or csr5.f64.sigma", for before = "csr5." and behind = ".sigma". */
const char *sg_value_type_list(sg_arena *arena, const char *before, const char *behind);

#endif
