/* emit.c: makes all files of one folder. A thread of the pool makes a variant's module, or a
 * method's file, in an arena of its own, so that threads share nothing but constant plans. The
 * result does not depend on the thread. */
#include "generator/emit/emit.h"

#include <stdlib.h>
#include <string.h>

#include "generator/assemble/banner.h"
#include "generator/bundle/bundle.h"
#include "generator/base/thread_pool.h"
#include "generator/base/hash.h"
#include "generator/clang/specialise.h"
#include "generator/assemble/manifest_write.h"
#include "generator/assemble/program.h"

/* ---- modules and sources ------------------------------------------------------------------- */

/* The results of the threads: a module for each variant, then a source for each family. */
typedef struct making {
    const char *root;
    sg_arena **arenas;           /* by module, then by source */
    const sg_plan **plan_of;     /* by module, then by source */
    sg_module *modules;
    const sg_variant **variants; /* by module */
    size_t module_count;
    sg_source *sources;
    const sg_family **families;  /* by source */
    size_t *first_of;            /* by source: its first module */
    size_t source_count;
    bool *made;                  /* by module or by source */
} making;

static bool make_module(making *m, size_t i, sg_diags *diags)
{
    return sg_module_make(m->arenas[i], diags, m->plan_of[i], m->variants[i], &m->modules[i]) &&
           sg_program_check(m->arenas[i], diags, &m->modules[i]);
}

static bool make_source(making *m, size_t i, sg_diags *diags)
{
    const size_t k = m->module_count + i;

    return sg_source_make(m->arenas[k], diags, m->plan_of[k], m->families[i],
                          &m->modules[m->first_of[i]], &m->sources[i]);
}

/* Drops the errors of a failure: run_makers makes the module again, to report in a fixed order. */
static void try_module(void *context, size_t i)
{
    making *m = context;
    sg_diags *silent = sg_diags_create(m->root);

    m->made[i] = make_module(m, i, silent);
    sg_diags_destroy(silent);
}

static void try_source(void *context, size_t i)
{
    making *m = context;
    sg_diags *silent = sg_diags_create(m->root);

    m->made[i] = make_source(m, i, silent);
    sg_diags_destroy(silent);
}

static bool run_makers(making *m, sg_diags *diags, int jobs, size_t count,
                       void (*try_one)(void *, size_t), bool (*make)(making *, size_t, sg_diags *))
{
    const size_t errors = sg_diags_error_count(diags);
    bool good = true;

    sg_thread_pool_run(jobs, count, try_one, m);
    for (size_t i = 0; i < count; i++)
        if (!m->made[i])
            good = make(m, i, diags) && good;
    return good && sg_diags_error_count(diags) == errors;
}

static void list_work(sg_arena *arena, const sg_folder *folder, making *m)
{
    size_t variants = 0, families = 0;

    for (size_t p = 0; p < folder->plan_count; p++) {
        variants += folder->plans[p].variant_count;
        families += folder->plans[p].family_count;
    }
    m->arenas = sg_arena_alloc(arena, (variants + families) * sizeof *m->arenas);
    m->plan_of = sg_arena_alloc(arena, (variants + families) * sizeof *m->plan_of);
    m->modules = sg_arena_alloc(arena, variants * sizeof *m->modules);
    m->variants = sg_arena_alloc(arena, variants * sizeof *m->variants);
    m->sources = sg_arena_alloc(arena, families * sizeof *m->sources);
    m->families = sg_arena_alloc(arena, families * sizeof *m->families);
    m->first_of = sg_arena_alloc(arena, families * sizeof *m->first_of);
    m->made = sg_arena_alloc(arena, (variants + families) * sizeof *m->made);
    for (size_t i = 0; i < variants + families; i++)
        m->arenas[i] = sg_arena_create();
    for (size_t p = 0; p < folder->plan_count; p++) {
        const sg_plan *plan = &folder->plans[p];
        for (size_t f = 0; f < plan->family_count; f++) {
            const sg_family *family = &plan->families[f];
            m->first_of[m->source_count] = m->module_count;
            m->families[m->source_count] = family;
            m->plan_of[variants + m->source_count++] = plan;
            for (size_t v = 0; v < family->variant_count; v++) {
                m->variants[m->module_count] = &family->variants[v];
                m->plan_of[m->module_count++] = plan;
            }
        }
    }
}

static bool make_sources(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *out)
{
    making m = { .root = out->folder.plans[0].catalog->root };

    list_work(arena, &out->folder, &m);
    out->arenas = m.arenas;
    out->arena_count = m.module_count + m.source_count;
    out->modules = m.modules;
    out->module_count = m.module_count;
    out->sources = m.sources;
    out->source_count = m.source_count;
    return run_makers(&m, diags, jobs, m.module_count, try_module, make_module) &&
           run_makers(&m, diags, jobs, m.source_count, try_source, make_source);
}

/* ---- values without effect ------------------------------------------------------------------ */

/* True if the module is of `method`, and `line` of a page states its parameter `index`. */
static bool is_stated_at(const sg_module *module, const sg_method *method, size_t index,
                         sg_loc line)
{
    const sg_param *param = &module->variant->params.param[index];

    return module->variant->method == method && param->from_page &&
           !strcmp(param->origin.file, line.file) && param->origin.line == line.line;
}

