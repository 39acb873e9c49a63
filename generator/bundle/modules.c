/* modules.c: see modules.h. Pure functions; all memory is the arena's. */
#include "generator/bundle/modules.h"

#include <stdlib.h>
#include <string.h>

#include "generator/base/text.h"
#include "generator/join/join.h"
#include "generator/assemble/module_tables.h"
#include "generator/assemble/program.h"
#include "generator/clang/expand.h"

static const sg_axis axes[SG_MODULE_AXES] = {
    { .name = "values" }, { .name = "row pointers" },
    [SG_TARGET_AXIS] = { .name = "", .of_isa = true },
    [SG_METHOD_AXIS] = { .name = "", .of_template = true },
};

typedef struct bundle {
    sg_arena *arena;
    sg_diags *diags;
    const sg_folder *folder;
    sg_module *modules;
    size_t count;
    bool has_conditions;         /* targets of several architectures */
    bool has_program;
    sg_instance *hosts;          /* by module */
    sg_joined host, program;
    sg_device_program program_text;
    sg_text out;
} bundle;

static const sg_lowering *lowering_of(const bundle *b, size_t module)
{
    return sg_lowering_of_module(b->modules[module].variant->lowering);
}

static void add_heading(bundle *b, const char *title)
{
    sg_text_printf(&b->out, "%s\n\n", sg_heading_line(b->arena, title));
}

static const sg_target *target_of(const bundle *b, size_t module)
{
    return b->modules[module].plan->target;
}

/* ---- joining ------------------------------------------------------------------------------- */

static bool join_texts(bundle *b)
{
    sg_instance *programs = sg_arena_alloc(b->arena, (b->count + 1) * sizeof *programs);

    b->hosts = sg_arena_alloc(b->arena, (b->count + 1) * sizeof *b->hosts);
    for (size_t i = 0; i < b->count; i++) {
        b->hosts[i] = sg_module_instance(&b->modules[i], &b->modules[i].spec);
        programs[i] = sg_module_instance(&b->modules[i], &b->modules[i].kernels);
    }
    return sg_join(b->arena, b->diags, axes, SG_MODULE_AXES, b->hosts, b->count, SG_COLUMNS,
                   &b->host) &&
           sg_join(b->arena, b->diags, axes, SG_MODULE_AXES, programs, b->count, SG_STRING_COLUMNS,
                   &b->program);
}

/* ---- texts of instruction sets ------------------------------------------------------------- */

/* A module of the target, or the number of modules: the section is for all targets. */
static size_t module_of(const bundle *b, const sg_section *section)
{
    size_t i = 0;

    if (!(section->axes & 1u << SG_TARGET_AXIS))
        return b->count;
    while (strcmp(target_of(b, i)->c_name, section->label[SG_TARGET_AXIS]) != 0)
        i++;
    return i;
}

/* Appends a text of the module's instruction set, under its condition. */
static void add_under_condition(bundle *b, size_t module, const char *text)
{
    const char *condition = lowering_of(b, module)->condition;
    const bool has_condition = b->has_conditions && *condition;

    if (has_condition)
        sg_text_printf(&b->out, "#if %s\n", condition);
    sg_text_append(&b->out, text);
    if (has_condition)
        sg_text_append(&b->out, "#endif\n");
}

/* Appends an error for CPUs that no target is for. */
static void add_refusal(bundle *b)
{
    sg_text conditions = sg_text_in(b->arena);

    for (size_t i = 0; i < b->count; i++) {
        const char *condition = lowering_of(b, i)->condition;
        bool again = false;
        if (!*condition)
            return;
        for (size_t k = 0; k < i; k++)
            again = again || !strcmp(lowering_of(b, k)->condition, condition);
        if (!again)
            sg_text_printf(&conditions, "%s!(%s)", i ? " && \\\n    " : "", condition);
    }
    sg_text_printf(&b->out, "#if %s\n#error \"no target of this bundle is for this CPU: %s\"\n"
                            "#endif\n\n", conditions.data, b->folder->title);
}

