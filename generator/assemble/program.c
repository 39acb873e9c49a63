/* program.c: see program.h. Pure functions of a module; all memory is the arena's. */
#include "generator/assemble/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "generator/assemble/banner.h"

/* The limits of spmv_module.h. */
enum { MOST_KERNELS = 12, MOST_ARGUMENTS = 24 };

#define COMMON_STRINGS "module_text"
#define LAST_STRINGS "module_text_end"

/* ---- checks -------------------------------------------------------------------------------- */

/* NULL for a value that cannot be passed. */
static const char *argument_kind(const sg_spec_arg *arg)
{
    if (!strcmp(arg->access, "read"))
        return "SPMV_ARGUMENT_READ";
    if (strcmp(arg->access, "value"))
        return "SPMV_ARGUMENT_READ_WRITE";
    for (size_t i = 0; i < SG_OFFSET_TYPES; i++)
        if (!strcmp(arg->word, sg_offset_types[i].name))
            return sg_offset_types[i].argument;
    const sg_type *value = sg_value_type_find(arg->word);
    return value ? value->argument : NULL;
}

static const sg_param *find_param(const sg_module *module, const char *c_name)
{
    const sg_params *params = &module->variant->params;

    for (size_t i = 0; i < params->count; i++)
        if (!strcmp(params->param[i].decl->c_name, c_name))
            return &params->param[i];
    return NULL;
}

const sg_param *sg_program_group_size(const sg_module *module)
{
    return find_param(module, SG_WORK_GROUP_SIZE);
}

static int64_t subgroup_size(const sg_module *module)
{
    const sg_param *size = find_param(module, SG_SUBGROUP_SIZE);

    return size ? size->value : 1;
}

/* An instruction set with extensions has the words of subgroups: a text that requires the
 * extensions of a device must use them. */
static void check_subgroups(sg_diags *diags, const sg_module *module)
{
    const sg_param *size = find_param(module, SG_SUBGROUP_SIZE);

    if (*module->variant->lowering->extensions && size && size->value <= 1)
        sg_diag(diags, SG_ERROR, size->page_origin.file ? size->page_origin : size->origin,
                "%s is %" PRId64 ", but instruction set '%s' is for subgroups; expected "
                "subgroups = true, or isa = \"\"", size->decl->name, size->value,
                module->variant->lowering->isa);
}

bool sg_program_check(sg_arena *arena, sg_diags *diags, const sg_module *module)
{
    const sg_variant *variant = module->variant;
    const size_t errors = sg_diags_error_count(diags);
    char file[512];
    const sg_loc loc = { file, 0, 0 };

    if (!variant->lowering->host)
        return true;
    snprintf(file, sizeof file, "%s/%s.c", variant->method->dir, variant->lowering->form);
    if (!sg_program_group_size(module))
        sg_diag(diags, SG_ERROR, loc, "%s/params.lua declares no parameter 'work_group_size', "
                "which says how many work-items a work-group of these kernels has",
                variant->method->dir);
    check_subgroups(diags, module);
    if (module->kernels.kernel_count == 0 || module->kernels.kernel_count > MOST_KERNELS)
        sg_diag(diags, SG_ERROR, loc, "expected 1 to %d kernels, found %zu", MOST_KERNELS,
                module->kernels.kernel_count);
    for (size_t k = 0; k < module->kernels.kernel_count; k++) {
        const sg_spec_kernel *kernel = &module->kernels.kernels[k];
        if (kernel->arg_count > MOST_ARGUMENTS)
            sg_diag(diags, SG_ERROR, loc, "kernel '%s' has %zu arguments; at most %d can be passed",
                    kernel->name, kernel->arg_count, MOST_ARGUMENTS);
        for (size_t i = 0; i < kernel->arg_count; i++)
            if (!argument_kind(&kernel->args[i]))
                sg_diag(diags, SG_ERROR, loc, "argument '%s' of kernel '%s' is a value that cannot "
                        "be passed; expected a pointer, i32, i64, real, %s",
                        kernel->args[i].name, kernel->name, sg_value_type_list(arena, "", ""));
    }
    return sg_diags_error_count(diags) == errors;
}

/* ---- the text ------------------------------------------------------------------------------ */

/* The section behind texts by target. */
static sg_section with_text(sg_arena *arena, const char *const *texts, const sg_section *section)
{
    const size_t more = section ? section->entry_count : 0;
    sg_entry *entries = sg_arena_alloc(arena, (more + 1) * sizeof *entries);
    sg_section out = { .entries = entries, .entry_count = more + 1 };

    entries[0] = (sg_entry){ texts, true };
    for (size_t k = 0; k < more; k++) {
        entries[k + 1] = section->entries[k];
        entries[k + 1].is_tight = !k || entries[k + 1].is_tight;
    }
    out.axes = section ? section->axes : 0;
    for (size_t axis = 0; section && axis < SG_MOST_AXES; axis++)
        out.label[axis] = section->label[axis];
    return out;
}