/* True if the line that states a parameter of module `first` affects any module, or a value derived
 * from it. *is_first: no module before `first` has the line's value. */
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

/* Warns of stated values without effect: a user would tune them in vain. */
static void warn_of_idle_values(sg_diags *diags, const sg_emission *e)
{
    for (size_t m = 0; m < e->module_count; m++) {
        const sg_variant *variant = e->modules[m].variant;
        for (size_t i = 0; i < variant->params.count; i++) {
            const sg_param *param = &variant->params.param[i];
            bool is_first;
            if (param->from_page && !has_effect(e, m, i, &is_first) && is_first)
                sg_diag(diags, SG_WARNING, param->origin,
                        "%s.%s has no effect on what is emitted for '%s'", variant->method->name,
                        param->decl->name, e->folder.title);
        }
    }
}

/* ---- table of modules ---------------------------------------------------------------------- */

static int compare_modules(const void *a, const void *b)
{
    const sg_module *x = *(const sg_module *const *)a, *y = *(const sg_module *const *)b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? 1 : -1;
    return strcmp(x->variant->symbol, y->variant->symbol);
}

/* The highest rank first: the first usable module of a method and types is the best. */
static const sg_module **by_rank(sg_arena *arena, const sg_emission *e)
{
    const sg_module **modules = sg_arena_alloc(arena, e->module_count * sizeof *modules);

    for (size_t i = 0; i < e->module_count; i++)
        modules[i] = &e->modules[i];
    qsort(modules, e->module_count, sizeof *modules, compare_modules);
    return modules;
}

static const char *command_lines(sg_arena *arena, const sg_folder *folder)
{
    sg_text text = sg_text_in(arena);

    for (const char *const *command = folder->commands; *command; command++)
        sg_text_printf(&text, "%s%s", text.length ? "\n *     " : "",
                       sg_in_comment(arena, *command));
    return text.data;
}

static void table_banner(sg_text *out, const sg_emission *e, const char *file, const char *what)
{
    sg_banner_open(out, file, sg_arena_printf(out->arena, "%s for %s", what, e->folder.title),
                   command_lines(out->arena, &e->folder));
}

/* The include guard is the table's name, not in capitals, and _H. */
static void table_header(sg_text *out, const sg_emission *e, const sg_module *const *modules,
                         const char *file)
{
    const char *table = e->folder.table;

    table_banner(out, e, file, "the modules");
    sg_text_printf(out,
                   " * %s has all modules, the highest rank first, then NULL: the first\n"
                   " * usable() one of a method and of types is the best. spmv_module.h says how "
                   "to run\n"
                   " * one.\n"
                   " */\n"
                   "#ifndef %s_H\n"
                   "#define %s_H\n"
                   "\n"
                   "#include \"spmv_module.h\"\n"
                   "\n"
                   "#ifdef __cplusplus\n"
                   "extern \"C\" {\n"
                   "#endif\n"
                   "\n", table, table, table);
    for (size_t i = 0; i < e->module_count; i++)
        sg_text_printf(out, "extern const spmv_module %s;\n", modules[i]->variant->symbol);
    sg_text_printf(out,
                   "\n"
                   "extern const spmv_module *const %s[];\n"
                   "\n"
                   "#ifdef __cplusplus\n"
                   "}\n"
                   "#endif\n"
                   "#endif\n", table);
}

static void table_entries(sg_text *out, const sg_emission *e, const sg_module *const *modules,
                          const char *name)
{
    sg_text_printf(out, "const spmv_module *const %s[] = {\n", name);
    for (size_t i = 0; i < e->module_count; i++)
        sg_text_printf(out, "    &%s,\n", modules[i]->variant->symbol);
    sg_text_append(out, "    NULL,\n};\n");
}

static void table_source(sg_text *out, const sg_emission *e, const sg_module *const *modules,
                         const char *file, const char *header)
{
    table_banner(out, e, file, "the table of modules");
    sg_text_printf(out,
                   " * Compile with SPMV_MODULE_TABLE_EXPORT defined for a shared object of "
                   "modules:\n"
                   " * spmv_device_load_modules looks for the name spmv_module_table.\n"
                   " */\n"
                   "#include \"%s\"\n"
                   "\n", header);
    table_entries(out, e, modules, e->folder.table);
    sg_text_append(out,
                   "\n"
                   "#ifdef SPMV_MODULE_TABLE_EXPORT\n"
                   "#if defined(__GNUC__)\n"
                   "__attribute__((visibility(\"default\")))\n"
                   "#endif\n"
                   "extern const spmv_module *const spmv_module_table[];\n");
    table_entries(out, e, modules, "spmv_module_table");
    sg_text_append(out, "#endif\n");
}

/* ---- the whole folder ---------------------------------------------------------------------- */

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

