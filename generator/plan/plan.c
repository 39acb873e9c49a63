/* plan.c: finds the variants of a target. Everything belongs to the arena; nothing is written. */
#include "generator/plan/plan.h"
#include "generator/page/target_load.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/hash.h"
#include "generator/page/page.h"
#include "generator/base/text.h"
#include "generator/base/data_files.h"

#define CONTRACT_FILE "runtime/spmv_module.h"
#define CONTRACT_MACRO "#define SPMV_MODULE_ABI UINT64_C(0x"
#define FACTS_FILE "targets/facts.lua"

/* ---- making a plan ------------------------------------------------------------------------- */

typedef struct planner {
    sg_arena *arena;
    sg_diags *diags;
    const char *root;
    sg_plan *plan;
    const sg_lowering *lowering[SG_VALUE_TYPES];   /* NULL: type not planned */
    sg_variant *variants;
    const char **skipped;
    sg_input *inputs;
    size_t input_capacity;
} planner;

static void add_input(planner *p, sg_input page)
{
    sg_plan *plan = p->plan;

    if (plan->input_count == p->input_capacity) {
        const size_t larger = p->input_capacity ? p->input_capacity * 2 : 32;
        p->inputs = sg_arena_grow(p->arena, p->inputs, plan->input_count, larger,
                                  sizeof *p->inputs);
        p->input_capacity = larger;
    }
    page.file = sg_arena_strdup(p->arena, sg_shown_file(page.file));
    p->inputs[plan->input_count++] = page;
}

static void skip(planner *p, const char *sentence)
{
    sg_plan *plan = p->plan;

    p->skipped = sg_arena_grow(p->arena, p->skipped, plan->skipped_count, plan->skipped_count + 1,
                               sizeof *p->skipped);
    p->skipped[plan->skipped_count++] = sentence;
}

static bool read_root_file(planner *p, const char *file, const char **text, size_t *length,
                           sg_input *page)
{
    const char *path = sg_path_join(p->arena, p->root, file);
    const int error = sg_read_file(p->arena, path, SG_LARGEST_INPUT, text, length);

    if (error) {
        sg_diag(p->diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "cannot be read: %s",
                sg_read_error(error));
        return false;
    }
    *page = (sg_input){ file, sg_hash_bytes(*text, *length) };
    return true;
}

/* The text behind `start` on the line that begins with it; NULL unless exactly one line does. */
static const char *find_line(const char *text, const char *start)
{
    const char *found = NULL;

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, start, strlen(start)))
            continue;
        if (found)
            return NULL;
        found = line + strlen(start);
    }
    return found;
}

static bool read_contract(planner *p)
{
    enum { DIGITS = 16 };
    sg_plan *plan = p->plan;

    if (!read_root_file(p, CONTRACT_FILE, &plan->contract_text, &plan->contract_length,
                        &plan->contract))
        return false;
    const char *hash = find_line(plan->contract_text, CONTRACT_MACRO);
    if (!hash || strspn(hash, "0123456789abcdef") != DIGITS || hash[DIGITS] != ')' ||
        !strchr("\r\n", hash[DIGITS + 1])) {
        sg_diag(p->diags, SG_ERROR, (sg_loc){ CONTRACT_FILE, 0, 0 },
                "expected one line '" CONTRACT_MACRO "...)' with %d hexadecimal digits, which "
                "states the contract's hash", DIGITS);
        return false;
    }
    plan->abi = strtoull(hash, NULL, 16);
    add_input(p, plan->contract);
    return true;
}

static bool read_chain(planner *p)
{
    sg_plan *plan = p->plan;
    const sg_target *target = plan->target;
    sg_input *chain = sg_arena_alloc(p->arena, (target->page_count + 1) * sizeof *chain);
    const char *text;
    size_t length;

    if (!read_root_file(p, FACTS_FILE, &text, &length, &chain[0]))
        return false;
    for (size_t i = 0; i < target->page_count; i++)
        chain[i + 1] = (sg_input){ sg_shown_file(target->pages[i].file), target->pages[i].hash };
    plan->chain = chain;
    plan->chain_count = target->page_count + 1;
    for (size_t i = 0; i < plan->chain_count; i++)
        add_input(p, chain[i]);
    return true;
}

