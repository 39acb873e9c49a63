/* emission.c: see emission.h. */
#include "generator/assemble/emission.h"

#include <string.h>

bool sg_emission_has(const sg_emission *emission, const char *name)
{
    for (size_t i = 0; i < emission->output_count; i++)
        if (!strcmp(emission->outputs[i].name, name))
            return true;
    return false;
}

void sg_emission_free(sg_emission *emission)
{
    if (!emission)
        return;
    for (size_t i = 0; i < emission->arena_count; i++)
        sg_arena_destroy(emission->arenas[i]);
    *emission = (sg_emission){ 0 };
}
