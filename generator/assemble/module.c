/* module.c: specialises one variant. A pure function of a plan; all memory is the arena's. */
#include "generator/assemble/module.h"

#include <string.h>

#include "generator/base/hash.h"
#include "generator/clang/specialise.h"

enum { UNROLL_CAP = 64 };

sg_instance sg_module_instance(const sg_module *module, const sg_spec_output *of)
{
    const sg_variant *variant = module->variant;

    return (sg_instance){ .label = { variant->value->name, variant->offset->name,
                                     [SG_TARGET_AXIS] = module->plan->target->c_name,
                                     [SG_METHOD_AXIS] = variant->method->name },
                          .pieces = of->pieces,
                          .piece_count = of->piece_count };
}

/* ---- specialising -------------------------------------------------------------------------- */

/* Specialises the method's template `form` for a lowering. launched: the kernels that are launched;
 * NULL: all are. */
static bool specialise(sg_arena *arena, sg_diags *diags, const sg_module *module,
                       const char *form, const sg_lowering *lowering, const char *const *launched,
                       sg_spec_output *out)
{
    const sg_plan *plan = module->plan;
    const sg_variant *variant = module->variant;
    static const char *const members[] = { "layout_size", "build_steps", "update_steps",
                                           "restore_steps", "launches", NULL };
    const bool is_module = lowering != variant->lowering || !lowering->host;
    const size_t count = variant->params.count;
    sg_spec_param *params = sg_arena_alloc(arena, (count + 2) * sizeof *params);
    const sg_spec_typedef typedefs[] = { { "real", variant->value->name },
                                         { "offset", variant->offset->name } };

    for (size_t i = 0; i < count; i++) {
        const sg_param *param = &variant->params.param[i];
        params[i] = (sg_spec_param){ param->decl->c_name, param->value, param->origin };
    }
    params[count] = (sg_spec_param){ .name = SG_FIGURES_ENUMERATOR,
                                     .value = plan->selection.figures };
    params[count + 1] = (sg_spec_param){ .name = SG_SEVERAL_VECTORS_ENUMERATOR,
                                         .value = !plan->selection.one_vector };
    const sg_spec_input input = {
        .root = plan->catalog->root,
        .file = sg_arena_printf(arena, "%s/%s.c", variant->method->dir, form),
        .params = params,
        .param_count = count + 2,
        .typedefs = typedefs,
        .typedef_count = sizeof typedefs / sizeof typedefs[0],
        .lowering = lowering,
        .table = is_module ? "method_ops" : NULL,
        .table_type = "spmv_method_ops",
        .table_members = members,
        .launched = launched,
        .unroll_cap = UNROLL_CAP,
        .line_directives = plan->selection.line_directives,
    };
    return sg_specialise(arena, diags, &input, out);
}

/* ---- identity ------------------------------------------------------------------------------ */

static uint64_t with_string(uint64_t hash, const char *text)
{
    return sg_hash_combine(hash, sg_hash_string(text));
}

static uint64_t with_pieces(uint64_t hash, const sg_lowering *lowering, const sg_spec_output *spec)
{
    hash = with_string(with_string(hash, lowering->preamble), lowering->postamble);
    for (size_t i = 0; i < spec->piece_count; i++)
        if (spec->pieces[i].kind != SG_PIECE_COMMENT)
            hash = with_string(hash, spec->pieces[i].text);
    return hash;
}

/* The hash leaves out origins of values, and the other modules of the file. */
static uint64_t source_hash(const sg_module *module)
{
    const sg_variant *variant = module->variant;
    const sg_lowering *lowering = variant->lowering;
    uint64_t hash = with_string(module->plan->abi, SG_VERSION);

    hash = with_string(hash, variant->symbol);
    for (size_t i = 0; i < variant->params.count; i++) {
        hash = with_string(hash, variant->params.param[i].decl->name);
        hash = sg_hash_combine(hash, (uint64_t)variant->params.param[i].value);
    }
    hash = with_pieces(hash, sg_lowering_of_module(lowering), &module->spec);
    if (lowering->host)
        hash = with_string(with_pieces(hash, lowering, &module->kernels), lowering->build_options);
    return hash;
}

bool sg_module_uses(const sg_module *module, size_t param)
{
    return module->spec.used[param] || (module->kernels.used && module->kernels.used[param]);
}

/* ---- all of it ----------------------------------------------------------------------------- */

const sg_spec_output *sg_module_kernels(const sg_module *module)
{
    return module->variant->lowering->host ? &module->kernels : &module->spec;
}

bool sg_module_make(sg_arena *arena, sg_diags *diags, sg_module *module)
{
    const sg_lowering *lowering = module->variant->lowering;
    const bool good =
        lowering->host
            ? specialise(arena, diags, module, SG_HOST_FORM, lowering->host, NULL,
                         &module->spec) &&
                  specialise(arena, diags, module, lowering->form, lowering,
                             module->spec.launched, &module->kernels)
            : specialise(arena, diags, module, lowering->form, lowering, NULL, &module->spec);

    if (good)
        module->source_hash = source_hash(module);
    return good;
}