/* Appends the preambles, each text once. The contract is part of the bundle's own text. */
static void add_preambles(bundle *b)
{
    const char *contract = sg_arena_printf(b->arena, "#include \"%s\"\n",
                                           sg_path_base(b->folder->plans[0].contract.file));

    for (size_t i = 0; i < b->count; i++) {
        const sg_lowering *lowering = lowering_of(b, i);
        bool has_dialect = false, has_isa = !*lowering->isa_preamble;
        for (size_t k = 0; k < i; k++) {
            const sg_lowering *other = lowering_of(b, k);
            has_dialect = has_dialect ||
                          !strcmp(other->dialect_preamble, lowering->dialect_preamble);
            has_isa = has_isa || !strcmp(other->isa_preamble, lowering->isa_preamble);
        }
        if (!has_dialect) {
            const char *text = lowering->dialect_preamble, *at = strstr(text, contract);
            if (at)
                sg_text_append_bytes(&b->out, text, (size_t)(at - text));
            text = at ? at + strlen(contract) : text;
            sg_text_append(&b->out, text + strspn(text, "\n"));
        }
        if (!has_isa)
            add_under_condition(b, i, lowering->isa_preamble);
    }
}

/* Opens or closes the texts around functions of one target, where the target changes. */
static void change_target(bundle *b, size_t from, size_t to)
{
    const char *before = from < b->count ? target_of(b, from)->c_name : "";
    const char *now = to < b->count ? target_of(b, to)->c_name : "";

    if (!strcmp(before, now))
        return;
    if (from < b->count) {
        sg_text_append(&b->out, lowering_of(b, from)->end_functions);
        if (b->has_conditions && *lowering_of(b, from)->condition)
            sg_text_append(&b->out, "#endif\n\n");
    }
    if (to < b->count) {
        const char *begin = lowering_of(b, to)->begin_functions;
        if (b->has_conditions && *lowering_of(b, to)->condition)
            sg_text_printf(&b->out, "#if %s\n%s", lowering_of(b, to)->condition,
                           *begin ? "" : "\n");
        sg_text_printf(&b->out, "%s%s", begin + (*begin == '\n'), *begin ? "\n" : "");
    }
}

static void add_sections(bundle *b, const sg_joined *joined)
{
    size_t target = b->count;

    for (size_t i = 0; i < joined->section_count; i++) {
        const sg_section *section = &joined->sections[i];
        const size_t next = module_of(b, section);
        const char *title = sg_section_title(b->arena, joined, section);
        change_target(b, target, next);
        if (*title)
            sg_text_printf(&b->out, "/* ==== %s ==== */\n\n", title);
        sg_text_printf(&b->out, "%s\n", sg_section_text(b->arena, section, 0));
        target = next;
    }
    change_target(b, target, b->count);
}

/* ---- programs ------------------------------------------------------------------------------ */

static const sg_lowering *program_lowering(const bundle *b, size_t module)
{
    return b->modules[module].variant->lowering;
}

static bool has_program_file(const bundle *b)
{
    return b->has_program && *program_lowering(b, 0)->bundle.program;
}

/* One text has the programs of all modules, so they need one preamble. */
static bool make_program(bundle *b)
{
    const sg_lowering *first = program_lowering(b, 0);

    b->has_program = first->host != NULL;
    for (size_t i = 1; i < b->count && b->has_program; i++) {
        const sg_lowering *other = program_lowering(b, i);
        if (!strcmp(first->preamble, other->preamble) &&
            !strcmp(first->postamble, other->postamble))
            continue;
        sg_diag(b->diags, SG_ERROR, (sg_loc){ target_of(b, i)->pages[0].file, 0, 0 },
                "its programs need other preambles than those of target '%s'; emit two bundles "
                "with a --prefix of their own", target_of(b, 0)->name);
        return false;
    }
    if (b->has_program)
        b->program_text = sg_program_make(b->arena, &first, 1, &b->program);
    return true;
}

