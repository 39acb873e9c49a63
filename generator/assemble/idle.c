/* idle.c: see passes.h. */
#include "generator/assemble/passes.h"

#include <string.h>

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
        has = has || module->variant->params.param[index].is_read || sg_module_uses(module, index);
    }
    return has;
}

/* Warns of values of pages that no module depends on. */
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

static bool sets_a_parameter(const sg_plan *plan, const sg_assignment *a)
{
    for (size_t v = 0; v < plan->variant_count; v++) {
        const sg_params *params = &plan->variants[v].params;
        for (size_t i = 0; i < params->count; i++)
            if (params->param[i].from_page && !strcmp(params->param[i].origin.file, a->origin.file))
                return true;
    }
    return false;
}

/* Warns of values of --set whose method or type is not emitted. */
static void warn_of_idle_set(sg_diags *diags, const sg_plan *plan)
{
    for (size_t i = 0; i < plan->target->assignment_count; i++) {
        const sg_assignment *a = &plan->target->assignments[i];
        if (a->origin.line == SG_COMMAND_LINE && !sets_a_parameter(plan, a))
            sg_diag(diags, SG_WARNING, a->origin, "%s.%s has no effect on what is emitted for '%s'",
                    a->method, a->param, plan->target->name);
    }
}

void sg_warn_of_idle_values(sg_diags *diags, const sg_emission *e)
{
    warn_of_idle_values(diags, e);
    for (size_t p = 0; p < e->folder.plan_count; p++)
        warn_of_idle_set(diags, &e->folder.plans[p]);
}