static bool lacks_isa(planner *p, const char *dialect)
{
    size_t count = 0;
    const char *const *names =
        sg_data_file_names(p->arena, sg_path_join(p->arena, p->root, "targets/isa"), &count);
    sg_text list = sg_text_in(p->arena);

    for (size_t i = 0; i < count; i++)
        sg_text_printf(&list, "%s\"%s\"", i ? ", " : "", names[i]);
    sg_diag(p->diags, SG_ERROR, sg_target_fact(p->plan->target, "backend")->origin,
            "backend '%s' needs an instruction set; add isa = one of %s", dialect, list.data);
    return false;
}

/* Checks that the page states the facts that the dialect needs, with values high enough. */
static bool has_facts(planner *p, const sg_lowering *lowering)
{
    const sg_target *target = p->plan->target;

    for (const sg_least *least = lowering->least; least && least->fact; least++) {
        const sg_fact *fact = sg_target_fact(target, least->fact);
        if (fact && fact->value.integer >= least->value)
            continue;
        if (fact)
            sg_diag(p->diags, SG_ERROR, fact->origin, "%s is %" PRId64 ", but what "
                    "targets/dialects/%s.lua emits needs %" PRId64 " or more (%s)", least->fact,
                    fact->value.integer, lowering->dialect, least->value, fact->decl->meaning);
        else
            sg_diag(p->diags, SG_ERROR, sg_target_fact(target, "backend")->origin,
                    "'%s' states no %s, which targets/dialects/%s.lua asks for: %" PRId64
                    " or more",
                    target->name, least->fact, lowering->dialect, least->value);
        return false;
    }
    return true;
}

static bool load_lowerings(planner *p, const sg_name_set *types)
{
    const sg_target *target = p->plan->target;
    const char *dialect = sg_target_string(target, "backend");
    const char *isa = sg_target_string(target, "isa");
    sg_loc why;

    if (!sg_dialect_exists(p->root, dialect)) {
        char hint[100];
        sg_dialect_hint(hint, sizeof hint, p->root, dialect);
        sg_diag(p->diags, SG_ERROR, sg_target_fact(target, "backend")->origin,
                "nothing can be emitted for '%s' yet: its backend '%s' has no table "
                "targets/dialects/%s.lua%s", target->name, dialect, dialect,
                *hint ? hint : "; --explain works");
        return false;
    }
    if (*isa && !sg_isa_exists(p->diags, p->root, isa, sg_target_fact(target, "isa")->origin))
        return false;
    for (size_t t = 0; t < SG_VALUE_TYPES; t++) {
        const sg_type *type = &sg_value_types[t];
        if (types->count && !sg_name_set_has(types, type->name))
            continue;
        if (!sg_target_has_type(target, type, &why)) {
            if (types->count) {
                sg_diag(p->diags, SG_ERROR, why, "'%s' has no type %s, which --type asks for",
                        target->name, type->name);
                return false;
            }
            skip(p, sg_arena_printf(p->arena, "type %s: %s says that '%s' does not have it",
                                    type->name, sg_shown_origin(p->arena, why), target->name));
            continue;
        }
        p->lowering[t] = sg_lowering_load(p->arena, p->diags, p->root, dialect, isa, type->name);
        if (!p->lowering[t])
            return false;
        if (!*p->lowering[t]->usable && !p->lowering[t]->host)
            return lacks_isa(p, dialect);
        if (!has_facts(p, p->lowering[t]))
            return false;
        for (size_t f = 0; f < p->lowering[t]->file_count; f++)
            add_input(p, p->lowering[t]->files[f]);
    }
    return true;
}

