/* tunable.c: see tunable.h. */
#include "generator/show/tunable.h"

#include <inttypes.h>

static const char *value_text(sg_arena *arena, const sg_param_decl *decl, int64_t value)
{
    for (size_t i = 0; i < decl->choice_count; i++)
        if (decl->choices[i].value == value)
            return decl->choices[i].name;
    return sg_arena_printf(arena, "%" PRId64, value);
}

const char *sg_tune_text(sg_arena *arena, const sg_param *param)
{
    sg_text out = sg_text_in(arena);

    for (size_t i = 0; i < param->tune_count; i++)
        sg_text_printf(&out, "%s%s", i ? ", " : "",
                       value_text(arena, param->decl, param->tune[i]));
    return param->tune_count ? out.data : "";
}

/* Whether the value stands earlier in the line: as the page's own, or in the list. */
static bool is_repeated(const sg_param *param, size_t index)
{
    bool found = param->tune[index] == param->value;

    for (size_t i = 0; i < index; i++)
        found = found || param->tune[i] == param->tune[index];
    return found;
}

static void list_param(sg_arena *arena, const sg_method *method, const char *type,
                       const sg_param *param, sg_text *out)
{
    bool any = false;

    for (size_t i = 0; i < param->tune_count; i++)
        any = any || !is_repeated(param, i);
    if (!any)
        return;
    sg_text_printf(out, "%s.%s.%s=%s", method->name, type, param->decl->name,
                   value_text(arena, param->decl, param->value));
    for (size_t i = 0; i < param->tune_count; i++)
        if (!is_repeated(param, i))
            sg_text_printf(out, ",%s", value_text(arena, param->decl, param->tune[i]));
    sg_text_append(out, "\n");
}

bool sg_list_tunable(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                     const sg_target *target, sg_text *out)
{
    for (size_t m = 0; m < catalog->method_count; m++) {
        const sg_method *method = catalog->methods[m];
        if (!target->form || !sg_method_has_form(method, catalog->root, target->form))
            continue;
        for (size_t t = 0; t < SG_VALUE_TYPES; t++) {
            sg_params params;
            sg_loc denied;
            if (!sg_target_has_type(target, &sg_value_types[t], &denied))
                continue;
            if (!sg_method_resolve(arena, diags, catalog->root, method, target,
                                   sg_value_types[t].name, &params))
                return false;
            for (size_t i = 0; i < params.count; i++)
                list_param(arena, method, sg_value_types[t].name, &params.param[i], out);
        }
    }
    return true;
}