static bool parse_modules(sg_diags *diags, const sg_plan *plan, const sg_emission *e,
                          const sg_output *source, const sg_output *header)
{
    const sg_lowering *lowering = plan->variants[0].lowering;
    sg_parse_file *files = sg_arena_alloc(e->arenas[0], (e->source_count + 1) * sizeof *files);
    const sg_parse_file headers[] = {
        { sg_path_base(plan->contract.file), plan->contract_text },
        { header->name, header->text },
    };
    size_t count = 0;

    for (size_t i = 0; i < e->source_count; i++)
        if (e->sources[i].plan == plan)
            files[count++] = (sg_parse_file){ e->sources[i].output.name,
                                              e->sources[i].output.text };
    if (plan == e->folder.plans)
        files[count++] = (sg_parse_file){ source->name, source->text };
    return sg_reparse(diags, sg_lowering_of_module(lowering), files, count, headers,
                      sizeof headers / sizeof headers[0]);
}

static bool parse_again(sg_diags *diags, const sg_emission *e, const sg_output *source,
                        const sg_output *header)
{
    bool good = true;

    for (size_t p = 0; p < e->folder.plan_count && good; p++) {
        const sg_plan *plan = &e->folder.plans[p];
        good = (!plan->variants[0].lowering->host || parse_programs(diags, plan, e)) &&
               parse_modules(diags, plan, e, source, header);
    }
    if (!good)
        sg_diag(diags, SG_NOTE, (sg_loc){ 0 }, "these are lines of emitted text, which was not "
                "written: a template or a table of targets/dialects or targets/isa makes it wrong; "
                "a word that a table leaves out keeps the prelude's body, which suits the "
                "prelude's own types");
    return good;
}

static void collect_inputs(sg_arena *arena, sg_emission *e)
{
    size_t most = 0, count = 0;

    for (size_t p = 0; p < e->folder.plan_count; p++)
        most += e->folder.plans[p].input_count;
    for (size_t i = 0; i < e->source_count; i++)
        most += e->sources[i].input_count;
    sg_input *pages = sg_arena_alloc(arena, most * sizeof *pages);
    for (size_t p = 0; p < e->folder.plan_count; p++)
        for (size_t i = 0; i < e->folder.plans[p].input_count; i++)
            pages[count++] = e->folder.plans[p].inputs[i];
    for (size_t i = 0; i < e->source_count; i++)
        for (size_t k = 0; k < e->sources[i].input_count; k++)
            pages[count++] = e->sources[i].inputs[k];
    e->inputs = pages;
    e->input_count = sg_inputs_sort(pages, count);
}

static void sort_inputs(sg_arena *arena, sg_emission *e)
{
    sg_input *inputs = sg_arena_alloc(arena, (e->input_count + 1) * sizeof *inputs);

    for (size_t i = 0; i < e->input_count; i++)
        inputs[i] = e->inputs[i];
    e->input_count = sg_inputs_sort(inputs, e->input_count);
    e->inputs = inputs;
}

static sg_output finish(const char *file, const sg_text *text)
{
    return sg_output_make(file, text->data, text->length);
}

bool sg_emit(sg_arena *arena, sg_diags *diags, const sg_folder *folder, int jobs, sg_emission *out)
{
    const sg_plan *first = &folder->plans[0];
    const char *header_name = sg_arena_printf(arena, "%s.h", folder->table);
    const char *source_name = sg_arena_printf(arena, "%s.c", folder->table);
    sg_text header = sg_text_in(arena), source = sg_text_in(arena), manifest = sg_text_in(arena);
    size_t count = 0;

    *out = (sg_emission){ .folder = *folder };
    if (!make_sources(arena, diags, jobs, out))
        goto failed;

    const sg_module **modules = by_rank(arena, out);
    table_header(&header, out, modules, header_name);
    table_source(&source, out, modules, source_name, header_name);
    const sg_output table = finish(source_name, &source), table_h = finish(header_name, &header);
    if (!parse_again(diags, out, &table, &table_h))
        goto failed;
    warn_of_idle_values(diags, out);
    for (size_t p = 0; p < folder->plan_count; p++)
        sg_plan_warn_of_idle_set(diags, &folder->plans[p]);

    sg_output *outputs = sg_arena_alloc(arena, (2 * out->source_count + 4 + SG_BUNDLE_FILES) *
                                                   sizeof *outputs);
    collect_inputs(arena, out);
    if (first->selection.bundle) {
        if (!sg_bundle_make(arena, diags, folder, out->modules, out->module_count, outputs, &count,
                            &out->inputs, &out->input_count))
            goto failed;
        sort_inputs(arena, out);
    } else {
        for (size_t i = 0; i < out->source_count; i++) {
            const sg_source *s = &out->sources[i];
            outputs[count++] = s->output;
            if (s->writes_program)
                outputs[count++] = s->program;
        }
        outputs[count++] = sg_output_make(sg_path_base(first->contract.file), first->contract_text,
                                          first->contract_length);
        outputs[count++] = table;
        outputs[count++] = table_h;
    }
    out->outputs = outputs;
    out->output_count = count;
    sg_manifest_write(&manifest, out);
    outputs[count++] = finish(SG_MANIFEST_NAME, &manifest);
    out->output_count = count;
    return true;

failed:
    sg_emission_free(out);
    return false;
}