static bool allows(const sg_fixed *fixed, int64_t value)
{
    for (size_t i = 0; i < fixed->count; i++)
        if (fixed->value[i] == value)
            return true;
    return false;
}

/* "32", or "1 or 32". */
static const char *allowed_values(sg_arena *arena, const sg_fixed *fixed)
{
    sg_text text = sg_text_in(arena);

    for (size_t i = 0; i < fixed->count; i++)
        sg_text_printf(&text, "%s%" PRId64, i ? " or " : "", fixed->value[i]);
    return text.data;
}

static bool check_params(planner *p, const sg_method *method, const sg_type *type,
                         const sg_lowering *lowering, const sg_params *params)
{
    bool good = true;

    for (size_t i = 0; i < params->count; i++) {
        const sg_param *param = &params->param[i];
        const sg_loc page = { p->plan->target->pages[0].file, 0, 0 };
        const sg_loc at = param->page_origin.file ? param->page_origin : page;
        if (param->value < INT_MIN || param->value > INT_MAX) {
            sg_diag(p->diags, SG_ERROR, at,
                    "%s.%s = %" PRId64 " does not fit an enumerator, which is an int",
                    method->name, param->decl->name, param->value);
            good = false;
        }
        for (size_t f = 0; f < lowering->fixed_count; f++) {
            const sg_fixed *fixed = &lowering->fixed[f];
            if (strcmp(fixed->name, param->decl->c_name) || allows(fixed, param->value))
                continue;
            sg_diag(p->diags, SG_ERROR, at,
                    "%s.%s is %" PRId64 " for %s, but %s '%s' allows only %s",
                    method->name, param->decl->name, param->value, type->name,
                    fixed->of_isa ? "instruction set" : "dialect",
                    fixed->of_isa ? lowering->isa : lowering->dialect,
                    allowed_values(p->arena, fixed));
            sg_diag(p->diags, SG_NOTE, fixed->loc, "fixed here");
            if (!param->from_page)
                sg_diag(p->diags, SG_NOTE, param->origin, "the value is derived: %s",
                        param->decl->derivation);
            good = false;
        }
    }
    return good;
}

static const char *file_of(planner *p, const sg_method *method, const sg_lowering *lowering)
{
    return sg_arena_printf(p->arena, "spmv_%s__%s.%s", method->name, p->plan->target->c_name,
                           lowering->extension);
}

static bool add_variants(planner *p, const sg_method *method)
{
    sg_plan *plan = p->plan;
    const sg_name_set *offsets = &plan->selection.offsets;
    const char *target = plan->target->c_name;
    bool good = true;

    for (size_t t = 0; t < SG_VALUE_TYPES; t++) {
        const sg_lowering *lowering = p->lowering[t];
        sg_params params;
        if (!lowering)
            continue;
        if (!sg_method_resolve(p->arena, p->diags, p->root, method, plan->target,
                               sg_value_types[t].name, &params) ||
            !check_params(p, method, &sg_value_types[t], lowering, &params)) {
            good = false;
            continue;
        }
        for (size_t o = 0; o < SG_OFFSET_TYPES; o++) {
            if (offsets->count && !sg_name_set_has(offsets, sg_offset_types[o].name))
                continue;
            sg_variant *variant = &p->variants[plan->variant_count++];
            variant->method = method;
            variant->value = &sg_value_types[t];
            variant->offset = &sg_offset_types[o];
            variant->lowering = lowering;
            variant->params = params;
            variant->symbol = sg_arena_printf(p->arena, "spmv_%s_%s_%s__%s", method->name,
                                              variant->value->name, variant->offset->name, target);
            variant->file = file_of(p, method, sg_lowering_of_module(lowering));
            variant->program_file = lowering->host ? file_of(p, method, lowering) : NULL;
        }
    }
    return good;
}

