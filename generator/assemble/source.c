/* source.c: composes the file of one method. Pure functions of a plan; all memory is the
 * arena's. */
#include "generator/assemble/source.h"

#include <string.h>

#include "generator/assemble/banner.h"
#include "generator/assemble/module_tables.h"
#include "generator/base/hash.h"
#include "generator/assemble/program.h"

#define RULE_LINE "/* ---- the modules' tables ----------------------------------------------" \
                  "---------------------- */\n\n"

sg_output sg_output_make(const char *name, const char *text, size_t length)
{
    return (sg_output){ name, text, length, sg_hash_bytes(text, length) };
}

/* ---- tables -------------------------------------------------------------------------------- */

/* The joined texts of a family's modules and programs. */
typedef struct joined_texts {
    sg_joined module, program;
    sg_program program_text;     /* empty where there is no program */
} joined_texts;

static bool tables_text(sg_arena *arena, sg_diags *diags, const sg_plan *plan,
                        const sg_family *family, const sg_module *modules,
                        const joined_texts *joined, sg_text *out)
{
    sg_instance *tables = sg_arena_alloc(arena, family->variant_count * sizeof *tables);
    sg_joined all;

    for (size_t i = 0; i < family->variant_count; i++) {
        tables[i].label[0] = family->variants[i].value->name;
        tables[i].label[1] = family->variants[i].offset->name;
        sg_module_tables(arena, plan, &modules[i], &joined->module, &joined->program_text,
                         &tables[i]);
    }
    if (!sg_join(arena, diags, sg_module_axes, SG_MODULE_AXES, tables, family->variant_count,
                 SG_COLUMNS, &all))
        return false;
    for (size_t i = 0; i < all.section_count; i++)
        sg_text_printf(out, "%s%s", i ? "\n" : "", all.sections[i].text);
    return true;
}

/* ---- inputs -------------------------------------------------------------------------------- */

static size_t add_pages(sg_input *pages, size_t count, const sg_input *more, size_t more_count)
{
    for (size_t i = 0; i < more_count; i++)
        pages[count + i] = more[i];
    return count + more_count;
}

/* Collects the files that the method's file was made from. */
static void collect_inputs(sg_arena *arena, const sg_plan *plan, sg_source *source)
{
    const size_t modules = source->family->variant_count;
    size_t most = plan->chain_count + 1, count;

    for (size_t i = 0; i < modules; i++) {
        const sg_variant *variant = &source->family->variants[i];
        const sg_lowering *host = variant->lowering->host;
        most += variant->lowering->file_count + (host ? host->file_count : 0) +
                source->modules[i].spec.input_count + source->modules[i].kernels.input_count +
                variant->method->input_count;
    }
    sg_input *pages = sg_arena_alloc(arena, most * sizeof *pages);
    count = add_pages(pages, 0, plan->chain, plan->chain_count);
    for (size_t i = 0; i < modules; i++) {
        const sg_variant *variant = &source->family->variants[i];
        const sg_lowering *lowering = variant->lowering, *host = lowering->host;
        const sg_module *module = &source->modules[i];
        count = add_pages(pages, count, lowering->files, lowering->file_count);
        if (host)
            count = add_pages(pages, count, host->files, host->file_count);
        count = add_pages(pages, count, module->spec.inputs, module->spec.input_count);
        count = add_pages(pages, count, module->kernels.inputs, module->kernels.input_count);
        count = add_pages(pages, count, variant->method->inputs, variant->method->input_count);
    }
    pages[count++] = plan->contract;
    source->inputs = pages;
    source->input_count = sg_inputs_sort(pages, count);
}

/* ---- the whole file ------------------------------------------------------------------------ */

/* Checks that all variants of a family have one preamble, which a shared text needs. */
static bool same_preamble(sg_diags *diags, const sg_family *family)
{
    const sg_lowering *a = family->variants[0].lowering;

    for (size_t i = 1; i < family->variant_count; i++) {
        const sg_lowering *b = family->variants[i].lowering;
        const bool same = !strcmp(a->preamble, b->preamble) && !strcmp(a->postamble, b->postamble);
        if (same && (!a->host || !strcmp(a->host->preamble, b->host->preamble)))
            continue;
        sg_diag(diags, SG_ERROR, (sg_loc){ b->files[0].file, 0, 0 },
                "its preamble differs between value types; expected one for all");
        return false;
    }
    return true;
}

