/* make.c: see passes.h. */
#include "generator/assemble/passes.h"

#include "generator/assemble/program.h"
#include "generator/base/thread_pool.h"

typedef bool make_one(sg_emission *e, size_t i, sg_diags *diags);

typedef struct making {
    sg_emission *e;
    make_one *make;
    bool *made;
} making;

/* Drops the errors of a failure: make_all makes it again, to report in a fixed order. */
static void try_one(void *context, size_t i)
{
    making *m = context;
    sg_diags *silent = sg_diags_create(m->e->folder.plans[0].catalog->root);

    m->made[i] = m->make(m->e, i, silent);
    sg_diags_destroy(silent);
}

static bool make_all(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e, size_t count,
                     make_one *make)
{
    const size_t errors = sg_diags_error_count(diags);
    making m = { e, make, sg_arena_alloc(arena, count * sizeof *m.made) };
    bool good = true;

    sg_thread_pool_run(jobs, count, try_one, &m);
    for (size_t i = 0; i < count; i++)
        if (!m.made[i])
            good = make(e, i, diags) && good;
    return good && sg_diags_error_count(diags) == errors;
}

/* The arenas are those of the modules, then those of the sources. */
static void list(sg_arena *arena, sg_emission *e)
{
    const sg_folder *folder = &e->folder;
    size_t variants = 0, families = 0;

    for (size_t p = 0; p < folder->plan_count; p++) {
        variants += folder->plans[p].variant_count;
        families += folder->plans[p].family_count;
    }
    e->modules = sg_arena_alloc(arena, variants * sizeof *e->modules);
    e->sources = sg_arena_alloc(arena, families * sizeof *e->sources);
    e->arenas = sg_arena_alloc(arena, (variants + families) * sizeof *e->arenas);
    while (e->arena_count < variants + families)
        e->arenas[e->arena_count++] = sg_arena_create();
    for (size_t p = 0; p < folder->plan_count; p++) {
        const sg_plan *plan = &folder->plans[p];
        for (size_t f = 0; f < plan->family_count; f++) {
            const sg_family *family = &plan->families[f];
            e->sources[e->source_count++] = (sg_source){
                .plan = plan, .family = family, .modules = &e->modules[e->module_count],
                .group = sg_folder_group(folder, family) };
            for (size_t v = 0; v < family->variant_count; v++)
                e->modules[e->module_count++] = (sg_module){
                    .plan = plan, .variant = &family->variants[v],
                    .rank = sg_target_integer(plan->target, "rank") };
        }
    }
}

/* Lists the sources of each group. */
static void list_members(sg_arena *arena, sg_emission *e)
{
    const sg_folder *folder = &e->folder;

    e->members = sg_arena_alloc(arena, folder->group_count * sizeof *e->members);
    e->shared = sg_arena_alloc(arena, folder->group_count * sizeof *e->shared);
    for (size_t g = 0; g < folder->group_count; g++) {
        size_t count = 0;
        e->members[g] = sg_arena_alloc(arena, folder->groups[g].count * sizeof *e->members[g]);
        for (size_t i = 0; i < e->source_count; i++)
            if (e->sources[i].group == &folder->groups[g]) {
                e->sources[i].target = count;
                e->members[g][count++] = &e->sources[i];
            }
    }
}

static bool make_module(sg_emission *e, size_t i, sg_diags *diags)
{
    return sg_module_make(e->arenas[i], diags, &e->modules[i]) &&
           sg_program_check(e->arenas[i], diags, &e->modules[i]);
}

/* There are no more groups than sources. */
static bool join_group(sg_emission *e, size_t g, sg_diags *diags)
{
    return sg_source_join(e->arenas[e->module_count + g], diags, e->members[g]);
}

static bool assemble_shared(sg_emission *e, size_t g, sg_diags *diags)
{
    (void)diags;
    e->shared[g] = sg_source_shared(e->arenas[e->module_count + g], e->members[g][0]);
    return true;
}

static bool assemble_source(sg_emission *e, size_t i, sg_diags *diags)
{
    return sg_source_assemble(e->arenas[e->module_count + i], diags, &e->sources[i]);
}

bool sg_make_modules(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e)
{
    list(arena, e);
    list_members(arena, e);
    return make_all(arena, diags, jobs, e, e->module_count, make_module);
}

bool sg_make_joined(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e)
{
    return make_all(arena, diags, jobs, e, e->folder.group_count, join_group);
}

bool sg_make_sources(sg_arena *arena, sg_diags *diags, int jobs, sg_emission *e)
{
    if (!make_all(arena, diags, jobs, e, e->source_count, assemble_source) ||
        !make_all(arena, diags, jobs, e, e->folder.group_count, assemble_shared))
        return false;
    for (size_t p = 0; p < e->folder.plan_count; p++)
        sg_emission_add_inputs(arena, e, e->folder.plans[p].inputs, e->folder.plans[p].input_count);
    for (size_t i = 0; i < e->source_count; i++)
        sg_emission_add_inputs(arena, e, e->sources[i].inputs, e->sources[i].input_count);
    return true;
}
