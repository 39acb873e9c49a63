/* folder.c: see folder.h. Everything belongs to the arena; nothing is written. */
#include "generator/plan/folder.h"

#include <string.h>

/* ---- selections ---------------------------------------------------------------------------- */

static bool same_names(const sg_name_set *a, const sg_name_set *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; i < a->count && same; i++)
        same = sg_name_set_has(b, a->name[i]);
    return same;
}

/* True if the selections differ in their methods at most. */
static bool same_options(const sg_selection *a, const sg_selection *b)
{
    return !strcmp(a->target, b->target) && same_names(&a->types, &b->types) &&
           same_names(&a->offsets, &b->offsets) && same_names(&a->set, &b->set) &&
           a->figures == b->figures && a->one_vector == b->one_vector &&
           a->program_files == b->program_files &&
           a->line_directives == b->line_directives && !a->bundle == !b->bundle;
}

static sg_name_set without(sg_arena *arena, const sg_name_set *names, const sg_name_set *removed)
{
    sg_name_set left = { 0 };

    for (size_t i = 0; i < names->count; i++)
        if (!sg_name_set_has(removed, names->name[i]))
            sg_name_set_add(arena, &left, names->name[i]);
    return left;
}

static sg_name_set union_of(sg_arena *arena, const sg_name_set *a, const sg_name_set *b)
{
    sg_name_set all = { 0 };

    for (size_t i = 0; i < a->count; i++)
        sg_name_set_add(arena, &all, a->name[i]);
    for (size_t i = 0; i < b->count; i++)
        sg_name_set_add(arena, &all, b->name[i]);
    return all;
}

/* Adds a selection that names methods to `count` others; returns the new count. */
static size_t add_one(sg_arena *arena, sg_selection *all, size_t count, sg_selection now)
{
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        sg_selection *s = &all[i];
        if (!strcmp(s->target, now.target) && s->methods.count) {
            s->methods = without(arena, &s->methods, &now.methods);
            if (same_options(s, &now)) {
                now.methods = union_of(arena, &now.methods, &s->methods);
                continue;
            }
            if (!s->methods.count)
                continue;
        }
        all[left++] = *s;
    }
    /* A selection of all methods with the same options includes these. */
    for (size_t i = 0; i < left; i++)
        if (!all[i].methods.count && same_options(&all[i], &now))
            return left;
    all[left++] = now;
    return left;
}

size_t sg_folder_add(sg_arena *arena, const sg_selection *before, size_t before_count,
                     const sg_selection *now, size_t now_count, const sg_selection **out)
{
    sg_selection *all = sg_arena_alloc(arena, (before_count + now_count + 1) * sizeof *all);
    size_t count = 0;

    *out = now;
    if (!now_count || !now[0].methods.count)
        return now_count;
    for (size_t i = 0; i < before_count; i++)
        all[count++] = before[i];
    for (size_t i = 0; i < now_count; i++)
        count = add_one(arena, all, count, now[i]);
    *out = all;
    return count;
}

/* ---- plans --------------------------------------------------------------------------------- */

static bool same_chain(const sg_target *a, const sg_target *b)
{
    if (a->page_count != b->page_count)
        return false;
    for (size_t i = 0; i < a->page_count; i++)
        if (a->pages[i].hash != b->pages[i].hash)
            return false;
    return true;
}

/* Two targets with the same name in C cannot share a folder, since files and functions carry the
 * name. dir: the folder, for the message; NULL: do not name it. */
static bool check_names(sg_diags *diags, const sg_target *a, const sg_target *b, const char *dir)
{
    if (strcmp(a->c_name, b->c_name) || same_chain(a, b))
        return true;
    sg_diag(diags, SG_ERROR, (sg_loc){ b->pages[0].file, 0, 0 },
            "two targets of one name go into one folder%s%s: this page and %s%s%s%s; rename one, "
            "or emit them one at a time with -o DIR", dir ? ", " : "", dir ? dir : "",
            a->pages[0].file, dir ? "" : ", which are both '", dir ? "" : a->c_name,
            dir ? "" : "' in C");
    return false;
}

/* Two selections may spell one target differently, and so emit the same file. */
static bool check_files(sg_diags *diags, const sg_plan *a, const sg_plan *b)
{
    for (size_t i = 0; i < a->family_count; i++)
        for (size_t k = 0; k < b->family_count; k++) {
            const char *file = b->families[k].variants[0].file;
            if (strcmp(file, a->families[i].variants[0].file))
                continue;
            sg_diag(diags, SG_ERROR, (sg_loc){ b->target->pages[0].file, 0, 0 },
                    "two selections of one folder give %s; emit into an empty folder, "
                    "without --method or with one way to write the target", file);
            return false;
        }
    return true;
}

static bool check_plans(sg_diags *diags, const sg_plan *plans, size_t count)
{
    bool good = true;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            good = check_names(diags, plans[k].target, plans[i].target, NULL) &&
                   check_files(diags, &plans[k], &plans[i]) && good;
    return good;
}

