/* program.c: see program.h. Pure functions of a module; all memory is the arena's. */
#include "program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RULE_LINE "/* ---- the program ------------------------------------------------------" \
                  "---------------------- */\n"

/* As spmv_module.h has them. */
enum { MOST_KERNELS = 12, MOST_ARGUMENTS = 24 };

/* ---- checks -------------------------------------------------------------------------------- */

static const struct {
    const char *word, *enumerator;
} value_kinds[] = {
    { "i32", "SPMV_ARGUMENT_I32" },
    { "i64", "SPMV_ARGUMENT_I64" },
    { "f32", "SPMV_ARGUMENT_F32" },
    { "f64", "SPMV_ARGUMENT_F64" },
};

/* NULL for a value that cannot be passed. */
static const char *argument_kind(const sg_spec_arg *arg)
{
    if (!strcmp(arg->access, "read"))
        return "SPMV_ARGUMENT_READ";
    if (strcmp(arg->access, "value"))
        return "SPMV_ARGUMENT_READ_WRITE";
    for (size_t i = 0; i < sizeof value_kinds / sizeof value_kinds[0]; i++)
        if (!strcmp(arg->word, value_kinds[i].word))
            return value_kinds[i].enumerator;
    return NULL;
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

/* An instruction set that needs extensions has the words of subgroups: a text that asks the device
 * for them has to use them. */
static void check_subgroups(sg_diags *diags, const sg_module *module)
{
    const sg_param *size = find_param(module, SG_SUBGROUP_SIZE);

    if (*module->variant->lowering->extensions && size && size->value <= 1)
        sg_diag(diags, SG_ERROR, size->blame.file ? size->blame : size->origin,
                "%s is %" PRId64 ", but instruction set '%s' is for subgroups; expected "
                "subgroups = true, or isa = \"\"", size->decl->name, size->value,
                module->variant->lowering->isa);
}

bool sg_program_check(sg_diags *diags, const sg_module *module)
{
    const sg_variant *variant = module->variant;
    const size_t errors = sg_diags_error_count(diags);
    char file[512];
    const sg_loc loc = { file, 0, 0 };

    snprintf(file, sizeof file, "%s/%s.c", variant->method->dir, variant->lowering->form);
    if (!sg_program_group_size(module))
        sg_diag(diags, SG_ERROR, loc, "%s/params.lua declares no parameter 'work_group_size', which "
                "says how many work-items a work-group of these kernels has", variant->method->dir);
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
                sg_diag(diags, SG_ERROR, loc, "argument '%s' of kernel '%s' is a value that cannot be "
                        "passed; expected a pointer, i32, i64, real, f32 or f64",
                        kernel->args[i].name, kernel->name);
    }
    return sg_diags_error_count(diags) == errors;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Without its banner, as the module embeds it. */
static const char *text_of(sg_arena *arena, const sg_module *module)
{
    const sg_lowering *lowering = module->variant->lowering;

    return sg_arena_printf(arena, "%s\n%s%s", lowering->preamble, module->kernels.text,
                           lowering->postamble);
}

sg_output sg_program_make(sg_arena *arena, const sg_plan *plan, const sg_module *module)
{
    sg_text text = sg_text_in(arena);

    sg_module_banner(&text, plan, module, module->variant->program_file);
    sg_text_printf(&text, " *\n * %s embeds this text, without this comment.\n */\n",
                   module->variant->file);
    sg_text_append(&text, text_of(arena, module));
    return sg_output_make(module->variant->program_file, text.data, text.length);
}

/* ---- the module's tables ------------------------------------------------------------------- */

static int embed_lines(sg_text *out, const char *text)
{
    int lines = 0;

    sg_text_append(out, "static const char *const module_text[] = {\n");
    for (const char *at = text; *at; lines++) {
        const char *end = strchr(at, '\n');
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        const char *line = sg_arena_printf(out->arena, "%.*s", (int)length, at);
        const char *quoted = sg_c_string(out->arena, line);
        sg_text_printf(out, "    %.*s\\n\",\n", (int)strlen(quoted) - 1, quoted);
        at += length + (end != NULL);
    }
    sg_text_append(out, "};\n\n");
    return lines;
}

static void kernels_table(sg_text *out, const sg_module *module)
{
    const sg_spec_output *spec = &module->kernels;

    for (size_t k = 0; k < spec->kernel_count; k++) {
        const sg_spec_kernel *kernel = &spec->kernels[k];
        if (!kernel->arg_count)
            continue;
        sg_text_printf(out, "static const spmv_argument %s_arguments[] = {\n", kernel->name);
        for (size_t i = 0; i < kernel->arg_count; i++)
            sg_text_printf(out, "    { \"%s\", %s },\n", kernel->args[i].name,
                           argument_kind(&kernel->args[i]));
        sg_text_append(out, "};\n\n");
    }
    sg_text_append(out, "static const spmv_kernel module_kernels[] = {\n");
    for (size_t k = 0; k < spec->kernel_count; k++) {
        const sg_spec_kernel *kernel = &spec->kernels[k];
        sg_text_printf(out, "    {\n        .name = \"%s\",\n        .work_group_size = %" PRId64 ",\n"
                       "        .local_bytes = %" PRId64 ",\n        .argument_count = %zu,\n",
                       kernel->name, sg_program_group_size(module)->value, kernel->local_bytes,
                       kernel->arg_count);
        sg_text_printf(out, kernel->arg_count ? "        .arguments = %s_arguments,\n    },\n"
                                              : "        .arguments = NULL,\n    },\n",
                       kernel->name);
    }
    sg_text_append(out, "};\n\n");
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

void sg_program_table(sg_text *out, const sg_plan *plan, const sg_module *module)
{
    const sg_variant *variant = module->variant;
    const sg_fact *match = sg_target_fact(plan->target, "match");
    const sg_fact *capability = sg_target_fact(plan->target, "compute_capability");

    sg_text_append(out, RULE_LINE "\n");
    kernels_table(out, module);
    sg_text_printf(out, "/* The text of %s. */\n", variant->program_file);
    const int lines = embed_lines(out, text_of(out->arena, module));
    sg_text_append(out, "static const spmv_program module_program = {\n");
    sg_text_printf(out, "    .language = \"%s\",\n", variant->lowering->dialect);
    sg_text_printf(out, "    .file = \"%s\",\n", variant->program_file);
    sg_text_printf(out, "    .text = module_text,\n    .line_count = %d,\n", lines);
    sg_text_printf(out, "    .kernel_count = %zu,\n    .kernels = module_kernels,\n",
                   module->kernels.kernel_count);
    sg_text_printf(out, "    .options = %s,\n",
                   sg_c_string(out->arena, variant->lowering->build_options));
    sg_text_printf(out, "    .match = %s,\n",
                   sg_c_string(out->arena, match ? match->value.string : ""));
    sg_text_printf(out, "    .memory = %s,\n", memory_of(plan->target));
    sg_text_printf(out, "    .subgroup_size = %" PRId64 ",\n", subgroup_size(module));
    sg_text_printf(out, "    .extensions = %s,\n", extensions_of(out->arena, variant->lowering));
    sg_text_printf(out, "    .capability = %" PRId64 ",\n};\n\n",
                   capability ? capability->value.integer : 0);
}
