/* value.c: see value.h. Stateless. */
#include "generator/base/value.h"

#include <inttypes.h>

const char *sg_kind_text(sg_kind kind)
{
    static const char *const texts[] = {
        [SG_INTEGER] = "an integer", [SG_BOOLEAN] = "true or false", [SG_STRING] = "a string"
    };
    return texts[kind];
}

const char *sg_value_text(sg_arena *arena, const sg_value *value)
{
    if (value->kind == SG_STRING)
        return sg_arena_printf(arena, "\"%s\"", value->string);
    if (value->kind == SG_BOOLEAN)
        return value->integer ? "true" : "false";
    return sg_arena_printf(arena, "%" PRId64, value->integer);
}
