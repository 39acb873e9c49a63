/* value_types.c: see value_types.h. */
#include "generator/base/value_types.h"

#include <string.h>

#include "generator/base/text.h"

#define TYPE(name, capitals, bits) \
    { #name, "SPMV_" #capitals, "SPMV_ARGUMENT_" #capitals, "REAL_IS_" #capitals, bits },
#define NAME(name, capitals, bits) #name,

#define EACH_OFFSET_TYPE(X) \
    X(i32, I32, 32)         \
    X(i64, I64, 64)

const sg_type sg_value_types[SG_VALUE_TYPES] = { SG_EACH_VALUE_TYPE(TYPE) };
const sg_type sg_offset_types[SG_OFFSET_TYPES] = { EACH_OFFSET_TYPE(TYPE) };

const char *const sg_value_type_names[SG_VALUE_TYPES + 1] = { SG_EACH_VALUE_TYPE(NAME) NULL };
const char *const sg_offset_type_names[SG_OFFSET_TYPES + 1] = { EACH_OFFSET_TYPE(NAME) NULL };

const sg_type *sg_value_type_find(const char *name)
{
    for (size_t i = 0; i < SG_VALUE_TYPES; i++)
        if (!strcmp(sg_value_types[i].name, name))
            return &sg_value_types[i];
    return NULL;
}

const char *sg_value_type_list(sg_arena *arena, const char *before, const char *behind)
{
    sg_text list = sg_text_in(arena);

    for (size_t i = 0; i < SG_VALUE_TYPES; i++)
        sg_text_printf(&list, "%s%s%s%s",
                       i == 0 ? "" : i + 1 < SG_VALUE_TYPES ? ", " : " or ", before,
                       sg_value_types[i].name, behind);
    return list.data;
}
