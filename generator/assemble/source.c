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

static sg_instance instance_of(const sg_variant *variant)
{
    return (sg_instance){ .label = { variant->value->name, variant->offset->name } };
}

static bool tables_text(sg_arena *arena, sg_diags *diags, const sg_source *source, sg_text *out)
{
    const size_t count = source->family->variant_count;
    sg_instance *tables = sg_arena_alloc(arena, count * sizeof *tables);
    sg_joined all;

    for (size_t i = 0; i < count; i++) {
        tables[i] = instance_of(&source->family->variants[i]);
        sg_module_tables(arena, &source->modules[i], &source->host, &source->parts, &tables[i]);
    }
    if (!sg_join(arena, diags, sg_module_axes, SG_MODULE_AXES, tables, count, SG_COLUMNS, &all))
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
static void collect_inputs(sg_arena *arena, sg_source *source)
{
    const sg_plan *plan = source->plan;
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

static bool join_texts(sg_arena *arena, sg_diags *diags, sg_source *source)
{
    const size_t count = source->family->variant_count;
    sg_instance *hosts = sg_arena_alloc(arena, count * sizeof *hosts);
    sg_instance *programs = sg_arena_alloc(arena, count * sizeof *programs);

    for (size_t i = 0; i < count; i++) {
        const sg_module *module = &source->modules[i];
        hosts[i] = programs[i] = instance_of(module->variant);
        hosts[i].pieces = module->spec.pieces;
        hosts[i].piece_count = module->spec.piece_count;
        programs[i].pieces = module->kernels.pieces;
        programs[i].piece_count = module->kernels.piece_count;
    }
    return sg_join(arena, diags, sg_module_axes, SG_MODULE_AXES, hosts, count, SG_COLUMNS,
                   &source->host) &&
           sg_join(arena, diags, sg_module_axes, SG_MODULE_AXES, programs, count, SG_STRING_COLUMNS,
                   &source->kernels);
}

bool sg_source_join(sg_arena *arena, sg_diags *diags, sg_source *source)
{
    const sg_variant *first = &source->family->variants[0];

    if (!same_preamble(diags, source->family) || !join_texts(arena, diags, source))
        return false;
    if (first->program_file)
        source->parts = sg_program_make(arena, first->lowering, &source->kernels);
    for (size_t i = 0; i < source->family->variant_count; i++) {
        sg_module *module = &source->modules[i];
        const sg_instance instance = instance_of(module->variant);
        sg_module_name_kernels(arena, module, first->program_file ? &source->kernels
                                                                  : &source->host, &instance);
    }
    return true;
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

static bool compose(sg_arena *arena, sg_diags *diags, const sg_source *source, sg_text *out)
{
    const sg_variant *first = &source->family->variants[0];
    const sg_lowering *lowering = sg_lowering_of_module(first->lowering);

    sg_banner_method(out, source->plan, source->family, source->modules, first->file);
    if (*source->host.opening)
        sg_text_printf(out, "\n%s\n", source->host.opening);
    sg_text_printf(out, "%s\n", lowering->preamble);
    add_sections(out, &source->host);
    if (source->plan->selection.line_directives)
        sg_text_printf(out, "#line %zu \"%s\"\n", line_count(out) + 2, first->file);
    sg_text_append(out, lowering->postamble);
    if (first->program_file && !source->writes_program) {
        sg_text_printf(out, "/* ---- %s ---- */\n\n", first->program_file);
        sg_program_strings(out, &source->parts);
    }
    sg_text_append(out, RULE_LINE);
    return tables_text(arena, diags, source, out);
}

bool sg_source_assemble(sg_arena *arena, sg_diags *diags, sg_source *source)
{
    const sg_variant *first = &source->family->variants[0];
    sg_text text = sg_text_in(arena), program = sg_text_in(arena);

    source->writes_program = first->program_file && source->plan->selection.program_files;
    collect_inputs(arena, source);
    if (!compose(arena, diags, source, &text))
        return false;
    source->output = sg_output_make(first->file, text.data, text.length);
    if (!first->program_file)
        return true;
    source->program_text = sg_program_text(arena, &source->parts);
    sg_banner_method(&program, source->plan, source->family, source->modules,
                         first->program_file);
    sg_text_printf(&program, "\n%s", source->program_text);
    source->program = sg_output_make(first->program_file, program.data, program.length);
    return true;
}
