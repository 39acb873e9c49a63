/* verify.c: see verify.h. Threads of the pool compile texts, each with an arena of its own; the
 * caller's thread does all else, in the order of targets and variants. */
#include "generator/verify/verify.h"

#include <inttypes.h>
#include <string.h>

#include "generator/verify/subprocess.h"
#include "generator/base/thread_pool.h"
#include "generator/assemble/program.h"
#include "generator/verify/kernel_resources.h"

/* A text to compile. Several programs may have it below their banners. */
typedef struct program_text {
    const sg_compiler *compiler;
    const char *device;
    const sg_source *source;
    sg_arena *arena;
    sg_compiled status;
    const char *output;          /* of the compiler */
} program_text;

typedef struct target_check {
    const sg_emission *emission;
    const sg_plan *plan;         /* its only one */
    const sg_compiler *compiler; /* NULL: the target cannot be verified */
    const char *device;
    size_t *text_of;             /* by source: the index of its text */
} target_check;

typedef struct verify_run {
    sg_arena *arena;
    sg_diags *diags;
    const char *root;
    target_check *targets;
    size_t target_count;
    program_text *texts;
    size_t text_count;
    sg_text *report;
    sg_verified worst;
} verify_run;

static void worsen(verify_run *v, sg_verified verdict)
{
    if (v->worst != SG_NOT_VERIFIED && verdict != SG_VERIFIED)
        v->worst = verdict;
}

/* ---- texts to compile ---------------------------------------------------------------------- */

static const sg_lowering *lowering_of(const sg_source *source)
{
    return source->family->variants[0].lowering;
}

static bool is_text_of(const program_text *text, const target_check *t, const sg_source *source)
{
    return !strcmp(text->compiler->name, t->compiler->name) && !strcmp(text->device, t->device) &&
           !strcmp(text->source->program_text, source->program_text) &&
           !strcmp(lowering_of(text->source)->build_options, lowering_of(source)->build_options);
}

/* Adds a target's texts; equal texts, also of several targets, are added once. */
static void add_texts(verify_run *v, target_check *t)
{
    if (!t->compiler)
        return;
    t->text_of = sg_arena_alloc(v->arena, (t->emission->source_count + 1) * sizeof *t->text_of);
    v->texts = sg_arena_grow(v->arena, v->texts, v->text_count,
                             v->text_count + t->emission->source_count, sizeof *v->texts);
    for (size_t m = 0; m < t->emission->source_count; m++) {
        const sg_source *source = &t->emission->sources[m];
        size_t i = 0;
        while (i < v->text_count && !is_text_of(&v->texts[i], t, source))
            i++;
        t->text_of[m] = i;
        if (i == v->text_count)
            v->texts[v->text_count++] = (program_text){ .compiler = t->compiler,
                                                        .device = t->device, .source = source };
    }
}

/* ---- compiling ----------------------------------------------------------------------------- */

static sg_compiled compile(program_text *text, sg_diags *diags)
{
    const sg_compiler *compiler = text->compiler;
    const sg_lowering *lowering = lowering_of(text->source);
    const sg_parse_file unit = { text->source->program.name, text->source->program.text };
    sg_text output = sg_text_in(text->arena);
    const sg_compile_input input = {
        .unit = unit,
        .language = lowering->parse_language,
        .prefix = *compiler->prefix ? compiler->prefix : lowering->parse_prefix,
        .prefix_file = *compiler->prefix ? compiler->page.file : lowering->files[0].file,
        .args = compiler->clang,
    };

    const sg_compiled status = compiler->clang
                                   ? sg_compile(diags, &input, &output)
                                   : sg_subprocess_compile(text->arena, diags, compiler, &unit,
                                                           &output);
    text->output = output.data;
    return status;
}

/* Drops the errors of a failure: compile_all compiles the text again, to report in order. */
static void compile_one(void *context, size_t i)
{
    verify_run *v = context;
    sg_diags *silent = sg_diags_create(v->root);

    v->texts[i].status = compile(&v->texts[i], silent);
    sg_diags_destroy(silent);
}

static void compile_all(verify_run *v, int jobs)
{
    for (size_t i = 0; i < v->text_count; i++)
        v->texts[i].arena = sg_arena_create();
    sg_thread_pool_run(jobs, v->text_count, compile_one, v);

    const char *missing = "";    /* the compiler already reported as missing */
    for (size_t i = 0; i < v->text_count; i++) {
        program_text *text = &v->texts[i];
        if (text->status == SG_COMPILED ||
            (text->status == SG_NO_COMPILER && !strcmp(missing, text->compiler->name)))
            continue;
        text->status = compile(text, v->diags);
        if (text->status == SG_NO_COMPILER)
            missing = text->compiler->name;
        worsen(v, text->status == SG_NOT_COMPILED  ? SG_NOT_VERIFIED
                  : text->status == SG_NO_COMPILER ? SG_NOT_VERIFIABLE
                                                   : SG_VERIFIED);
    }
}

