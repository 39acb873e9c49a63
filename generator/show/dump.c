/* dump.c: see dump.h. */
#include "generator/show/dump.h"

#include <string.h>

#include "generator/assemble/banner.h"
#include "generator/base/text_table.h"

static void title(sg_text *out, const char *name)
{
    sg_text_printf(out, "%s######## %s\n", out->length ? "\n" : "", name);
}

static void file(sg_text *out, const sg_output *output)
{
    title(out, output->name);
    sg_text_append_bytes(out, output->text, output->length);
}

/* ---- before there is text ------------------------------------------------------------------- */

void sg_dump_pages(const sg_emission *e, sg_text *out)
{
    for (size_t p = 0; p < e->folder.plan_count; p++) {
        const sg_plan *plan = &e->folder.plans[p];
        const sg_target *target = plan->target;
        sg_text_table facts = sg_text_table_in(out->arena, 3);
        title(out, target->name);
        for (size_t i = 0; i < plan->chain_count; i++)
            sg_text_printf(out, "reads %s\n", plan->chain[i].file);
        for (size_t t = 0; t < SG_VALUE_TYPES; t++)
            if (plan->lowering[t])
                sg_text_printf(out, "%s: dialect %s, instruction set %s, templates %s.c\n",
                               sg_value_types[t].name, plan->lowering[t]->dialect,
                               *plan->lowering[t]->isa ? plan->lowering[t]->isa : "none",
                               plan->lowering[t]->form);
        for (size_t i = 0; i < target->fact_count; i++) {
            const sg_fact *fact = &target->facts[i];
            sg_text_table_row(&facts, (const char *[]){
                fact->decl->name, sg_value_text(out->arena, &fact->value),
                sg_shown_origin(out->arena, fact->origin) });
        }
        sg_text_table_print(&facts, out, "");
    }
}

void sg_dump_parameters(const sg_emission *e, sg_text *out)
{
    for (size_t p = 0; p < e->folder.plan_count; p++)
        for (size_t r = 0; r < e->folder.plans[p].resolved_count; r++) {
            const sg_resolved *resolved = &e->folder.plans[p].resolved[r];
            sg_text_table params = sg_text_table_in(out->arena, 4);
            title(out, sg_arena_printf(out->arena, "%s.%s for %s", resolved->method->name,
                                       resolved->value->name, e->folder.plans[p].target->name));
            for (size_t i = 0; i < resolved->params.count; i++) {
                const sg_param *param = &resolved->params.param[i];
                sg_text_table_row(&params, (const char *[]){
                    param->decl->name, sg_param_shown(out->arena, param),
                    sg_shown_origin(out->arena, param->origin),
                    param->from_page ? "" : param->decl->derivation });
            }
            sg_text_table_print(&params, out, "");
        }
}

void sg_dump_variants(const sg_emission *e, sg_text *out)
{
    sg_text_table variants = sg_text_table_in(out->arena, 3);

    for (size_t p = 0; p < e->folder.plan_count; p++) {
        const sg_plan *plan = &e->folder.plans[p];
        for (size_t i = 0; i < plan->skipped_count; i++)
            sg_text_printf(out, "skipped %s\n", plan->skipped[i]);
        for (size_t v = 0; v < plan->variant_count; v++)
            sg_text_table_row(&variants, (const char *[]){
                plan->variants[v].symbol, plan->variants[v].file,
                plan->variants[v].program_file ? plan->variants[v].program_file : "" });
    }
    sg_text_table_print(&variants, out, "");
}

/* ---- modules and sources -------------------------------------------------------------------- */

static void names(sg_text *out, const char *before, const sg_piece *piece)
{
    for (size_t i = 0; piece->names && piece->names[i]; i++)
        sg_text_printf(out, "%s%s", i ? " " : before, piece->names[i]);
}

static void pieces(sg_text *out, const char *of, const char *form, const sg_spec_output *spec)
{
    static const char *const kinds[] = {
        [SG_PIECE_HELPER] = "helper", [SG_PIECE_OWN] = "own", [SG_PIECE_COMMENT] = "comment" };

    if (spec->piece_count)
        title(out, sg_arena_printf(out->arena, "%s: %s.c", of, form));
    for (size_t i = 0; i < spec->piece_count; i++) {
        const sg_piece *piece = &spec->pieces[i];
        sg_text_printf(out, "==== %s", kinds[piece->kind]);
        names(out, " ", piece);
        for (size_t n = 0; piece->needs && piece->needs[n]; n++)
            for (size_t k = 0; k < spec->piece_count; k++)
                if (!strcmp(spec->pieces[k].key, piece->needs[n]))
                    names(out, n ? ", " : "; needs ", &spec->pieces[k]);
        sg_text_printf(out, "\n%s\n", piece->text);
    }
}

void sg_dump_pieces(const sg_emission *e, sg_text *out)
{
    for (size_t i = 0; i < e->module_count; i++) {
        const sg_variant *variant = e->modules[i].variant;
        const sg_lowering *lowering = variant->lowering;
        pieces(out, variant->symbol, lowering->host ? SG_HOST_FORM : lowering->form,
               &e->modules[i].spec);
        pieces(out, variant->symbol, lowering->form, &e->modules[i].kernels);
    }
}

static void sections(sg_text *out, const char *name, const sg_joined *joined, size_t target)
{
    for (size_t i = 0; i < joined->section_count; i++) {
        const char *of = sg_section_title(out->arena, joined, &joined->sections[i]);
        title(out, sg_arena_printf(out->arena, "%s: %s", name, *of ? of : "all"));
        sg_text_append(out, sg_section_text(out->arena, &joined->sections[i], target));
    }
}

void sg_dump_sections(const sg_emission *e, sg_text *out)
{
    for (size_t i = 0; i < e->source_count; i++) {
        const sg_variant *first = &e->sources[i].family->variants[0];
        sections(out, first->file, &e->sources[i].host, e->sources[i].target);
        sections(out, first->program_file, &e->sources[i].kernels, e->sources[i].target);
    }
}

void sg_dump_texts(const sg_emission *e, sg_text *out)
{
    for (size_t i = 0; i < e->source_count; i++) {
        file(out, &e->sources[i].output);
        if (e->sources[i].writes_program)
            file(out, &e->sources[i].program);
    }
    for (size_t g = 0; g < e->folder.group_count; g++)
        if (e->shared[g].name)
            file(out, &e->shared[g]);
    for (size_t t = 0; t < e->table_count; t++)
        file(out, &e->tables[t]);
}

static void parsed(sg_text_table *table, const sg_output *output, const sg_lowering *lowering)
{
    sg_text_table_row(table, (const char *[]){ output->name, lowering->parse_language,
                                               lowering->isa });
}

void sg_dump_parsed(const sg_emission *e, sg_text *out)
{
    sg_text_table files = sg_text_table_in(out->arena, 3);

    for (size_t i = 0; i < e->source_count; i++) {
        const sg_lowering *lowering = e->sources[i].family->variants[0].lowering;
        parsed(&files, &e->sources[i].output, sg_lowering_of_module(lowering));
        if (lowering->host)
            parsed(&files, &e->sources[i].program, lowering);
    }
    sg_text_table_print(&files, out, "");
}

/* ---- files ---------------------------------------------------------------------------------- */

void sg_dump_outputs(const sg_emission *e, sg_text *out)
{
    for (size_t i = 0; i < e->output_count; i++)
        file(out, &e->outputs[i]);
}

void sg_dump_manifest(const sg_emission *e, sg_text *out)
{
    sg_text_append(out, e->outputs[e->output_count - 1].text);
}
