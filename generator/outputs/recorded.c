/* recorded.c: see folder_job.h. */
#include "generator/outputs/folder_job.h"

#include <string.h>

/* True if a manifest's target, a name or FILE.lua, has this name. */
static bool is_page_of(const char *target, const char *name)
{
    const char *base = sg_path_base(target);
    const size_t length = strlen(name);

    return !strncmp(base, name, length) && (!base[length] || !strcmp(base + length, ".lua"));
}

/* The selections of the folder: its methods that this run does not name are kept. */
static size_t keep_others(sg_output_run *run, sg_folder_job *job, const sg_selection **all)
{
    const size_t count = job->folder.plan_count;
    sg_selection *named = sg_arena_alloc(run->arena, (count + 1) * sizeof *named);

    /* A page may have moved since the manifest was written: use the path of this run. */
    for (size_t i = 0; i < count; i++) {
        const sg_plan *plan = &job->folder.plans[i];
        named[i] = plan->selection;
        named[i].target = plan->requested;
        for (size_t k = 0; k < job->before.selection_count; k++)
            if (is_page_of(job->before.selections[k].target, plan->target->name))
                job->before.selections[k].target = plan->requested;
    }
    return sg_folder_add(run->arena, job->before.selections, job->before.selection_count, named,
                         count, all);
}

/* "a bundle with the prefix 'spmv'" */
static const char *kind_of(const sg_output_run *run, const sg_selection *selection)
{
    return selection->bundle ? sg_arena_printf(run->arena, "a bundle with the prefix '%s'",
                                               selection->bundle)
                             : "modules, not a bundle";
}

/* The files of one kind would replace those of the other. */
static bool is_same_kind(sg_output_run *run, const sg_folder_job *job, sg_loc loc)
{
    const char *before = kind_of(run, &job->before.selections[0]);
    const char *now = kind_of(run, &job->folder.plans[0].selection);

    if (!strcmp(before, now))
        return true;
    sg_diag(run->diags, SG_ERROR, loc, "the folder holds %s, and this run would emit %s; choose "
            "another folder, or remove this one", before, now);
    return false;
}

bool sg_folder_job_inspect(sg_output_run *run, sg_folder_job *job, const sg_selection **all,
                           size_t *count)
{
    const bool names_methods = job->names_methods;
    const sg_loc loc = { sg_path_join(run->arena, job->dir, SG_MANIFEST_NAME), 0, 0 };
    const sg_manifest_state state = sg_manifest_read(run->arena, NULL, job->dir, &job->before);

    sg_journal_read(run->arena, job->dir, &job->journal);
    job->has_before = state == SG_MANIFEST_GOOD;
    if (state == SG_MANIFEST_FOREIGN && !run->options->force) {
        sg_diag(run->diags, SG_ERROR, loc, "this file is not spmvgen's and would be replaced; "
                "choose another folder with -o DIR, or replace it with --force");
        return false;
    }
    if (state == SG_MANIFEST_DAMAGED && names_methods)
        sg_diag(run->diags, SG_WARNING, loc,
                "cannot be read any more, so the folder's table loses the methods that this run "
                "does not name; emit them again");
    if (job->has_before && !sg_manifest_is_of(run->diags, &job->before, loc.file, &job->folder,
                                              names_methods)) {
        sg_diag(run->diags, SG_NOTE, (sg_loc){ 0 },
                "choose another folder with -o DIR, or remove this one and emit for all targets "
                "at once");
        return false;
    }
    if (job->has_before && !is_same_kind(run, job, loc))
        return false;
    /* A bundle has the methods of one run. */
    *count = job->has_before && names_methods && !job->folder.plans[0].selection.bundle
                 ? keep_others(run, job, all) : 0;
    return true;
}

void sg_folder_job_compare(sg_output_run *run, sg_folder_job *job)
{
    job->is_current = job->has_before &&
                      sg_journal_is_seen(run->arena, &job->journal, job->before.hash) &&
                      sg_manifest_is_current(run->arena, &job->before, &job->folder, job->dir);
}
