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
    const size_t most = e->source_count + e->table_count;
    sg_parse_file *files = sg_arena_alloc(e->arenas[0], most * sizeof *files);
    sg_parse_file *headers = sg_arena_alloc(e->arenas[0], (e->table_count + 1) * sizeof *headers);
    size_t count = 0, header_count = 0;

    for (size_t i = 0; i < e->source_count; i++)
        if (e->sources[i].plan == plan)
            files[count++] = (sg_parse_file){ e->sources[i].output.name, e->sources[i].whole };
    headers[header_count++] = (sg_parse_file){ sg_path_base(plan->contract.file),
                                               plan->contract_text };
    for (size_t t = 0; t < e->table_count; t++) {
        const sg_parse_file table = { e->tables[t].name, e->tables[t].text };
        if (sg_ends_with(table.name, ".h"))
            headers[header_count++] = table;
        else if (plan == e->folder.plans)
            files[count++] = table;
    }
    return sg_reparse(diags, sg_lowering_of_module(lowering), files, count, headers, header_count);
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
