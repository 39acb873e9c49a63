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

/* ---- the page and its tables --------------------------------------------------------------- */

typedef struct planner {
    sg_arena *arena;
    sg_diags *diags;
    const char *root;
    sg_plan *plan;
} planner;

static void add_inputs(planner *p, const sg_input *inputs, size_t count)
{
    sg_plan *plan = p->plan;

    plan->inputs = sg_arena_grow(p->arena, plan->inputs, plan->input_count,
                                 plan->input_count + count, sizeof *inputs);
    for (size_t i = 0; i < count; i++)
        plan->inputs[plan->input_count++] =
            (sg_input){ sg_arena_strdup(p->arena, sg_shown_file(inputs[i].file)), inputs[i].hash };
}

static void skip(planner *p, const char *sentence)
{
    sg_plan *plan = p->plan;

    plan->skipped = sg_arena_grow(p->arena, plan->skipped, plan->skipped_count,
                                  plan->skipped_count + 1, sizeof *plan->skipped);
    plan->skipped[plan->skipped_count++] = sentence;
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
    add_inputs(p, &plan->contract, 1);
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
    add_inputs(p, chain, plan->chain_count);
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
        const sg_lowering *lowering =
            sg_lowering_load(p->arena, p->diags, p->root, dialect, isa, type->name);
        if (!lowering)
            return false;
        if (!*lowering->usable && !lowering->host)
            return lacks_isa(p, dialect);
        if (!has_facts(p, lowering))
            return false;
        add_inputs(p, lowering->files, lowering->file_count);
        p->plan->lowering[t] = lowering;
    }
    return true;
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

bool sg_plan_read(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                  const sg_selection *selection, sg_plan *out)
{
    planner p = { arena, diags, catalog->root, out };

    *out = (sg_plan){ .catalog = catalog, .requested = selection->target };
    out->target = sg_target_load_with(arena, diags, catalog->root, selection->target,
                                      &selection->set);
    if (!out->target ||
        !sg_method_check_assignments(diags, out->target, catalog->methods, catalog->method_count))
        return false;
    describe(&p, selection);
    return read_contract(&p) && read_chain(&p) && load_lowerings(&p, &selection->types);
}

/* ---- parameters ---------------------------------------------------------------------------- */

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

static bool check_params(planner *p, const sg_resolved *resolved)
{
    const sg_method *method = resolved->method;
    const sg_lowering *lowering = resolved->lowering;
    const sg_params *params = &resolved->params;
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
                    method->name, param->decl->name, param->value, resolved->value->name,
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

static bool resolve_method(planner *p, const sg_method *method)
{
    sg_plan *plan = p->plan;
    bool good = true;

    add_inputs(p, method->inputs, method->input_count);
    for (size_t t = 0; t < SG_VALUE_TYPES; t++) {
        const sg_type *value = &sg_value_types[t];
        sg_resolved resolved = { .method = method, .value = value, .lowering = plan->lowering[t] };
        if (!resolved.lowering)
            continue;
        if (sg_method_resolve(p->arena, p->diags, p->root, method, plan->target, value->name,
                              &resolved.params) &&
            check_params(p, &resolved))
            plan->resolved[plan->resolved_count++] = resolved;
        else
            good = false;
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

bool sg_plan_resolve(sg_arena *arena, sg_diags *diags, sg_plan *plan)
{
    planner p = { arena, diags, plan->catalog->root, plan };
    const sg_name_set *wanted = &plan->selection.methods;
    const sg_catalog *catalog = plan->catalog;
    const sg_lowering *any = NULL;
    bool good = true;

    for (size_t t = 0; t < SG_VALUE_TYPES; t++)
        any = any ? any : plan->lowering[t];
    for (size_t i = 0; i < wanted->count; i++)
        good = sg_catalog_find(catalog, diags, wanted->name[i]) && good;
    plan->resolved = sg_arena_alloc(arena, (catalog->method_count + 1) * SG_VALUE_TYPES *
                                               sizeof *plan->resolved);

    for (size_t m = 0; m < catalog->method_count && any && good; m++) {
        const sg_method *method = catalog->methods[m];
        const bool is_named = sg_name_set_has(wanted, method->name);
        if ((wanted->count && !is_named) || sg_name_set_has(&plan->selection.except, method->name))
            continue;
        const char *form = missing_form(&p, method, any);
        if (form) {
            const char *sentence = sg_arena_printf(arena, "method %s: it has no %s/%s.c, which "
                                                   "dialect '%s' takes", method->name, method->dir,
                                                   form, any->dialect);
            if (is_named) {
                sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "%s", sentence);
                good = false;
            }
            skip(&p, sentence);
            continue;
        }
        good = resolve_method(&p, method) && good;
    }
    if (good && !plan->resolved_count) {
        sg_diag(diags, SG_ERROR, (sg_loc){ plan->target->pages[0].file, 0, 0 },
                "nothing to emit: it has no type, or no method has the form of its dialect");
        good = false;
    }
    return good;
}

/* ---- variants ----------------------------------------------------------------------------- */

static int compare_variants(const void *a, const void *b)
{
    const sg_variant *x = a, *y = b;
    const int by_method = strcmp(x->method->name, y->method->name);

    return by_method ? by_method : strcmp(x->symbol, y->symbol);
}

static const char *file_of(sg_arena *arena, const sg_plan *plan, const sg_method *method,
                           const sg_lowering *lowering)
{
    return sg_arena_printf(arena, "spmv_%s__%s.%s", method->name, plan->target->c_name,
                           lowering->extension);
}

void sg_plan_variants(sg_arena *arena, sg_plan *plan)
{
    const sg_name_set *offsets = &plan->selection.offsets;
    const size_t most = plan->resolved_count * SG_OFFSET_TYPES;
    sg_variant *variants = sg_arena_alloc(arena, most * sizeof *variants);
    sg_family *families = sg_arena_alloc(arena, most * sizeof *families);

    for (size_t r = 0; r < plan->resolved_count; r++)
        for (size_t o = 0; o < SG_OFFSET_TYPES; o++) {
            const sg_resolved *from = &plan->resolved[r];
            if (offsets->count && !sg_name_set_has(offsets, sg_offset_types[o].name))
                continue;
            variants[plan->variant_count++] = (sg_variant){
                .symbol = sg_arena_printf(arena, "spmv_%s_%s_%s__%s", from->method->name,
                                          from->value->name, sg_offset_types[o].name,
                                          plan->target->c_name),
                .file = file_of(arena, plan, from->method, sg_lowering_of_module(from->lowering)),
                .program_file = from->lowering->host
                                    ? file_of(arena, plan, from->method, from->lowering) : NULL,
                .method = from->method, .value = from->value, .offset = &sg_offset_types[o],
                .lowering = from->lowering, .params = from->params,
            };
        }
    qsort(variants, plan->variant_count, sizeof *variants, compare_variants);
    for (size_t i = 0; i < plan->variant_count; i++) {
        if (!i || variants[i].method != variants[i - 1].method)
            families[plan->family_count++].variants = &variants[i];
        families[plan->family_count - 1].variant_count++;
    }
    plan->variants = variants;
    plan->families = families;
    plan->input_count = sg_inputs_sort(plan->inputs, plan->input_count);
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
