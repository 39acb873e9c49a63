/* value.h: a value of a page or a declaration: an integer, a boolean or a string. */
#ifndef SG_VALUE_H
#define SG_VALUE_H

#include <stdint.h>

#include "generator/base/arena.h"

typedef enum sg_kind { SG_INTEGER, SG_BOOLEAN, SG_STRING } sg_kind;

typedef struct sg_value {
    sg_kind kind;
    int64_t integer;             /* SG_INTEGER; 0 or 1 for SG_BOOLEAN */
    const char *string;          /* SG_STRING */
} sg_value;

/* The kind in words: "an integer". */
const char *sg_kind_text(sg_kind kind);

/* The value as a page would write it: 32, true, "svm". In the arena. */
const char *sg_value_text(sg_arena *arena, const sg_value *value);

#endif
