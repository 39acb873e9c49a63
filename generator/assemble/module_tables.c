/* module_tables.c: see module_tables.h. Pure functions; all memory is the arena's. */
#include "generator/assemble/module_tables.h"

#include <inttypes.h>
#include <string.h>

#include "generator/assemble/banner.h"
#include "generator/assemble/program.h"

enum { LINE_WIDTH = 100, MOST_TABLES = SG_PROGRAM_PIECES + 3 };

/* The next of these operators outside of strings and brackets, or NULL. */
static const char *next_operator(const char *at, const char *const *operators)
{
    bool quoted = false;
    int depth = 0;

    for (; *at; at++) {
        quoted = quoted != (*at == '"');
        depth += quoted ? 0 : (*at == '(') - (*at == ')');
        for (size_t i = 0; operators[i] && !quoted && !depth; i++)
            if (!strncmp(at, operators[i], strlen(operators[i])))
                return at;
    }
    return NULL;
}

/* An operand of &&. */
static const char *operand(sg_arena *arena, const char *condition)
{
    static const char *const weaker[] = { "|", "?", ",", NULL };

    return next_operator(condition, weaker) ? sg_arena_printf(arena, "(%s)", condition) : condition;
}

/* The condition of the instruction set and the page's condition. */
static const char *usable_condition(sg_arena *arena, const sg_plan *plan,
                                    const sg_lowering *lowering)
{
    const sg_fact *page = sg_target_fact(plan->target, "usable");

    return page != NULL && *page->value.string
               ? sg_arena_printf(arena, "%s && %s", operand(arena, lowering->usable),
                                 operand(arena, page->value.string))
               : lowering->usable;
}

/* Puts each operand of a long condition on its own line. */
static const char *usable_function(sg_arena *arena, const char *condition)
{
    sg_text text = sg_text_in(arena), *out = &text;
    static const char *const ands[] = { " && ", NULL };
    const char *indent = "    return ";
    const char *at = condition, *next;

    sg_text_append(out, "static int32_t module_usable(void)\n{\n");
    if (strlen(indent) + strlen(condition) + 1 > LINE_WIDTH)
        for (; (next = next_operator(at, ands)) != NULL; at = next + 4, indent = "           ")
            sg_text_printf(out, "%s%.*s &&\n", indent, (int)(next - at), at);
    sg_text_printf(out, "%s%s;\n}", indent, at);
    return text.data;
}

static const char *params_table(sg_arena *arena, const sg_params *params)
{
    sg_text out = sg_text_in(arena);

    sg_text_append(&out, "static const spmv_param module_params[] = {\n");
    for (size_t i = 0; i < params->count; i++) {
        const sg_param *param = &params->param[i];
        sg_text_printf(&out, "    { %s, %" PRId64 ", %s },\n",
                       sg_c_string(arena, param->decl->name), param->value,
                       sg_c_string(arena, sg_shown_origin(arena, param->origin)));
    }
    sg_text_append(&out, "};");
    return out.data;
}

static const char *module_table(sg_arena *arena, const sg_module *module, const char *ops)
{
    const sg_plan *plan = module->plan;
    const sg_variant *variant = module->variant;
    const bool in_bundle = plan->selection.bundle;
    sg_text out = sg_text_in(arena);

    if (!in_bundle)
        sg_text_printf(&out, "extern const spmv_module %s;\n", variant->symbol);
    sg_text_printf(&out, "%sconst spmv_module %s = {\n", in_bundle ? "static " : "",
                   variant->symbol);
    sg_text_printf(&out, "    .abi = UINT64_C(0x%016" PRIx64 "),\n", plan->abi);
    sg_text_printf(&out, "    .source_hash = UINT64_C(0x%016" PRIx64 "),\n", module->source_hash);
    sg_text_printf(&out, "    .name = \"%s\",\n", variant->symbol);
    sg_text_printf(&out, "    .method = \"%s\",\n", variant->method->name);
    sg_text_printf(&out, "    .target = \"%s\",\n", plan->target->name);
    sg_text_printf(&out, "    .generator = \"%s\",\n", SG_VERSION);
    sg_text_printf(&out, "    .value_type = %s,\n", variant->value->enumerator);
    sg_text_printf(&out, "    .offset_type = %s,\n", variant->offset->enumerator);
    sg_text_printf(&out, "    .determinism = %s,\n", variant->params.benchmark_only
                                                         ? "SPMV_BENCHMARK_ONLY"
                                                         : "SPMV_SAME_BITS");
    sg_text_printf(&out, "    .rank = %" PRId64 ",\n", module->rank);
    sg_text_printf(&out, "    .param_count = %zu,\n", in_bundle ? 0 : variant->params.count);
    sg_text_printf(&out, "    .params = %s,\n",
                   variant->params.count && !in_bundle ? "module_params" : "NULL");
    sg_text_printf(&out, "    .usable = module_usable,\n    .ops = &%s,\n", ops);
    sg_text_printf(&out, "    .program = %s,\n};",
                   variant->program_file ? "&module_program" : "NULL");
    return out.data;
}

static const char *const *list(sg_arena *arena, const char *a, const char *b, const char *c)
{
    const char **names = sg_arena_alloc(arena, 4 * sizeof *names);

    names[0] = a;
    names[1] = a ? b : NULL;
    names[2] = a && b ? c : NULL;
    return names;
}

static void add_table(sg_arena *arena, sg_instance *tables, sg_piece *pieces, const char *name,
                      const char *text, const char *const *needs)
{
    pieces[tables->piece_count] = (sg_piece){
        .kind = SG_PIECE_OWN, .key = name, .text = text, .names = list(arena, name, NULL, NULL),
        .needs = needs, .place = (int)tables->piece_count + 1,
        .of_isa = true };
    tables->piece_count++;
}

void sg_module_name_kernels(sg_arena *arena, sg_module *module, const sg_joined *joined,
                            const sg_instance *instance)
{
    const sg_spec_output *kernels = sg_module_kernels(module);
    const char **symbols = sg_arena_alloc(arena, (kernels->kernel_count + 1) * sizeof *symbols);

    for (size_t k = 0; k < kernels->kernel_count; k++)
        symbols[k] = sg_joined_name(arena, joined, kernels->kernels[k].name, instance);
    module->kernel_symbols = symbols;
}

void sg_module_tables(sg_arena *arena, const sg_module *module, const sg_joined *joined,
                      const sg_device_program *program, size_t target, sg_instance *tables)
{
    const sg_plan *plan = module->plan;
    const sg_variant *variant = module->variant;
    const bool has_params = variant->params.count && !plan->selection.bundle;
    sg_piece *pieces = sg_arena_alloc(arena, MOST_TABLES * sizeof *pieces);
    const char *ops = sg_joined_name(arena, joined, "method_ops", tables);
    const sg_lowering *host = sg_lowering_of_module(variant->lowering);

    tables->pieces = pieces;
    tables->piece_count = 0;
    if (variant->program_file)
        sg_program_pieces(arena, program, target, module, tables, pieces, &tables->piece_count);
    if (has_params)
        add_table(arena, tables, pieces, "module_params", params_table(arena, &variant->params),
                  list(arena, NULL, NULL, NULL));
    add_table(arena, tables, pieces, "module_usable",
              usable_function(arena, usable_condition(arena, plan, host)),
              list(arena, NULL, NULL, NULL));
    add_table(arena, tables, pieces, variant->symbol, module_table(arena, module, ops),
              list(arena, "module_usable",
                   has_params ? "module_params" : "module_usable",
                   variant->program_file ? "module_program" : NULL));
}
