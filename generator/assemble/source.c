/* source.c: composes the files of one method. Pure functions of plans; all memory is the
 * arena's. */
#include "generator/assemble/source.h"

#include <stddef.h>
#include <string.h>

#include "generator/assemble/banner.h"
#include "generator/assemble/module_tables.h"
#include "generator/base/hash.h"
#include "generator/assemble/program.h"

enum { AXES = SG_METHOD_AXIS };  /* without the methods', since a file is for one */

static const sg_axis axes[AXES] = {
    { .name = "values" }, { .name = "row pointers" },
    [SG_TARGET_AXIS] = { .name = "", .is_apart = true },
};

#define RULE_LINE "/* ---- the modules' tables ----------------------------------------------" \
                  "---------------------- */\n\n"

sg_output sg_output_make(const char *name, const char *text, size_t length)
{
    return (sg_output){ name, text, length, sg_hash_bytes(text, length) };
}

/* ---- tables -------------------------------------------------------------------------------- */

static bool add_tables(sg_arena *arena, sg_diags *diags, const sg_source *source, sg_text *out)
{
    const size_t count = source->family->variant_count;
    sg_instance *tables = sg_arena_alloc(arena, count * sizeof *tables);
    sg_joined all;

    for (size_t i = 0; i < count; i++) {
        const sg_module *module = &source->modules[i];
        tables[i] = sg_module_instance(module, &module->spec);
        sg_module_tables(arena, module, &source->host, &source->parts, source->target, &tables[i]);
    }
    if (!sg_join(arena, diags, axes, AXES, tables, count, SG_COLUMNS, &all))
        return false;
    sg_text_append(out, RULE_LINE);
    for (size_t i = 0; i < all.section_count; i++)
        sg_text_printf(out, "%s%s", i ? "\n" : "", sg_section_text(arena, &all.sections[i], 0));
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

/* ---- joining ------------------------------------------------------------------------------- */

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

/* Checks that the targets of a shared text differ in more than the case of letters, which macros do
 * not show. */
static bool differ_in_macros(sg_arena *arena, sg_diags *diags, const sg_group *group)
{
    for (size_t f = 0; f < group->count; f++)
        for (size_t k = 0; k < f; k++) {
            const sg_target *a = group->plans[k]->target, *b = group->plans[f]->target;
            const char *macro = sg_guard_macro(arena, b->c_name);
            if (strcmp(macro, sg_guard_macro(arena, a->c_name)))
                continue;
            sg_diag(diags, SG_ERROR, (sg_loc){ b->pages[0].file, 0, 0 },
                    "targets '%s' and '%s' would be told apart in %s by one macro, %s; rename one, "
                    "or emit them into folders of their own", a->name, b->name, group->shared,
                    macro);
            return false;
        }
    return true;
}

/* Joins the modules and the programs of all sources; the first source gets the texts. */
static bool join_texts(sg_arena *arena, sg_diags *diags, sg_source *const *sources)
{
    const sg_group *group = sources[0]->group;
    size_t most = 0, count = 0;

    for (size_t f = 0; f < group->count; f++)
        most += group->families[f]->variant_count;
    sg_instance *hosts = sg_arena_alloc(arena, most * sizeof *hosts);
    sg_instance *programs = sg_arena_alloc(arena, most * sizeof *programs);
    for (size_t f = 0; f < group->count; f++)
        for (size_t i = 0; i < group->families[f]->variant_count; i++, count++) {
            const sg_module *module = &sources[f]->modules[i];
            hosts[count] = sg_module_instance(module, &module->spec);
            programs[count] = sg_module_instance(module, &module->kernels);
        }
    return sg_join(arena, diags, axes, AXES, hosts, count, SG_COLUMNS, &sources[0]->host) &&
           sg_join(arena, diags, axes, AXES, programs, count, SG_STRING_COLUMNS,
                   &sources[0]->kernels);
}

static sg_device_program program_of(sg_arena *arena, const sg_source *source)
{
    const sg_group *group = source->group;
    const sg_lowering **lowerings = sg_arena_alloc(arena, group->count * sizeof *lowerings);

    for (size_t f = 0; f < group->count; f++)
        lowerings[f] = group->families[f]->variants[0].lowering;
    return lowerings[0]->host ? sg_program_make(arena, lowerings, group->count, &source->kernels)
                              : (sg_device_program){ .part_count = 0 };
}

bool sg_source_join(sg_arena *arena, sg_diags *diags, sg_source *const *sources)
{
    const sg_group *group = sources[0]->group;

    for (size_t f = 0; f < group->count; f++)
        if (!same_preamble(diags, group->families[f]))
            return false;
    if (!differ_in_macros(arena, diags, group) || !join_texts(arena, diags, sources))
        return false;
    sources[0]->parts = program_of(arena, sources[0]);
    for (size_t f = 0; f < group->count; f++) {
        sources[f]->host = sources[0]->host;
        sources[f]->kernels = sources[0]->kernels;
        sources[f]->parts = sources[0]->parts;
        for (size_t i = 0; i < group->families[f]->variant_count; i++) {
            sg_module *module = &sources[f]->modules[i];
            const sg_instance instance = sg_module_instance(module, &module->spec);
            sg_module_name_kernels(arena, module, module->variant->program_file
                                                      ? &sources[0]->kernels : &sources[0]->host,
                                   &instance);
        }
    }
    return true;
}

/* ---- the text that a group shares ---------------------------------------------------------- */

static void append(sg_text *out, const char *text)
{
    sg_text_append(out, text);
}

/* Appends one text of each family's lowering. */
static void add_words(const sg_group *group, const sg_guards *guards, size_t offset, sg_text *out)
{
    const char **texts = sg_arena_alloc(out->arena, group->count * sizeof *texts);

    for (size_t f = 0; f < group->count; f++) {
        const sg_lowering *lowering = sg_lowering_of_module(group->families[f]->variants->lowering);
        const char *text = *(const char *const *)((const char *)lowering + offset);
        texts[f] = *text ? text : NULL;
    }
    sg_guarded(out, guards, texts, append);
}

static size_t line_count(const sg_text *text)
{
    size_t lines = 0;

    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    return lines;
}

static void add_sections(const sg_joined *joined, const sg_guards *guards, sg_text *out)
{
    for (size_t i = 0; i < joined->section_count; i++) {
        const sg_section *section = &joined->sections[i];
        const char *title = sg_section_title(out->arena, joined, section);
        if (*title && joined->section_count > 1)
            sg_text_printf(out, "/* ==== %s ==== */\n\n", title);
        sg_guarded_section(out, guards, section, append);
        sg_text_append(out, "\n");
    }
}

/* Appends everything between the banner and the tables. */
static void add_text(const sg_source *source, const sg_guards *guards, sg_text *out)
{
    const sg_variant *first = &source->family->variants[0];

    if (*source->host.opening)
        sg_text_printf(out, "\n%s\n", source->host.opening);
    add_words(source->group, guards, offsetof(sg_lowering, dialect_preamble), out);
    add_words(source->group, guards, offsetof(sg_lowering, isa_preamble), out);
    add_words(source->group, guards, offsetof(sg_lowering, begin_functions), out);
    sg_text_append(out, "\n");
    add_sections(&source->host, guards, out);
    if (source->plan->selection.line_directives)
        sg_text_printf(out, "#line %zu \"%s\"\n", line_count(out) + 2, first->file);
    add_words(source->group, guards, offsetof(sg_lowering, postamble), out);
    if (first->program_file && !source->writes_program) {
        if (!guards->count)
            sg_text_printf(out, "/* ---- %s ---- */\n\n", first->program_file);
        sg_program_strings(out, &source->parts, guards);
    }
}

sg_output sg_source_shared(sg_arena *arena, const sg_source *source)
{
    const sg_group *group = source->group;
    const char **macros = sg_arena_alloc(arena, group->count * sizeof *macros);
    const sg_guards guards = { .macros = macros, .count = group->count };
    sg_text text = sg_text_in(arena);

    if (!group->shared)
        return (sg_output){ .name = NULL };
    for (size_t f = 0; f < group->count; f++)
        macros[f] = sg_guard_macro(arena, group->plans[f]->target->c_name);
    sg_banner_shared(&text, group);
    sg_guards_none(&text, &guards);
    sg_text_append(&text, "#error \"compile a file that includes this one: it names the target\"\n"
                          "#endif\n");
    add_text(source, &guards, &text);
    /* No blank line at the end. */
    if (text.length >= 2 && text.data[text.length - 2] == '\n')
        text.data[--text.length] = '\0';
    return sg_output_make(group->shared, text.data, text.length);
}

/* ---- the file of a target ------------------------------------------------------------------ */

static void set_program(sg_arena *arena, sg_source *source)
{
    const char *file = source->family->variants[0].program_file;
    sg_text text = sg_text_in(arena);

    if (!file)
        return;
    source->program_text = sg_program_text(arena, &source->parts, source->target);
    sg_banner_method(&text, source->plan, source->family, source->modules, file);
    sg_text_printf(&text, "\n%s", source->program_text);
    source->program = sg_output_make(file, text.data, text.length);
}

bool sg_source_assemble(sg_arena *arena, sg_diags *diags, sg_source *source)
{
    const sg_variant *first = &source->family->variants[0];
    const char *shared = source->group->shared;
    const sg_guards guards = { .target = source->target };
    sg_text banner = sg_text_in(arena), tables = sg_text_in(arena);
    sg_text text = sg_text_in(arena), whole = sg_text_in(arena);

    source->writes_program = first->program_file && source->plan->selection.program_files;
    collect_inputs(arena, source);
    sg_banner_method(&banner, source->plan, source->family, source->modules, first->file);
    if (!add_tables(arena, diags, source, &tables))
        return false;
    sg_text_append(&whole, banner.data);
    add_text(source, &guards, &whole);
    sg_text_append(&whole, tables.data);
    if (shared)
        sg_text_printf(&text, "%s\n#define %s\n#include \"%s\"\n\n%s", banner.data,
                       sg_guard_macro(arena, source->plan->target->c_name), shared, tables.data);
    source->whole = whole.data;
    source->output = shared ? sg_output_make(first->file, text.data, text.length)
                            : sg_output_make(first->file, whole.data, whole.length);
    set_program(arena, source);
    return true;
}