/* ---- limits -------------------------------------------------------------------------------- */

static int64_t fact_or(const sg_target *target, const char *name, int64_t otherwise)
{
    const sg_fact *fact = sg_target_fact(target, name);

    return fact ? fact->value.integer : otherwise;
}

static bool costs(const sg_param *param, const char *resource)
{
    for (const char *const *cost = param->decl->costs; cost && *cost; cost++)
        if (!strcmp(*cost, resource))
            return param->value > param->decl->min;
    return false;
}

/* Adds "; less with a lower speculative.W (now 16)" to message, and notes with these values. */
static void report_excess(verify_run *v, const sg_module *module, const char *resource,
                          const char *message)
{
    const sg_variant *variant = module->variant;
    const sg_params *params = &variant->params;
    const char *file = sg_arena_printf(v->arena, "%s/%s.c", variant->method->dir,
                                       variant->lowering->form);
    sg_text advice = sg_text_in(v->arena);

    for (size_t i = 0; i < params->count; i++)
        if (costs(&params->param[i], resource))
            sg_text_printf(&advice, "%s%s.%s (now %" PRId64 ")",
                           advice.length ? " or " : "; less with a lower ", variant->method->name,
                           params->param[i].decl->name, params->param[i].value);
    sg_diag(v->diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "%s%s", message, advice.data);
    for (size_t i = 0; i < params->count; i++)
        if (costs(&params->param[i], resource))
            sg_diag(v->diags, SG_NOTE, params->param[i].origin, "%s.%s comes from here",
                    variant->method->name, params->param[i].decl->name);
    worsen(v, SG_NOT_VERIFIED);
}

static void check_kernel(verify_run *v, const target_check *t, const sg_kernel_resources *row)
{
    const sg_metrics *metrics = &row->metrics;
    const char *program = row->module->variant->program_file;
    const sg_target *target = t->plan->target;
    const sg_metric_line *spills = &t->compiler->metrics[SG_SPILLS];
    const int64_t scratch = metrics->value[SG_SCRATCH_BYTES];
    const int64_t scratch_max = fact_or(target, "scratch_max", 0);
    const int64_t local = metrics->value[SG_LOCAL_BYTES];
    const int64_t local_max = fact_or(target, "local_memory_max",
                                      fact_or(target, "local_memory", INT64_MAX));
    const char *spilled = "";

    if (metrics->known[SG_SPILLS] && metrics->value[SG_SPILLS])
        spilled = sg_arena_printf(v->arena, " (%s: %" PRId64 ")", spills->title,
                                  metrics->value[SG_SPILLS]);
    if (scratch > scratch_max)
        report_excess(v, row->module, "registers",
                      sg_arena_printf(v->arena, "%s: kernel %s takes %" PRId64 " bytes of scratch "
                                      "memory%s, which stand in for registers; '%s' allows %"
                                      PRId64 " (scratch_max)", program, row->symbol, scratch,
                                      spilled, target->name, scratch_max));
    if (local > local_max)
        report_excess(v, row->module, "local memory",
                      sg_arena_printf(v->arena, "%s: kernel %s takes %" PRId64 " bytes of local "
                                      "memory; a work-group of '%s' may have %" PRId64, program,
                                      row->symbol, local, target->name, local_max));
}

/* ---- tables of resources ------------------------------------------------------------------- */

/* True if no earlier source of the target has the same text. */
static bool is_first_of_text(const target_check *t, size_t index)
{
    size_t m = 0;

    while (t->text_of[m] != t->text_of[index])
        m++;
    return m == index;
}

/* The symbols of a text's kernels, each once. */
static sg_name_set symbols_of(verify_run *v, const sg_source *source)
{
    sg_name_set names = { 0 };

    for (size_t i = 0; i < source->family->variant_count; i++)
        for (size_t k = 0; k < source->modules[i].kernels.kernel_count; k++)
            sg_name_set_add(v->arena, &names, source->modules[i].kernel_symbols[k]);
    names.name = sg_arena_grow(v->arena, names.name, names.count, names.count + 1,
                               sizeof *names.name);   /* ends with NULL */
    return names;
}