static sg_section common_text(sg_arena *arena, const sg_lowering *const *lowerings, size_t count,
                              const sg_joined *joined, const sg_section *common)
{
    const char **texts = sg_arena_alloc(arena, count * sizeof *texts);

    for (size_t t = 0; t < count; t++)
        texts[t] = sg_arena_printf(arena, "%s%s%s%s", joined->opening, *joined->opening ? "\n" : "",
                                   lowerings[t]->preamble, common ? "\n" : "");
    return with_text(arena, texts, common);
}

static sg_section section_text(sg_arena *arena, size_t count, const sg_joined *joined,
                               const sg_section *section)
{
    const char **texts = sg_arena_alloc(arena, count * sizeof *texts);

    for (size_t t = 0; t < count; t++)
        texts[t] = t ? texts[0] : sg_arena_printf(arena, "\n/* ==== %s ==== */\n\n",
                                                  sg_section_title(arena, joined, section));
    return with_text(arena, texts, section);
}

sg_device_program sg_program_make(sg_arena *arena, const sg_lowering *const *lowerings,
                                  size_t count, const sg_joined *joined)
{
    sg_program_part *parts = sg_arena_alloc(arena, (joined->section_count + 2) * sizeof *parts);
    const char **last = sg_arena_alloc(arena, count * sizeof *last);
    const sg_section *sections = joined->sections;
    const bool has_common = joined->section_count && !sections[0].axes;
    bool has_last = false;
    sg_device_program out = { .parts = parts };

    parts[out.part_count++] = (sg_program_part){
        COMMON_STRINGS, common_text(arena, lowerings, count, joined,
                                    has_common ? sections : NULL) };
    for (size_t i = has_common; i < joined->section_count; i++)
        parts[out.part_count++] = (sg_program_part){
            sg_section_name(arena, &sections[i], COMMON_STRINGS),
            section_text(arena, count, joined, &sections[i]) };
    for (size_t t = 0; t < count; t++) {
        last[t] = lowerings[t]->postamble;
        has_last = has_last || *last[t];
    }
    if (has_last)
        parts[out.part_count++] = (sg_program_part){ LAST_STRINGS, with_text(arena, last, NULL) };
    return out;
}

const char *sg_program_text(sg_arena *arena, const sg_device_program *program, size_t target)
{
    sg_text text = sg_text_in(arena);

    for (size_t i = 0; i < program->part_count; i++)
        sg_text_append(&text, sg_section_text(arena, &program->parts[i].text, target));
    return text.data;
}

/* The last line may lack its newline. */
static int line_count(const char *text)
{
    int lines = 0;

    for (; *text; text++)
        lines += *text == '\n' || !text[1];
    return lines;
}

/* Appends a string for each line. */
static void add_strings(sg_text *out, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const char *line = sg_arena_printf(out->arena, "%.*s", (int)length, text);
        const char *quoted = sg_c_string(out->arena, line);
        sg_text_printf(out, "    %.*s\\n\",\n", (int)strlen(quoted) - 1, quoted);
        text += length + (text[length] == '\n');
    }
}

void sg_program_strings(sg_text *out, const sg_device_program *program, const sg_guards *guards)
{
    for (size_t i = 0; i < program->part_count; i++) {
        sg_text_printf(out, "static const char *const %s[] = {\n", program->parts[i].strings);
        sg_guarded_section(out, guards, &program->parts[i].text, add_strings);
        sg_text_append(out, "};\n\n");
    }
}

/* ---- the module's tables ------------------------------------------------------------------- */

/* Adds a table that declares a name and refers to the tables of the keys in `needs`. */
static void add_piece(sg_arena *arena, sg_piece *pieces, size_t *count, const char *name,
                      const char *text, const char *const *needs)
{
    const char **names = sg_arena_alloc(arena, 2 * sizeof *names);

    names[0] = name;
    pieces[*count] = (sg_piece){ .kind = SG_PIECE_OWN, .key = name, .text = text, .names = names,
                                 .needs = needs, .place = (int)*count + 1 };
    ++*count;
}

