/* replace.c: see folder_job.h. Reads files, changes nothing. */
#include "generator/outputs/folder_job.h"

#include <string.h>

#include "generator/base/text.h"

bool sg_folder_job_owns(const sg_folder_job *job, const char *file, const char *text,
                        size_t length)
{
    return sg_manifest_matches(&job->before, file, text, length) ||
           sg_journal_matches(&job->journal, file, text, length);
}

static bool has_method_file(const sg_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->plan_count; i++)
        for (size_t k = 0; k < folder->plans[i].family_count; k++) {
            const sg_variant *variant = &folder->plans[i].families[k].variants[0];
            if (!strcmp(variant->file, name) ||
                (variant->program_file && !strcmp(variant->program_file, name)))
                return true;
        }
    return false;
}

/* True for the file of a method that this run does not name. */
static bool is_kept(const sg_folder_job *job, const char *name)
{
    for (size_t g = 0; g < job->folder.group_count; g++) {
        const sg_group *group = &job->folder.groups[g];
        bool is_named = !group->shared || strcmp(group->shared, name) != 0;
        for (size_t f = 0; f < group->count; f++)
            is_named = is_named ||
                       has_method_file(&job->requested, group->families[f]->variants[0].file);
        if (!is_named)
            return true;
    }
    return has_method_file(&job->folder, name) && !has_method_file(&job->requested, name);
}

/* A file that was changed by hand, or that spmvgen never wrote, is not replaced. A changed file of
 * a method that this run only keeps stays as it is, with a warning. */
static bool may_replace(const sg_output_run *run, const sg_folder_job *job, const sg_output *file,
                        bool *stays)
{
    sg_arena *scratch = sg_arena_create();
    const sg_loc loc = { sg_path_join(run->arena, job->dir, file->name), 0, 0 };
    const bool was_emitted = sg_inputs_have(job->before.files, job->before.file_count, file->name);
    const char *text;
    size_t length;
    bool may = true;
    const int error = sg_read_file(scratch, loc.file, SG_LARGEST_OUTPUT, &text, &length);

    if (error && sg_is_file(loc.file)) {
        may = false;
        sg_diag(run->diags, SG_ERROR, loc, "would be replaced, but nothing says what is in it: %s",
                sg_read_error(error));
    } else if (!error && (length != file->length || memcmp(text, file->text, length)) &&
               !sg_folder_job_owns(job, file->name, text, length)) {
        *stays = was_emitted && is_kept(job, file->name);
        may = *stays;
        if (may)
            sg_diag(run->diags, SG_WARNING, loc, "changed by hand: it stays, since this run names "
                    "other methods");
        else
            sg_diag(run->diags, SG_ERROR, loc, "would be replaced, but %s",
                    was_emitted ? "was changed since it was emitted"
                                : "nothing says that spmvgen wrote it");
    }
    sg_arena_destroy(scratch);
    return may;
}

/* The manifest, the last output, is checked when the folder is inspected. --force applies only to
 * methods that the run names. */
bool sg_may_replace_outputs(const sg_output_run *run)
{
    bool may = true;

    for (size_t i = 0; i < run->count; i++) {
        sg_folder_job *job = &run->jobs[i];
        job->stays = sg_arena_alloc(run->arena,
                                    (job->emission.output_count + 1) * sizeof *job->stays);
        for (size_t k = 0; k + 1 < job->emission.output_count; k++)
            if (!run->options->force || is_kept(job, job->emission.outputs[k].name))
                may = may_replace(run, job, &job->emission.outputs[k], &job->stays[k]) && may;
    }
    if (!may)
        sg_diag(run->diags, SG_NOTE, (sg_loc){ 0 }, "nothing was written; move what is to be kept "
                "under another name or into another folder, or replace it with --force");
    return may;
}
