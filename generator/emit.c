/* emit.c: all files of one target. A worker of the crew makes a variant's module in an arena of the
 * variant's own, so that threads share nothing but the constant plan; what a worker makes does not
 * depend on which worker makes it. */
#include "emit.h"

#include <string.h>

#include "crew.h"
#include "hash.h"
#include "manifest.h"

/* ---- modules ------------------------------------------------------------------------------- */

/* What the workers fill, by variant. */
typedef struct making {
    const sg_plan *plan;
    sg_arena **arenas;
    sg_module *modules;
    bool *made;
} making;

/* A failure is only noted: the caller makes the module once more to report it in order. */
static void make_one(void *context, size_t i)
{
    making *m = context;
    sg_diags *diags = sg_diags_create(m->plan->catalog->root);

    m->made[i] = sg_module_make(m->arenas[i], diags, m->plan, &m->plan->variants[i],
                                &m->modules[i]);
    sg_diags_destroy(diags);
}

static bool make_modules(sg_arena *arena, sg_diags *diags, const sg_plan *plan, int jobs,
                         sg_emission *out)
{
    const size_t count = plan->variant_count;
    const size_t errors = sg_diags_error_count(diags);
    making m = { .plan = plan };

    m.arenas = sg_arena_alloc(arena, count * sizeof *m.arenas);
    m.modules = sg_arena_alloc(arena, count * sizeof *m.modules);
    m.made = sg_arena_alloc(arena, count * sizeof *m.made);
    for (size_t i = 0; i < count; i++)
        m.arenas[i] = sg_arena_create();
    out->arenas = m.arenas;
    out->arena_count = count;
    out->modules = m.modules;
    out->module_count = count;
    sg_crew_run(jobs, count, make_one, &m);

    bool good = true;
    for (size_t i = 0; i < count; i++)
        if (!m.made[i])
            good = sg_module_make(m.arenas[i], diags, plan, &plan->variants[i], &m.modules[i]) &&
                   good;
    return good && sg_diags_error_count(diags) == errors;
}

/* ---- values without effect ------------------------------------------------------------------ */

/* Is parameter `index` of the module's method stated by that line of a page? */
static bool is_stated_at(const sg_module *module, const sg_method *method, size_t index, sg_loc line)
{
    const sg_param *param = &module->variant->params.param[index];

    return module->variant->method == method && param->from_page &&
           !strcmp(param->origin.file, line.file) && param->origin.line == line.line;
}

/* Did the line's value take part in one of the modules, or in a value that was derived from it? Looks
 * from module `first` on; *is_first: no module before has it. */
static bool has_effect(const sg_emission *e, size_t first, size_t index, bool *is_first)
{
    const sg_method *method = e->modules[first].variant->method;
    const sg_param *stated = &e->modules[first].variant->params.param[index];
    bool has = false;

    *is_first = true;
    for (size_t m = 0; m < e->module_count; m++) {
        const sg_module *module = &e->modules[m];
        if (!is_stated_at(module, method, index, stated->origin))
            continue;
        *is_first = *is_first && m >= first;
        has = has || module->variant->params.param[index].is_read || module->spec.used[index] ||
              (module->kernels.used && module->kernels.used[index]);
    }
    return has;
}

/* Whoever tunes a value must learn that it does nothing. */
static void warn_of_idle_values(sg_diags *diags, const char *target, const sg_emission *e)
{
    for (size_t m = 0; m < e->module_count; m++) {
        const sg_variant *variant = e->modules[m].variant;
        for (size_t i = 0; i < variant->params.count; i++) {
            const sg_param *param = &variant->params.param[i];
            bool is_first;
            if (param->from_page && !has_effect(e, m, i, &is_first) && is_first)
                sg_diag(diags, SG_WARNING, param->origin,
                        "%s.%s has no effect on what is emitted for '%s'", variant->method->name,
                        param->decl->name, target);
        }
    }
}