/* "*(const double **)argument[0], *(int *)argument[1]" */
static const char *argument_list(sg_arena *arena, const sg_spec_kernel *kernel)
{
    sg_text out = sg_text_in(arena);

    for (size_t i = 0; i < kernel->arg_count; i++) {
        const char *type = kernel->args[i].type;
        sg_text_printf(&out, "%s*(%s%s*)argument[%zu]", i ? ",\n        " : "", type,
                       sg_ends_with(type, "*") ? "" : " ", i);
    }
    return out.data;
}

/* Fills $symbol, $work_group_size and $arguments of the dialect's text. */
static const char *launcher_of(const bundle *b, const sg_module *module, size_t k)
{
    const sg_spec_kernel *kernel = &module->kernels.kernels[k];
    const char *at = module->variant->lowering->bundle.launcher;
    sg_text out = sg_text_in(b->arena);

    while (*at) {
        const size_t length = strcspn(at, "$");
        sg_text_append_bytes(&out, at, length);
        at += length;
        if (!*at)
            break;
        const size_t word = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_");
        if (!strncmp(at, "$symbol", word))
            sg_text_append(&out, module->kernel_symbols[k]);
        else if (!strncmp(at, "$work_group_size", word))
            sg_text_printf(&out, "%d", (int)sg_program_group_size(module)->value);
        else if (!strncmp(at, "$arguments", word))
            sg_text_append(&out, argument_list(b->arena, kernel));
        else
            sg_text_append_bytes(&out, at, word);
        at += word;
    }
    return out.data;
}

/* Declares and lists the functions that launch kernels; returns their definitions, which the file
 * of the programs has. */
