/* emission.c: see emission.h. */
#include "generator/assemble/emission.h"

#include <string.h>

void sg_emission_add_output(sg_arena *arena, sg_emission *e, sg_output output)
{
    e->outputs = sg_arena_grow(arena, e->outputs, e->output_count, e->output_count + 1,
                               sizeof *e->outputs);
    e->outputs[e->output_count++] = output;
}

void sg_emission_add_inputs(sg_arena *arena, sg_emission *e, const sg_input *inputs, size_t count)
{
    e->inputs = sg_arena_grow(arena, e->inputs, e->input_count, e->input_count + count,
                              sizeof *e->inputs);
    if (count)
        memcpy(&e->inputs[e->input_count], inputs, count * sizeof *inputs);
    e->input_count = sg_inputs_sort(e->inputs, e->input_count + count);
}

void sg_emission_add_sources(sg_arena *arena, sg_emission *e)
{
    const sg_plan *first = &e->folder.plans[0];

    for (size_t g = 0; g < e->folder.group_count; g++)
        if (e->shared[g].name)
            sg_emission_add_output(arena, e, e->shared[g]);
    for (size_t i = 0; i < e->source_count; i++) {
        sg_emission_add_output(arena, e, e->sources[i].output);
        if (e->sources[i].writes_program)
            sg_emission_add_output(arena, e, e->sources[i].program);
    }
    sg_emission_add_output(arena, e, sg_output_make(sg_path_base(first->contract.file),
                                                    first->contract_text, first->contract_length));
    for (size_t t = 0; t < e->table_count; t++)
        sg_emission_add_output(arena, e, e->tables[t]);
}

bool sg_emission_has(const sg_emission *emission, const char *name)
{
    for (size_t i = 0; i < emission->output_count; i++)
        if (!strcmp(emission->outputs[i].name, name))
            return true;
    return false;
}

void sg_emission_free(sg_emission *emission)
{
    for (size_t i = 0; i < emission->arena_count; i++)
        sg_arena_destroy(emission->arenas[i]);
    *emission = (sg_emission){ 0 };
}