/* The template that the dialect needs and the method lacks; NULL if it lacks none. */
static const char *missing_form(const planner *p, const sg_method *method,
                                const sg_lowering *lowering)
{
    if (!sg_method_has_form(method, p->root, lowering->form))
        return lowering->form;
    return lowering->host && !sg_method_has_form(method, p->root, SG_HOST_FORM) ? SG_HOST_FORM
                                                                               : NULL;
}

static bool plan_methods(planner *p, const sg_name_set *wanted)
{
    sg_plan *plan = p->plan;
    const sg_catalog *catalog = plan->catalog;
    const sg_lowering *any = NULL;
    bool good = true;

    for (size_t t = 0; t < SG_VALUE_TYPES; t++)
        any = any ? any : p->lowering[t];
    for (size_t i = 0; i < wanted->count; i++)
        good = sg_catalog_find(catalog, p->diags, wanted->name[i]) && good;

    for (size_t m = 0; m < catalog->method_count && any && good; m++) {
        const sg_method *method = catalog->methods[m];
        const bool is_named = sg_name_set_has(wanted, method->name);
        if ((wanted->count && !is_named) || sg_name_set_has(&plan->selection.except, method->name))
            continue;
        const char *form = missing_form(p, method, any);
        if (form) {
            const char *sentence = sg_arena_printf(p->arena, "method %s: it has no %s/%s.c, which "
                                                   "dialect '%s' takes", method->name,
                                                   method->dir, form, any->dialect);
            if (is_named) {
                sg_diag(p->diags, SG_ERROR, (sg_loc){ 0 }, "%s", sentence);
                good = false;
            }
            skip(p, sentence);
            continue;
        }
        for (size_t i = 0; i < method->input_count; i++)
            add_input(p, method->inputs[i]);
        good = add_variants(p, method) && good;
    }
    if (good && !plan->variant_count) {
        sg_diag(p->diags, SG_ERROR, (sg_loc){ plan->target->pages[0].file, 0, 0 },
                "nothing to emit: it has no type, or no method has the form of its dialect");
        good = false;
    }
    return good;
}

static int compare_variants(const void *a, const void *b)
{
    const sg_variant *x = a, *y = b;
    const int by_method = strcmp(x->method->name, y->method->name);

    return by_method ? by_method : strcmp(x->symbol, y->symbol);
}

static void find_families(planner *p)
{
    sg_plan *plan = p->plan;
    sg_family *families = sg_arena_alloc(p->arena, plan->variant_count * sizeof *families);

    for (size_t i = 0; i < plan->variant_count; i++) {
        if (!i || p->variants[i].method != p->variants[i - 1].method)
            families[plan->family_count++].variants = &p->variants[i];
        families[plan->family_count - 1].variant_count++;
    }
    plan->families = families;
}

