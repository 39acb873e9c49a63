/* method.c: loads the folders of templates/, and checks that a page's assignments name declared
 * parameters. resolve.c resolves values. */
#include "generator/method/method.h"

#include <string.h>

#include "generator/method/declare.h"
#include "generator/lua/fields.h"
#include "common/did_you_mean.h"
#include "generator/base/text.h"

static const sg_method *load_method(sg_arena *arena, sg_diags *diags, const char *root,
                                    const char *name)
{
    sg_declared declared = { .context = NULL };

    if (!sg_is_lower_name(name)) {
        sg_diag(diags, SG_ERROR, (sg_loc){ sg_arena_printf(arena, "templates/%s", name), 0, 0 },
                "a method's folder is named by lower-case letters, digits and '_', a letter first, "
                "since emitted functions carry the name; rename it");
        return NULL;
    }
    if (!sg_declare(arena, diags, root, name, NULL, &declared))
        return NULL;
    sg_method *method = sg_arena_alloc(arena, sizeof *method);
    sg_param_decl *params = sg_arena_alloc(arena, (declared.param_count + 1) * sizeof *params);
    for (size_t i = 0; i < declared.param_count; i++)
        params[i] = declared.params[i].decl;
    *method = (sg_method){
        .name = name,
        .title = declared.title,
        .source = declared.source,
        .dir = declared.dir,
        .params = params,
        .param_count = declared.param_count,
        .inputs = declared.inputs,
        .input_count = declared.input_count,
    };
    return method;
}

const sg_method *const *sg_method_load_all(sg_arena *arena, sg_diags *diags, const char *root,
                                           size_t *count)
{
    const char *folder = sg_path_join(arena, root, "templates");
    const char *const *names = NULL;
    size_t name_count = 0, used = 0;
    bool failed = false;

    *count = 0;
    const int error = sg_list_dir(arena, folder, &names, &name_count);
    if (error) {
        sg_diag(diags, SG_ERROR, (sg_loc){ folder, 0, 0 }, "cannot read the methods' folder: %s",
                sg_read_error(error));
        return NULL;
    }
    const sg_method **methods = sg_arena_alloc(arena, (name_count + 1) * sizeof *methods);
    for (size_t i = 0; i < name_count; i++) {
        const char *dir = sg_path_join(arena, folder, names[i]);
        if (!sg_is_file(sg_path_join(arena, dir, "params.lua")))
            continue;
        methods[used] = load_method(arena, diags, root, names[i]);
        if (methods[used])
            used++;
        else
            failed = true;
    }
    if (failed)
        return NULL;
    *count = used;
    return methods;
}

bool sg_method_has_form(const sg_method *method, const char *root, const char *form)
{
    sg_arena *arena = sg_arena_create();
    const char *file = sg_arena_printf(arena, "%s/%s.c", method->dir, form);
    const bool has = sg_is_file(sg_path_join(arena, root, file));

    sg_arena_destroy(arena);
    return has;
}

/* ---- assignments ----------------------------------------------------------------------------- */

static const sg_method *find_method(const sg_method *const *methods, size_t count,
                                    const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(methods[i]->name, name))
            return methods[i];
    return NULL;
}

static void report_method(sg_arena *arena, sg_diags *diags, const sg_assignment *a,
                          const sg_method *const *methods, size_t count)
{
    const char **names = sg_arena_alloc(arena, (count + 1) * sizeof *names);
    char hint[100];

    for (size_t i = 0; i < count; i++)
        names[i] = methods[i]->name;
    sg_diag(diags, SG_ERROR, a->origin, "unknown method '%s'%s", a->method,
            sg_did_you_mean(hint, sizeof hint, a->method, names, count));
}

static const sg_param_decl *find_param(const sg_method *method, const char *name)
{
    for (size_t i = 0; i < method->param_count; i++)
        if (!strcmp(method->params[i].name, name))
            return &method->params[i];
    return NULL;
}

const char *sg_method_param_hint(sg_arena *arena, const sg_method *method, const char *name,
                                 const sg_param_decl **near)
{
    const char **names = sg_arena_alloc(arena, (method->param_count + 1) * sizeof *names);

    for (size_t i = 0; i < method->param_count; i++)
        names[i] = method->params[i].name;
    const char *nearest = sg_nearest(name, names, method->param_count);
    *near = nearest ? find_param(method, nearest) : NULL;
    return nearest ? sg_arena_printf(arena, "; did you mean '%s'?", nearest) : "";
}

static void report_param(sg_arena *arena, sg_diags *diags, const sg_assignment *a,
                         const sg_method *method)
{
    const sg_param_decl *near;
    const char *hint = sg_method_param_hint(arena, method, a->param, &near);

    sg_diag(diags, SG_ERROR, a->origin, "method '%s' has no parameter '%s'%s", a->method, a->param,
            hint);
    if (near)
        sg_diag(diags, SG_NOTE, near->loc, "%s is declared here", near->name);
    else
        sg_diag(diags, SG_NOTE, (sg_loc){ sg_arena_printf(arena, "%s/params.lua", method->dir),
                                          0, 0 }, "its parameters are declared here");
}

bool sg_method_check_assignments(sg_diags *diags, const sg_target *target,
                                 const sg_method *const *methods, size_t method_count)
{
    sg_arena *arena = sg_arena_create();
    bool good = true;

    for (size_t i = 0; i < target->assignment_count; i++) {
        const sg_assignment *a = &target->assignments[i];
        const sg_method *method = find_method(methods, method_count, a->method);
        if (method && find_param(method, a->param))
            continue;
        good = false;
        if (method)
            report_param(arena, diags, a, method);
        else
            report_method(arena, diags, a, methods, method_count);
    }
    sg_arena_destroy(arena);
    return good;
}