bool sg_folder_is_same(sg_diags *diags, const sg_folder *a, const sg_folder *b, const char *dir)
{
    return check_names(diags, a->plans[0].target, b->plans[0].target, dir);
}

static sg_name_set later_methods(sg_arena *arena, const sg_selection *selections, size_t count,
                                 size_t index)
{
    sg_name_set names = { 0 };

    for (size_t i = index + 1; i < count; i++)
        if (!strcmp(selections[i].target, selections[index].target))
            for (size_t k = 0; k < selections[i].methods.count; k++)
                sg_name_set_add(arena, &names, selections[i].methods.name[k]);
    return names;
}

/* True if an earlier plan is equal. A target has several names, such as "host" and FILE.lua. */
static bool is_planned(const sg_plan *plans, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!strcmp(plans[i].options, plans[index].options) &&
            !strcmp(plans[i].target->name, plans[index].target->name) &&
            same_chain(plans[i].target, plans[index].target))
            return true;
    return false;
}

bool sg_folder_has_target(const sg_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->plan_count; i++)
        if (!strcmp(folder->plans[i].target->name, name))
            return true;
    return false;
}

static bool is_first_of_target(const sg_folder *folder, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!strcmp(folder->plans[i].target->name, folder->plans[index].target->name))
            return false;
    return true;
}

/* True if plan `a` comes before plan `b` of the same target. A plan of all methods comes first,
 * since later plans win. Other plans are sorted by options, so that the order of runs has no
 * effect. */
static bool comes_before(const sg_plan *a, const sg_plan *b)
{
    if (!a->selection.methods.count != !b->selection.methods.count)
        return !a->selection.methods.count;
    return strcmp(a->options, b->options) < 0;
}

/* Moves the plans of a target to its first plan, so that one run and several give the same
 * folder. */
static void sort_plans(sg_plan *plans, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const sg_plan plan = plans[i];
        size_t to = i;
        for (size_t k = 0; k < i && to == i; k++) {
            const bool same = !strcmp(plans[k].target->name, plan.target->name);
            const bool is_last = k + 1 == i || strcmp(plans[k + 1].target->name,
                                                      plans[k].target->name) != 0;
            if (same && comes_before(&plan, &plans[k]))
                to = k;
            else if (same && is_last)
                to = k + 1;
        }
        memmove(&plans[to + 1], &plans[to], (i - to) * sizeof *plans);
        plans[to] = plan;
    }
}

/* ---- groups -------------------------------------------------------------------------------- */

/* True if families share a text. A program in a file, and lines of templates, are for one target
 * alone. */
static bool may_share(const sg_plan *plan)
{
    const sg_selection *s = &plan->selection;

    return !s->bundle && !s->program_files && !s->line_directives;
}

static bool is_of_group(const sg_group *group, const sg_plan *plan, const sg_family *family)
{
    const sg_variant *a = group->families[0]->variants, *b = family->variants;

    return a->method == b->method && !strcmp(a->lowering->dialect, b->lowering->dialect) &&
           may_share(group->plans[0]) && may_share(plan);
}

static void find_groups(sg_arena *arena, sg_folder *folder)
{
    size_t families = 0;

    for (size_t p = 0; p < folder->plan_count; p++)
        families += folder->plans[p].family_count;
    sg_group *groups = sg_arena_alloc(arena, families * sizeof *groups);
    for (size_t p = 0; p < folder->plan_count; p++)
        for (size_t f = 0; f < folder->plans[p].family_count; f++) {
            const sg_plan *plan = &folder->plans[p];
            const sg_family *family = &plan->families[f];
            sg_group *group = groups;
            while (group->count && !is_of_group(group, plan, family))
                group++;
            if (!group->count) {
                group->plans = sg_arena_alloc(arena, folder->plan_count * sizeof *group->plans);
                group->families =
                    sg_arena_alloc(arena, folder->plan_count * sizeof *group->families);
                folder->group_count++;
            }
            group->plans[group->count] = plan;
            group->families[group->count++] = family;
            if (group->count > 1)
                group->shared = sg_arena_printf(arena, "spmv_%s__%s.h",
                                                family->variants->method->name,
                                                family->variants->lowering->dialect);
        }
    folder->groups = groups;
}

const sg_group *sg_folder_group(const sg_folder *folder, const sg_family *family)
{
    for (size_t g = 0; g < folder->group_count; g++)
        for (size_t i = 0; i < folder->groups[g].count; i++)
            if (folder->groups[g].families[i] == family)
                return &folder->groups[g];
    return NULL;
}

/* ---- commands ------------------------------------------------------------------------------ */

static void print_targets(sg_text *out, const sg_folder *folder, const char *options)
{
    sg_text_append(out, "spmvgen");
    for (size_t i = 0; i < folder->plan_count; i++)
        if (options ? !strcmp(folder->plans[i].options, options) : is_first_of_target(folder, i))
            sg_text_printf(out, " --target %s", folder->plans[i].target_word);
}

/* The command for all plans with these options. */
static const char *command_of(sg_arena *arena, const sg_folder *folder, const char *options)
{
    sg_text text = sg_text_in(arena);

    print_targets(&text, folder, options);
    sg_text_append(&text, options);
    return text.data;
}