/* A text as one word for a shell: quoted if it has a letter that may mean something there. */
static const char *shell_word(sg_arena *arena, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.=,/-";
    sg_text word = sg_text_in(arena);

    if (!text[strspn(text, plain)])
        return text;
    sg_text_append(&word, "'");
    for (; *text; text++)
        sg_text_append_bytes(&word, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
    sg_text_append(&word, "'");
    return word.data;
}

/* The selection as a command that gives the same output on any machine. */
static void describe(planner *p, const sg_selection *selection)
{
    sg_plan *plan = p->plan;
    sg_selection *s = &plan->selection;
    sg_text methods = sg_text_in(p->arena), options = sg_text_in(p->arena);
    const char *own = plan->target->pages[0].file;

    if (*own == '/')
        own = sg_path_base(own);
    s->target = sg_is_page_of_root(p->arena, p->root, plan->target)
                    ? plan->target->name : own;
    plan->target_word = shell_word(p->arena, s->target);
    s->methods = sg_name_set_sorted(p->arena, &selection->methods);
    s->types = sg_name_set_sorted(p->arena, &selection->types);
    s->offsets = sg_name_set_sorted(p->arena, &selection->offsets);
    s->except = selection->except;
    s->set = plan->target->overrides;
    s->figures = selection->figures;
    s->one_vector = selection->one_vector;
    s->program_files = selection->program_files;
    s->line_directives = selection->line_directives;
    s->bundle = selection->bundle;
    s->is_static = selection->is_static;

    for (size_t i = 0; i < s->methods.count; i++)
        sg_text_printf(&methods, " --method %s", s->methods.name[i]);
    for (size_t i = 0; i < s->types.count; i++)
        sg_text_printf(&options, " --type %s", s->types.name[i]);
    for (size_t i = 0; i < s->offsets.count; i++)
        sg_text_printf(&options, " --offsets %s", s->offsets.name[i]);
    for (size_t i = 0; i < s->set.count; i++)
        sg_text_printf(&options, " --set %s", shell_word(p->arena, s->set.name[i]));
    if (s->figures)
        sg_text_append(&options, " --figures");
    if (s->one_vector && !s->is_static)
        sg_text_append(&options, " --one-vector");
    if (s->program_files)
        sg_text_append(&options, " --program-files");
    if (s->line_directives)
        sg_text_append(&options, " --line-directives");
    if (s->bundle && strcmp(s->bundle, SG_DEFAULT_PREFIX))
        sg_text_printf(&options, " --prefix %s", s->bundle);
    if (s->is_static)
        sg_text_append(&options, " --static");
    plan->other_options = options.data;
    plan->options = sg_arena_printf(p->arena, "%s%s", methods.data, options.data);
}

bool sg_plan_make(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                  const sg_selection *selection, sg_plan *out)
{
    planner p = { .arena = arena, .diags = diags, .root = catalog->root, .plan = out };

    *out = (sg_plan){ .catalog = catalog, .requested = selection->target };
    out->target = sg_target_load_with(arena, diags, catalog->root, selection->target,
                                      &selection->set);
    if (!out->target ||
        !sg_method_check_assignments(diags, out->target, catalog->methods, catalog->method_count))
        return false;
    p.variants = sg_arena_alloc(arena, (catalog->method_count + 1) * SG_VALUE_TYPES *
                                           SG_OFFSET_TYPES * sizeof *p.variants);
    describe(&p, selection);
    if (!read_contract(&p) || !read_chain(&p) || !load_lowerings(&p, &selection->types) ||
        !plan_methods(&p, &selection->methods))
        return false;

    qsort(p.variants, out->variant_count, sizeof *p.variants, compare_variants);
    out->variants = p.variants;
    find_families(&p);
    out->skipped = p.skipped;
    out->inputs = p.inputs;
    out->input_count = sg_inputs_sort(p.inputs, out->input_count);
    return true;
}

const char *sg_bundle_file(sg_arena *arena, const sg_selection *selection, const char *extension)
{
    return sg_arena_printf(arena, "%s_kernels.%s", selection->bundle, extension);
}

const char *sg_variant_output(sg_arena *arena, const sg_plan *plan, const sg_variant *variant)
{
    return plan->selection.bundle
               ? sg_bundle_file(arena, &plan->selection, variant->lowering->bundle.extension)
               : variant->file;
}

/* ---- values without effect ----------------------------------------------------------------- */

static bool has_effect(const sg_plan *plan, const sg_assignment *a)
{
    for (size_t v = 0; v < plan->variant_count; v++) {
        const sg_params *params = &plan->variants[v].params;
        for (size_t i = 0; i < params->count; i++)
            if (params->param[i].from_page && !strcmp(params->param[i].origin.file, a->origin.file))
                return true;
    }
    return false;
}

void sg_plan_warn_of_idle_set(sg_diags *diags, const sg_plan *plan)
{
    for (size_t i = 0; i < plan->target->assignment_count; i++) {
        const sg_assignment *a = &plan->target->assignments[i];
        if (a->origin.line == SG_COMMAND_LINE && !has_effect(plan, a))
            sg_diag(diags, SG_WARNING, a->origin, "%s.%s has no effect on what is emitted for '%s'",
                    a->method, a->param, plan->target->name);
    }
}