static const char *add_launchers(bundle *b)
{
    sg_name_set symbols = { 0 };
    sg_text text = sg_text_in(b->arena);

    for (size_t i = 0; i < b->count; i++)
        for (size_t k = 0; k < b->modules[i].kernels.kernel_count; k++) {
            const char *symbol = b->modules[i].kernel_symbols[k];
            if (sg_name_set_has(&symbols, symbol))
                continue;
            sg_name_set_add(b->arena, &symbols, symbol);
            sg_text_printf(&text, "\n%s", launcher_of(b, &b->modules[i], k));
        }
    sg_text_append(&b->out, "/* ---- launching kernels ---- */\n\n"
                            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (size_t i = 0; i < symbols.count; i++)
        sg_text_printf(&b->out, "SPMV_API spmv_launch_function spmv_launch_%s;\n", symbols.name[i]);
    sg_text_append(&b->out, "#ifdef __cplusplus\n}\n#endif\n\n"
                            "static const spmv_launcher spmv_launchers[] = {\n");
    for (size_t i = 0; i < symbols.count; i++)
        sg_text_printf(&b->out, "    { \"%s\",\n      spmv_launch_%s },\n",
                       symbols.name[i], symbols.name[i]);
    sg_text_append(&b->out, "    { NULL, NULL },\n};\n\n");
    return text.data;
}

/* ---- tables -------------------------------------------------------------------------------- */

static bool add_tables(bundle *b)
{
    sg_instance *tables = sg_arena_alloc(b->arena, (b->count + 1) * sizeof *tables);
    sg_joined all;

    for (size_t i = 0; i < b->count; i++) {
        tables[i] = sg_module_instance(&b->modules[i], &b->modules[i].spec);
        sg_module_tables(b->arena, &b->modules[i], &b->host, &b->program_text, 0, &tables[i]);
    }
    if (!sg_join(b->arena, b->diags, axes, SG_MODULE_AXES, tables, b->count, SG_COLUMNS, &all))
        return false;
    add_heading(b, "the modules' tables");
    for (size_t i = 0; i < all.section_count; i++) {
        const size_t module = module_of(b, &all.sections[i]);
        const char *text = sg_arena_printf(b->arena, "%s\n",
                                           sg_section_text(b->arena, &all.sections[i], 0));
        if (module < b->count)
            add_under_condition(b, module, text);
        else
            sg_text_append(&b->out, text);
    }
    return true;
}

typedef struct ranked_module {
    size_t index;
    int64_t rank, capability;
    const char *symbol;
} ranked_module;

static ranked_module ranked_of(const bundle *b, size_t index)
{
    const sg_module *module = &b->modules[index];
    const sg_fact *capability = sg_target_fact(target_of(b, index), "compute_capability");

    return (ranked_module){ index, module->rank, capability ? capability->value.integer : 0,
                            module->variant->symbol };
}

/* Of equal ranks, the target that needs more comes first: the last that a device can run. */
static int compare_ranks(const void *a, const void *b)
{
    const ranked_module *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? 1 : -1;
    if (x->capability != y->capability)
        return x->capability < y->capability ? 1 : -1;
    return strcmp(x->symbol, y->symbol);
}

static void add_list(bundle *b)
{
    ranked_module *order = sg_arena_alloc(b->arena, (b->count + 1) * sizeof *order);

    for (size_t i = 0; i < b->count; i++)
        order[i] = ranked_of(b, i);
    qsort(order, b->count, sizeof *order, compare_ranks);
    sg_text_append(&b->out, "/* The highest rank first. */\n"
                            "static const spmv_module *const " SG_BUNDLE_TABLE "[] = {\n");
    const char *open = "";
    for (size_t i = 0; i < b->count; i++) {
        const char *condition = b->has_conditions ? lowering_of(b, order[i].index)->condition : "";
        if (strcmp(open, condition) != 0) {
            if (*open)
                sg_text_append(&b->out, "#endif\n");
            if (*condition)
                sg_text_printf(&b->out, "#if %s\n", condition);
            open = condition;
        }
        sg_text_printf(&b->out, "    &%s,\n", order[i].symbol);
    }
    sg_text_append(&b->out, *open ? "#endif\n    NULL,\n};\n" : "    NULL,\n};\n");
}

bool sg_bundle_modules(sg_arena *arena, sg_diags *diags, const sg_emission *e, sg_bundle_text *out)
{
    bundle b = { .arena = arena, .diags = diags, .folder = &e->folder, .modules = e->modules,
                 .count = e->module_count, .out = sg_text_in(arena) };

    for (size_t i = 1; i < b.count; i++)
        b.has_conditions = b.has_conditions || strcmp(lowering_of(&b, i)->condition,
                                                      lowering_of(&b, 0)->condition) != 0;
    *out = (sg_bundle_text){ .modules = NULL };
    if (!join_texts(&b) || !make_program(&b))
        return false;
    for (size_t i = 0; i < b.count; i++) {
        const sg_instance instance = sg_module_instance(&b.modules[i], &b.modules[i].spec);
        sg_module_name_kernels(arena, &b.modules[i], b.has_program ? &b.program : &b.host,
                               &instance);
    }
    add_heading(&b, "the kernels");
    if (b.has_conditions)
        add_refusal(&b);
    add_preambles(&b);
    sg_text_append(&b.out, "\n");
    add_sections(&b, &b.host);
    if (has_program_file(&b)) {
        out->program = sg_program_text(arena, &b.program_text, 0);
        out->launchers = add_launchers(&b);
    } else if (b.has_program) {
        sg_program_strings(&b.out, &b.program_text, &(sg_guards){ 0 });
    }
    if (!add_tables(&b))
        return false;
    sg_text_append(&b.out, "\n");
    add_list(&b);
    out->modules = b.out.data;
    out->host = b.host;
    out->hosts = b.hosts;
    return true;
}