/* Adds a row for each kernel of a module. is_checked: by symbol, its limits are checked. */
static void add_rows_of(verify_run *v, const target_check *t, const program_text *text,
                        const sg_name_set *symbols, const sg_module *module, bool *is_checked,
                        sg_kernel_resources *rows, size_t *count)
{
    for (size_t k = 0; k < module->kernels.kernel_count; k++) {
        const char *symbol = module->kernel_symbols[k];
        sg_kernel_resources row = { .module = module, .kernel = module->kernels.kernels[k].name,
                         .symbol = symbol };
        size_t i = 0;
        if (!sg_metrics_read(v->diags, t->compiler, module->variant->program_file, text->output,
                             symbols->name, symbol, &row.metrics)) {
            worsen(v, SG_NOT_VERIFIED);
            continue;
        }
        row.occupancy = sg_occupancy_of(v->arena, t->compiler, t->plan->target, &row.metrics,
                                        sg_program_group_size(module)->value);
        rows[(*count)++] = row;
        while (strcmp(symbols->name[i], symbol) != 0)
            i++;
        if (!is_checked[i])
            check_kernel(v, t, &row);
        is_checked[i] = true;
    }
}

static void add_rows(verify_run *v, const target_check *t, size_t index, sg_kernel_resources *rows,
                     size_t *count)
{
    const sg_source *source = &t->emission->sources[index];
    const sg_name_set symbols = symbols_of(v, source);
    bool *is_checked = sg_arena_alloc(v->arena, (symbols.count + 1) * sizeof *is_checked);

    for (size_t i = 0; i < symbols.count; i++)
        is_checked[i] = !is_first_of_text(t, index);
    for (size_t i = 0; i < source->family->variant_count; i++)
        add_rows_of(v, t, &v->texts[t->text_of[index]], &symbols, &source->modules[i], is_checked,
                    rows, count);
}

static void report_target(verify_run *v, const target_check *t)
{
    const sg_emission *e = t->emission;
    size_t most = 0, count = 0, programs = 0;

    for (size_t m = 0; m < e->module_count; m++)
        most += e->modules[m].kernels.kernel_count;
    sg_kernel_resources *rows = sg_arena_alloc(v->arena, (most + 1) * sizeof *rows);
    for (size_t m = 0; m < e->source_count; m++)
        if (v->texts[t->text_of[m]].status == SG_COMPILED) {
            add_rows(v, t, m, rows, &count);
            programs++;
        }
    if (!programs)
        return;
    sg_text_printf(v->report, "%s%s: %zu program%s for %s, compiled by %s%s%s\n",
                   v->report->length ? "\n" : "", t->plan->target->name, programs,
                   programs == 1 ? "" : "s", t->device,
                   t->compiler->title, t->compiler->clang ? " of " : "",
                   t->compiler->clang ? sg_compile_version() : "");
    sg_kernel_resources_print(v->arena, t->compiler, rows, count, v->report);
}

/* ---- all of it ----------------------------------------------------------------------------- */

bool sg_verify_find_compiler(sg_arena *arena, sg_diags *diags, const sg_plan *plan,
                             const sg_compiler **out)
{
    const sg_lowering *lowering = plan->variants[0].lowering;
    const sg_target *target = plan->target;
    const sg_loc page = { target->pages[0].file, 0, 0 };

    if (!sg_compiler_load(arena, diags, plan->catalog->root, target, lowering->build_options, out))
        return false;
    if (!*out && !lowering->host)
        sg_diag(diags, SG_ERROR, page, "'%s' cannot be verified: its modules run on the CPU, "
                "and what they take there is up to the compiler of the program that they become "
                "part of; --verify is for programs of other devices", target->name);
    else if (!*out)
        sg_diag(diags, SG_ERROR, page, "'%s' cannot be verified: the page names no compiler, as "
                "it stands for no one instruction set; a page of a device does so by compiler and "
                "compiler_device", target->name);
    return true;
}

sg_verified sg_verify(sg_arena *arena, sg_diags *diags, const sg_emission *emissions,
                      const sg_compiler *const *compilers, size_t count, int jobs, sg_text *report)
{
    verify_run v = { .arena = arena, .diags = diags,
                     .root = emissions[0].folder.plans[0].catalog->root, .target_count = count,
                     .report = report, .worst = SG_VERIFIED };

    v.targets = sg_arena_alloc(arena, (count + 1) * sizeof *v.targets);
    for (size_t i = 0; i < count; i++) {
        const sg_plan *plan = emissions[i].folder.plans;
        v.targets[i] = (target_check){ .emission = &emissions[i], .plan = plan,
                                       .compiler = compilers[i] };
        if (compilers[i])
            v.targets[i].device = sg_target_string(plan->target, "compiler_device");
        else
            worsen(&v, SG_NOT_VERIFIABLE);
        add_texts(&v, &v.targets[i]);
    }
    compile_all(&v, jobs);
    for (size_t i = 0; i < count; i++)
        if (compilers[i])
            report_target(&v, &v.targets[i]);
    for (size_t i = 0; i < v.text_count; i++)
        sg_arena_destroy(v.texts[i].arena);
    return v.worst;
}