static void add_kernels(sg_arena *arena, const sg_module *module, sg_piece *pieces, size_t *count)
{
    const sg_spec_output *spec = &module->kernels;
    const char **needs = sg_arena_alloc(arena, (spec->kernel_count + 1) * sizeof *needs);
    sg_text kernels = sg_text_in(arena);
    size_t need_count = 0;

    sg_text_append(&kernels, "static const spmv_kernel module_kernels[] = {\n");
    for (size_t k = 0; k < spec->kernel_count; k++) {
        const sg_spec_kernel *kernel = &spec->kernels[k];
        const char *arguments = sg_arena_printf(arena, "%s_arguments", kernel->name);
        sg_text text = sg_text_in(arena);
        if (kernel->arg_count) {
            sg_text_printf(&text, "static const spmv_argument %s[] = {\n", arguments);
            for (size_t i = 0; i < kernel->arg_count; i++)
                sg_text_printf(&text, "    { \"%s\", %s },\n", kernel->args[i].name,
                               argument_kind(&kernel->args[i]));
            sg_text_append(&text, "};");
            add_piece(arena, pieces, count, arguments, text.data,
                      sg_arena_alloc(arena, sizeof(const char *)));
            needs[need_count++] = arguments;
        }
        sg_text_printf(&kernels, "    {\n        .name = \"%s\",\n        .symbol = \"%s\",\n"
                       "        .work_group_size = %" PRId64 ",\n"
                       "        .local_bytes = %" PRId64 ",\n        .argument_count = %zu,\n"
                       "        .arguments = %s,\n    },\n",
                       kernel->name, module->kernel_symbols[k],
                       sg_program_group_size(module)->value, kernel->local_bytes,
                       kernel->arg_count, kernel->arg_count ? arguments : "NULL");
    }
    sg_text_append(&kernels, "};");
    add_piece(arena, pieces, count, "module_kernels", kernels.data, needs);
}

/* Adds the list of strings that make up the program's text; returns their number. */
static int add_parts(sg_arena *arena, const sg_device_program *program, size_t target,
                     const sg_instance *instance, sg_piece *pieces, size_t *count)
{
    sg_text text = sg_text_in(arena);
    int parts = 0;

    sg_text_append(&text, "static const spmv_program_part module_parts[] = {\n");
    for (size_t i = 0; i < program->part_count; i++) {
        const sg_program_part *part = &program->parts[i];
        if (!sg_section_serves(&part->text, instance))
            continue;
        sg_text_printf(&text, "    { %s, %d },\n", part->strings,
                       line_count(sg_section_text(arena, &part->text, target)));
        parts++;
    }
    sg_text_append(&text, "};");
    add_piece(arena, pieces, count, "module_parts", text.data,
              sg_arena_alloc(arena, sizeof(const char *)));
    return parts;
}

static const char *memory_of(const sg_target *target)
{
    const char *memory = sg_target_string(target, "memory");

    return !strcmp(memory, "svm")       ? "SPMV_MEMORY_SVM"
           : !strcmp(memory, "unified") ? "SPMV_MEMORY_UNIFIED"
                                        : "SPMV_MEMORY_DISCRETE";
}

static const char *extensions_of(sg_arena *arena, const sg_lowering *lowering)
{
    sg_text names = sg_text_in(arena);

    for (const char *const *name = lowering->extensions; *name; name++)
        sg_text_printf(&names, "%s%s", names.length ? " " : "", *name);
    return sg_c_string(arena, names.length ? names.data : "");
}

/* Whether modules have the text of their program as strings. */
static bool has_strings(const sg_plan *plan, const sg_lowering *lowering)
{
    return !plan->selection.program_files &&
           !(plan->selection.bundle && *lowering->bundle.program);
}

void sg_program_pieces(sg_arena *arena, const sg_device_program *program, size_t target,
                       const sg_module *module, const sg_instance *instance, sg_piece *pieces,
                       size_t *count)
{
    const sg_plan *plan = module->plan;
    const sg_variant *variant = module->variant;
    const sg_lowering *lowering = variant->lowering;
    const sg_fact *match = sg_target_fact(plan->target, "match");
    const sg_fact *capability = sg_target_fact(plan->target, "compute_capability");
    const char **needs = sg_arena_alloc(arena, 3 * sizeof *needs);
    sg_text out = sg_text_in(arena);
    int parts = 0;

    needs[0] = "module_kernels";
    add_kernels(arena, module, pieces, count);
    if (has_strings(plan, lowering)) {
        needs[1] = "module_parts";
        parts = add_parts(arena, program, target, instance, pieces, count);
    }
    sg_text_append(&out, "static const spmv_program module_program = {\n");
    sg_text_printf(&out, "    .language = \"%s\",\n", lowering->dialect);
    sg_text_printf(&out, "    .file = \"%s\",\n", variant->program_file);
    sg_text_printf(&out, "    .parts = %s,\n    .part_count = %d,\n",
                   parts ? "module_parts" : "NULL", parts);
    sg_text_printf(&out, "    .kernel_count = %zu,\n    .kernels = module_kernels,\n",
                   module->kernels.kernel_count);
    sg_text_printf(&out, "    .options = %s,\n", sg_c_string(arena, lowering->build_options));
    sg_text_printf(&out, "    .match = %s,\n",
                   sg_c_string(arena, match ? match->value.string : ""));
    sg_text_printf(&out, "    .memory = %s,\n", memory_of(plan->target));
    sg_text_printf(&out, "    .subgroup_size = %" PRId64 ",\n", subgroup_size(module));
    sg_text_printf(&out, "    .extensions = %s,\n", extensions_of(arena, lowering));
    sg_text_printf(&out, "    .capability = %" PRId64 ",\n};",
                   capability ? capability->value.integer : 0);
    add_piece(arena, pieces, count, "module_program", out.data, needs);
}