/* ---- table of modules ---------------------------------------------------------------------- */

static void table_header(sg_text *out, const sg_plan *plan, const char *file)
{
    const char *c_name = plan->target->c_name;

    sg_banner_open(out, plan, file,
                   sg_arena_printf(out->arena, "the modules for target %s", plan->target->name));
    sg_text_printf(out,
                   " * spmv_modules__%s lists them all and ends with NULL; spmv_module.h says\n"
                   " * how one is run.\n"
                   " */\n"
                   "#ifndef SPMV_MODULES__%s_H\n"
                   "#define SPMV_MODULES__%s_H\n"
                   "\n"
                   "#include \"spmv_module.h\"\n"
                   "\n"
                   "#ifdef __cplusplus\n"
                   "extern \"C\" {\n"
                   "#endif\n"
                   "\n", c_name, c_name, c_name);
    for (size_t i = 0; i < plan->variant_count; i++)
        sg_text_printf(out, "extern const spmv_module %s;\n", plan->variants[i].symbol);
    sg_text_printf(out,
                   "\n"
                   "extern const spmv_module *const spmv_modules__%s[];\n"
                   "\n"
                   "#ifdef __cplusplus\n"
                   "}\n"
                   "#endif\n"
                   "#endif\n", c_name);
}

static void table_entries(sg_text *out, const sg_plan *plan, const char *name)
{
    sg_text_printf(out, "const spmv_module *const %s[] = {\n", name);
    for (size_t i = 0; i < plan->variant_count; i++)
        sg_text_printf(out, "    &%s,\n", plan->variants[i].symbol);
    sg_text_append(out, "    NULL,\n};\n");
}

static void table_source(sg_text *out, const sg_plan *plan, const char *file, const char *header)
{
    const char *name = sg_arena_printf(out->arena, "spmv_modules__%s", plan->target->c_name);

    sg_banner_open(out, plan, file,
                   sg_arena_printf(out->arena, "the table of modules for target %s",
                                   plan->target->name));
    sg_text_printf(out,
                   " * Compile with SPMV_MODULE_TABLE_EXPORT defined for a shared object of modules:\n"
                   " * spmv_device_load_modules looks for the name spmv_module_table.\n"
                   " */\n"
                   "#include \"%s\"\n"
                   "\n", header);
    table_entries(out, plan, name);
    sg_text_append(out,
                   "\n"
                   "#ifdef SPMV_MODULE_TABLE_EXPORT\n"
                   "#if defined(__GNUC__)\n"
                   "__attribute__((visibility(\"default\")))\n"
                   "#endif\n"
                   "extern const spmv_module *const spmv_module_table[];\n");
    table_entries(out, plan, "spmv_module_table");
    sg_text_append(out, "#endif\n");
}

/* ---- the whole target ---------------------------------------------------------------------- */

/* Programs, each in full: they include nothing. */
static bool parse_programs(sg_diags *diags, const sg_plan *plan, const sg_emission *e)
{
    sg_parse_file *files = sg_arena_alloc(e->arenas[0], e->module_count * sizeof *files);

    for (size_t i = 0; i < e->module_count; i++)
        files[i] = (sg_parse_file){ e->modules[i].program.name, e->modules[i].program.text };
    return sg_reparse(diags, plan->variants[0].lowering, files, e->module_count, NULL, 0);
}

static bool parse_modules(sg_diags *diags, const sg_plan *plan, const sg_emission *e,
                          const sg_output *source, const sg_output *header)
{
    const sg_lowering *lowering = plan->variants[0].lowering;
    sg_parse_file *files = sg_arena_alloc(e->arenas[0], (e->module_count + 1) * sizeof *files);
    const sg_parse_file headers[] = {
        { sg_path_base(plan->contract.file), plan->contract_text },
        { header->name, header->text },
    };

    for (size_t i = 0; i < e->module_count; i++)
        files[i] = (sg_parse_file){ e->modules[i].output.name, e->modules[i].output.text };
    files[e->module_count] = (sg_parse_file){ source->name, source->text };
    return sg_reparse(diags, sg_lowering_of_module(lowering), files, e->module_count + 1, headers,
                      sizeof headers / sizeof headers[0]);
}