static bool join_texts(sg_arena *arena, sg_diags *diags, const sg_family *family,
                       const sg_module *modules, joined_texts *out)
{
    const size_t count = family->variant_count;
    sg_instance *hosts = sg_arena_alloc(arena, count * sizeof *hosts);
    sg_instance *programs = sg_arena_alloc(arena, count * sizeof *programs);

    for (size_t i = 0; i < count; i++) {
        hosts[i].label[0] = programs[i].label[0] = family->variants[i].value->name;
        hosts[i].label[1] = programs[i].label[1] = family->variants[i].offset->name;
        hosts[i].pieces = modules[i].spec.pieces;
        hosts[i].piece_count = modules[i].spec.piece_count;
        programs[i].pieces = modules[i].kernels.pieces;
        programs[i].piece_count = modules[i].kernels.piece_count;
    }
    return sg_join(arena, diags, sg_module_axes, SG_MODULE_AXES, hosts, count, SG_COLUMNS,
                   &out->module) &&
           sg_join(arena, diags, sg_module_axes, SG_MODULE_AXES, programs, count, SG_STRING_COLUMNS,
                   &out->program);
}

static void name_kernels(sg_arena *arena, const joined_texts *joined, sg_module *module)
{
    const sg_spec_output *kernels = sg_module_kernels(module);
    const sg_joined *text = module->variant->program_file ? &joined->program : &joined->module;
    const char **symbols = sg_arena_alloc(arena, (kernels->kernel_count + 1) * sizeof *symbols);
    const sg_instance instance = { .label = { module->variant->value->name,
                                              module->variant->offset->name } };

    for (size_t k = 0; k < kernels->kernel_count; k++)
        symbols[k] = sg_joined_name(arena, text, kernels->kernels[k].name, &instance);
    module->kernel_symbols = symbols;
}

static size_t line_count(const sg_text *text)
{
    size_t lines = 0;

    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    return lines;
}

static void add_sections(sg_text *out, const sg_joined *joined)
{
    for (size_t i = 0; i < joined->section_count; i++) {
        const sg_section *section = &joined->sections[i];
        const char *title = sg_section_title(out->arena, joined, section);
        if (*title && joined->section_count > 1)
            sg_text_printf(out, "/* ==== %s ==== */\n\n", title);
        sg_text_printf(out, "%s\n", section->text);
    }
}

static bool compose(sg_arena *arena, sg_diags *diags, const sg_plan *plan, const sg_source *source,
                    const joined_texts *joined, sg_text *out)
{
    const sg_variant *first = &source->family->variants[0];
    const sg_lowering *lowering = sg_lowering_of_module(first->lowering);

    sg_banner_method(out, plan, source->family, first->file);
    if (*joined->module.opening)
        sg_text_printf(out, "\n%s\n", joined->module.opening);
    sg_text_printf(out, "%s\n", lowering->preamble);
    add_sections(out, &joined->module);
    if (plan->selection.line_directives)
        sg_text_printf(out, "#line %zu \"%s\"\n", line_count(out) + 2, first->file);
    sg_text_append(out, lowering->postamble);
    if (first->program_file && !plan->selection.program_files) {
        sg_text_printf(out, "/* ---- %s ---- */\n\n", first->program_file);
        sg_program_strings(out, &joined->program_text);
    }
    sg_text_append(out, RULE_LINE);
    return tables_text(arena, diags, plan, source->family, source->modules, joined, out);
}

static void make_program(sg_arena *arena, const sg_plan *plan, const joined_texts *joined,
                         sg_source *out)
{
    const sg_variant *first = &out->family->variants[0];
    sg_text text = sg_text_in(arena);

    out->program_text = sg_program_text(arena, &joined->program_text);
    sg_banner_method(&text, plan, out->family, first->program_file);
    sg_text_printf(&text, "\n%s", out->program_text);
    out->program = sg_output_make(first->program_file, text.data, text.length);
}

bool sg_source_make(sg_arena *arena, sg_diags *diags, const sg_plan *plan, const sg_family *family,
                    sg_module *modules, sg_source *out)
{
    const sg_variant *first = &family->variants[0];
    sg_text text = sg_text_in(arena);
    joined_texts joined = { 0 };

    *out = (sg_source){ .plan = plan, .family = family, .modules = modules,
                         .writes_program = first->program_file && plan->selection.program_files };
    if (!same_preamble(diags, family) || !join_texts(arena, diags, family, modules, &joined))
        return false;
    if (first->program_file)
        joined.program_text = sg_program_make(arena, first->lowering, &joined.program);
    for (size_t i = 0; i < family->variant_count; i++)
        name_kernels(arena, &joined, &modules[i]);
    collect_inputs(arena, plan, out);
    if (!compose(arena, diags, plan, out, &joined, &text))
        return false;
    out->output = sg_output_make(first->file, text.data, text.length);
    if (first->program_file)
        make_program(arena, plan, &joined, out);
    return true;
}