static bool is_first_with_options(const sg_folder *folder, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!strcmp(folder->plans[i].options, folder->plans[index].options))
            return false;
    return true;
}

static bool is_for_all_targets(const sg_folder *folder, const char *options, size_t targets)
{
    size_t count = 0;

    for (size_t i = 0; i < folder->plan_count; i++)
        count += !strcmp(folder->plans[i].options, options);
    return count == targets;
}

/* A method that some selection of each target names, or NULL. */
static const char *common_method(const sg_folder *folder, size_t targets)
{
    for (size_t i = 0; i < folder->plan_count; i++)
        for (size_t k = 0; k < folder->plans[i].selection.methods.count; k++) {
            const char *name = folder->plans[i].selection.methods.name[k];
            size_t count = 0;
            for (size_t p = 0; p < folder->plan_count; p++)
                count += sg_name_set_has(&folder->plans[p].selection.methods, name);
            if (count == targets)
                return name;
        }
    return NULL;
}

/* The first command emits all targets of the folder; later ones change methods of some. */
static void find_commands(sg_arena *arena, sg_folder *folder, size_t targets)
{
    const char **commands = sg_arena_alloc(arena, (folder->plan_count + 2) * sizeof *commands);
    sg_text line = sg_text_in(arena);
    const char *first = NULL;
    size_t count = 0;

    for (size_t i = 0; i < folder->plan_count && !first; i++)
        if (is_for_all_targets(folder, folder->plans[i].options, targets))
            first = folder->plans[i].options;
    if (first) {
        commands[count++] = command_of(arena, folder, first);
    } else {
        const char *method = common_method(folder, targets);
        sg_text text = sg_text_in(arena);
        print_targets(&text, folder, NULL);
        if (method)
            sg_text_printf(&text, " --method %s", method);
        commands[count++] = text.data;
    }
    for (size_t i = 0; i < folder->plan_count; i++)
        if (is_first_with_options(folder, i) && (!first || strcmp(folder->plans[i].options, first)))
            commands[count++] = command_of(arena, folder, folder->plans[i].options);
    for (size_t i = 0; i < count; i++)
        sg_text_printf(&line, "%s%s", i ? " && " : "", commands[i]);
    folder->command = line.data;
    folder->commands = commands;
}

static const char *table_of(sg_arena *arena, const sg_target *target)
{
    return sg_arena_printf(arena, "spmv_modules__%s", target->c_name);
}

const char *sg_folder_table_of(sg_arena *arena, const sg_folder *folder, const sg_target *target)
{
    const char *name = table_of(arena, target);

    return folder->plans[0].selection.bundle || !strcmp(folder->table, name) ? NULL : name;
}

static void find_names(sg_arena *arena, sg_folder *folder)
{
    sg_text title = sg_text_in(arena);
    size_t targets = 0;

    for (size_t i = 0; i < folder->plan_count; i++)
        if (is_first_of_target(folder, i))
            sg_text_printf(&title, "%s%s", targets++ ? ", " : "", folder->plans[i].target->name);
    folder->title = title.data;
    folder->table = targets > 1 || folder->plans[0].selection.bundle
                                ? "spmv_modules"
                                : table_of(arena, folder->plans[0].target);
    find_commands(arena, folder, targets);
}

bool sg_folder_read(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                    const sg_selection *selections, size_t count, sg_folder *out)
{
    bool good = true;

    *out = (sg_folder){ .plans = sg_arena_alloc(arena, (count + 1) * sizeof *out->plans) };
    for (size_t i = 0; i < count; i++) {
        sg_selection selection = selections[i];
        selection.except = later_methods(arena, selections, count, i);
        if (!sg_plan_read(arena, diags, catalog, &selection, &out->plans[out->plan_count]))
            good = false;
        else if (!is_planned(out->plans, out->plan_count))
            out->plan_count++;
    }
    return good;
}

bool sg_folder_resolve(sg_arena *arena, sg_diags *diags, sg_folder *folder)
{
    bool good = true;

    for (size_t i = 0; i < folder->plan_count; i++)
        good = sg_plan_resolve(arena, diags, &folder->plans[i]) && good;
    return good;
}

bool sg_folder_plan(sg_arena *arena, sg_diags *diags, sg_folder *folder)
{
    for (size_t i = 0; i < folder->plan_count; i++)
        sg_plan_variants(arena, &folder->plans[i]);
    if (!check_plans(diags, folder->plans, folder->plan_count))
        return false;
    sort_plans(folder->plans, folder->plan_count);
    find_groups(arena, folder);
    find_names(arena, folder);
    return true;
}

void sg_folder_advice(sg_text *out, const sg_folder *folder, const char *dir, bool force)
{
    for (const char *const *command = folder->commands; *command; command++)
        sg_text_printf(out, "%s'%s %s %s%s'", command == folder->commands ? "" : " and ", *command,
                       folder->plans[0].selection.bundle ? "--bundle" : "-o", dir,
                       force ? " --force" : "");
}
