/* accept.c: see accept.h. Stateless. */
#include "generator/method/accept.h"

#include <inttypes.h>
#include <string.h>

#include "generator/base/text.h"

static const char *choice_list(sg_arena *arena, const sg_param_decl *decl)
{
    sg_text list = sg_text_in(arena);

    for (size_t i = 0; i < decl->choice_count; i++)
        sg_text_printf(&list, "%s\"%s\"", i ? ", " : "", decl->choices[i].name);
    return list.data;
}

bool sg_param_find_choice(const sg_param_decl *decl, const sg_value *value, int64_t *out)
{
    for (size_t i = 0; i < decl->choice_count; i++) {
        const sg_choice *choice = &decl->choices[i];
        if (value->kind == SG_STRING ? strcmp(choice->name, value->string)
                                     : choice->value != value->integer)
            continue;
        *out = choice->value;
        return true;
    }
    return false;
}

bool sg_param_accept(sg_arena *arena, sg_diags *diags, const char *method,
                     const sg_param_decl *decl, const sg_value *value, sg_value_source source,
                     sg_loc loc, int64_t *out)
{
    static const char *const verbs[] = { "found", "its default gives", "its tune lists" };
    const char *verb = verbs[source];
    const char *name = sg_arena_printf(arena, "%s.%s", method, decl->name);
    const char *text = sg_value_text(arena, value);

    if (decl->choices) {
        const bool right_kind = value->kind == SG_STRING ||
                                (source != SG_FROM_PAGE && value->kind == SG_INTEGER);
        if (right_kind && sg_param_find_choice(decl, value, out))
            return true;
        sg_diag(diags, SG_ERROR, loc, "%s must be one of %s, %s %s", name,
                choice_list(arena, decl), verb, text);
    } else if (value->kind != SG_INTEGER) {
        sg_diag(diags, SG_ERROR, loc, "%s must be an integer, %s %s", name, verb, text);
    } else if (value->integer < decl->min || value->integer > decl->max) {
        sg_diag(diags, SG_ERROR, loc, "%s must be from %" PRId64 " to %" PRId64 "%s%s, %s %s%s",
                name, decl->min, decl->max, *decl->unit ? " " : "", decl->unit, verb, text,
                source == SG_FROM_DEFAULT ? "; state it on the page" : "");
    } else {
        *out = value->integer;
        return true;
    }
    sg_diag(diags, SG_NOTE, decl->loc, "%s is declared here", decl->name);
    return false;
}
