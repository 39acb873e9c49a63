/* parse_again.c: see passes.h. */
#include "generator/assemble/passes.h"

#include "generator/clang/specialise.h"

/* Parses programs without headers: they include nothing. */
static bool parse_programs(sg_diags *diags, const sg_plan *plan, const sg_emission *e)
{
    sg_parse_file *files = sg_arena_alloc(e->arenas[0], e->source_count * sizeof *files);
    size_t count = 0;

    for (size_t i = 0; i < e->source_count; i++)
        if (e->sources[i].plan == plan)
            files[count++] = (sg_parse_file){ e->sources[i].program.name,
                                              e->sources[i].program.text };
    return sg_reparse(diags, plan->variants[0].lowering, files, count, NULL, 0);
}

static bool parse_modules(sg_diags *diags, const sg_plan *plan, const sg_emission *e)
{
    const sg_lowering *lowering = plan->variants[0].lowering;
    sg_parse_file *files = sg_arena_alloc(e->arenas[0], (e->source_count + 1) * sizeof *files);
    const sg_parse_file headers[] = {
        { sg_path_base(plan->contract.file), plan->contract_text },
        { e->table_header.name, e->table_header.text },
    };
    size_t count = 0;

    for (size_t i = 0; i < e->source_count; i++)
        if (e->sources[i].plan == plan)
            files[count++] = (sg_parse_file){ e->sources[i].output.name,
                                              e->sources[i].output.text };
    if (plan == e->folder.plans && e->table.name)
        files[count++] = (sg_parse_file){ e->table.name, e->table.text };
    return sg_reparse(diags, sg_lowering_of_module(lowering), files, count, headers,
                      e->table.name ? 2 : 1);
}

bool sg_parse_again(sg_diags *diags, const sg_emission *e)
{
    bool good = true;

    for (size_t p = 0; p < e->folder.plan_count && good; p++) {
        const sg_plan *plan = &e->folder.plans[p];
        good = (!plan->variants[0].lowering->host || parse_programs(diags, plan, e)) &&
               parse_modules(diags, plan, e);
    }
    if (!good)
        sg_diag(diags, SG_NOTE, (sg_loc){ 0 }, "these are lines of emitted text, which was not "
                "written: a template or a table of targets/dialects or targets/isa makes it wrong; "
                "a word that a table leaves out keeps the prelude's body, which suits the "
                "prelude's own types");
    return good;
}