static bool parse_again(sg_diags *diags, const sg_plan *plan, const sg_emission *e,
                        const sg_output *source, const sg_output *header)
{
    if ((!plan->variants[0].lowering->host || parse_programs(diags, plan, e)) &&
        parse_modules(diags, plan, e, source, header))
        return true;
    sg_diag(diags, SG_NOTE, (sg_loc){ 0 }, "these are lines of emitted text, which was not "
            "written: a template or a table of targets/dialects or targets/isa makes it wrong; "
            "a word that a table leaves out keeps the prelude's body, which suits the prelude's own "
            "types");
    return false;
}

static void collect_inputs(sg_arena *arena, const sg_plan *plan, sg_emission *e)
{
    size_t most = plan->input_count, count = 0;

    for (size_t i = 0; i < e->module_count; i++)
        most += e->modules[i].input_count;
    sg_page *pages = sg_arena_alloc(arena, most * sizeof *pages);
    for (size_t i = 0; i < plan->input_count; i++)
        pages[count++] = plan->inputs[i];
    for (size_t i = 0; i < e->module_count; i++)
        for (size_t k = 0; k < e->modules[i].input_count; k++)
            pages[count++] = e->modules[i].inputs[k];
    e->inputs = pages;
    e->input_count = sg_pages_sort(pages, count);
}

static sg_output finish(const char *file, const sg_text *text)
{
    return sg_output_make(file, text->data, text->length);
}

bool sg_emit(sg_arena *arena, sg_diags *diags, const sg_plan *plan, int jobs, sg_emission *out)
{
    const char *c_name = plan->target->c_name;
    const char *header_name = sg_arena_printf(arena, "spmv_modules__%s.h", c_name);
    const char *source_name = sg_arena_printf(arena, "spmv_modules__%s.c", c_name);
    sg_text header = sg_text_in(arena), source = sg_text_in(arena), manifest = sg_text_in(arena);

    *out = (sg_emission){ 0 };
    if (!make_modules(arena, diags, plan, jobs, out))
        goto failed;

    table_header(&header, plan, header_name);
    table_source(&source, plan, source_name, header_name);
    const bool has_programs = plan->variants[0].lowering->host != NULL;
    const size_t count = out->module_count * (has_programs ? 2 : 1) + 4;
    sg_output *outputs = sg_arena_alloc(arena, count * sizeof *outputs);
    for (size_t i = 0, used = 0; i < out->module_count; i++) {
        outputs[used++] = out->modules[i].output;
        if (has_programs)
            outputs[used++] = out->modules[i].program;
    }
    outputs[count - 4] = sg_output_make(sg_path_base(plan->contract.file), plan->contract_text,
                                        plan->contract_length);
    outputs[count - 3] = finish(source_name, &source);
    outputs[count - 2] = finish(header_name, &header);
    if (!parse_again(diags, plan, out, &outputs[count - 3], &outputs[count - 2]))
        goto failed;
    warn_of_idle_values(diags, plan->target->name, out);
    sg_plan_warn_of_idle_set(diags, plan);

    collect_inputs(arena, plan, out);
    out->outputs = outputs;
    out->output_count = count - 1;
    sg_manifest_write(&manifest, plan, out);
    outputs[count - 1] = finish(SG_MANIFEST_NAME, &manifest);
    out->output_count = count;
    return true;

failed:
    sg_emission_free(out);
    return false;
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
    if (!emission)
        return;
    for (size_t i = 0; i < emission->arena_count; i++)
        sg_arena_destroy(emission->arenas[i]);
    *emission = (sg_emission){ 0 };
}
