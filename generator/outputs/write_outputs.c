/* write_outputs.c: brings folders up to date. Only sg_write_files changes anything, at the end, but
 * new folders are made at the beginning, to be locked. */
#include "generator/outputs/folder_job.h"

#include <string.h>

/* ---- writes -------------------------------------------------------------------------------- */

static void add_write(sg_output_run *run, sg_write write)
{
    run->writes = sg_arena_more(run->arena, run->writes, run->write_count, sizeof *run->writes);
    run->writes[run->write_count++] = write;
}

static void add_output_write(sg_output_run *run, const sg_folder_job *job, const sg_output *file)
{
    add_write(run, (sg_write){ .path = sg_path_join(run->arena, job->dir, file->name),
                             .text = file->text, .length = file->length });
}

static bool any_differs(const sg_output_run *run, const sg_folder_job *job)
{
    for (size_t i = 0; i < job->emission.output_count; i++) {
        const sg_output *file = &job->emission.outputs[i];
        if (!job->stays[i] && !sg_file_is(sg_path_join(run->arena, job->dir, file->name),
                                          file->text, file->length))
            return true;
    }
    return false;
}

/* A file that was changed by hand, stays and includes this one; NULL: none. */
static const char *find_includer(const sg_output_run *run, const sg_folder_job *job,
                                 const char *file)
{
    const char *line = sg_arena_printf(run->arena, "#include \"%s\"\n", file), *text;
    size_t length;

    for (size_t i = 0; i < job->emission.output_count; i++)
        if (job->stays[i] &&
            !sg_read_file(run->arena,
                          sg_path_join(run->arena, job->dir, job->emission.outputs[i].name),
                          SG_LARGEST_OUTPUT, &text, &length) &&
            strstr(text, line))
            return job->emission.outputs[i].name;
    return NULL;
}

/* Lists the files that an earlier run emitted and this one does not. They are removed, unless
 * they were changed by hand or belong to a file that was. */
static void find_stale(sg_output_run *run, sg_folder_job *job)
{
    const size_t most = job->before.file_count + job->journal.announced_count;
    sg_input *files = sg_arena_alloc(run->arena, (most + 1) * sizeof *files);
    size_t count = 0;

    for (size_t i = 0; i < job->before.file_count; i++)
        files[count++] = job->before.files[i];
    for (size_t i = 0; i < job->journal.announced_count; i++)
        files[count++] = job->journal.announced[i];
    count = sg_inputs_sort(files, count);
    for (size_t i = 0; i < count; i++) {
        const char *path = sg_path_join(run->arena, job->dir, files[i].file);
        const char *text, *includer;
        size_t length;
        if (sg_emission_has(&job->emission, files[i].file) ||
            sg_read_file(run->arena, path, SG_LARGEST_OUTPUT, &text, &length))
            continue;
        if (!sg_folder_job_owns(job, files[i].file, text, length))
            sg_diag(run->diags, SG_WARNING, (sg_loc){ path, 0, 0 },
                    "emitted no more, but changed by hand: it stays");
        else if ((includer = find_includer(run, job, files[i].file)) != NULL)
            sg_diag(run->diags, SG_WARNING, (sg_loc){ path, 0, 0 },
                    "emitted no more, but %s, which was changed by hand, includes it: it stays",
                    includer);
        else
            files[job->stale_count++] = files[i];
    }
    job->stale = files;
}

/* Announces the writes, since a killed run leaves files that the folder's manifest does not list.
 * Announcements of earlier runs stay until one run completes. */
static void announce(sg_output_run *run, const sg_folder_job *job)
{
    const size_t most = job->emission.output_count + job->journal.announced_count;
    sg_input *files = sg_arena_alloc(run->arena, most * sizeof *files);
    sg_write writes[SG_JOURNAL_WRITES];
    size_t count = 0;

    for (size_t i = 0; i < job->emission.output_count; i++)
        if (!job->stays[i])
            files[count++] = (sg_input){ job->emission.outputs[i].name,
                                         job->emission.outputs[i].hash };
    for (size_t i = 0; i < job->journal.announced_count; i++)
        files[count++] = job->journal.announced[i];
    sg_journal_announce(run->arena, job->dir, files, count, writes);
    for (size_t i = 0; i < SG_JOURNAL_WRITES; i++)
        add_write(run, writes[i]);
}

/* The manifest is written last: until then the earlier manifest describes the folder. */
static void add_job_writes(sg_output_run *run, sg_folder_job *job)
{
    const size_t last = job->emission.output_count - 1;

    find_stale(run, job);
    if (job->stale_count || any_differs(run, job))
        announce(run, job);
    job->first_write = run->write_count;
    for (size_t i = 0; i < last; i++)
        if (!job->stays[i])
            add_output_write(run, job, &job->emission.outputs[i]);
    for (size_t i = 0; i < job->stale_count; i++)
        add_write(run, (sg_write){
            .path = sg_path_join(run->arena, job->dir, job->stale[i].file) });
    add_output_write(run, job, &job->emission.outputs[last]);
    job->write_count = run->write_count - job->first_write;
}

static bool add_depfile(sg_output_run *run)
{
    const char *text = sg_outputs_depfile(run);

    if (text)
        add_write(run, (sg_write){ .path = run->options->depfile, .text = text,
                                   .length = strlen(text) });
    return text != NULL;
}

/* ---- report -------------------------------------------------------------------------------- */

static void report_job(const sg_output_run *run, const sg_folder_job *job, sg_text *report)
{
    size_t written = 0, removed = 0;

    for (size_t i = job->first_write; i < job->first_write + job->write_count; i++) {
        const sg_write *file = &run->writes[i];
        written += file->action == SG_WRITE_DONE;
        removed += file->action == SG_WRITE_REMOVED;
        if (file->action != SG_WRITE_UNCHANGED)
            sg_text_printf(report, "%s %s\n", file->action == SG_WRITE_DONE ? "wrote" : "removed",
                           sg_printable(run->arena, file->path));
    }
    for (size_t t = 0; t < job->folder.plan_count && run->verbose; t++)
        for (size_t i = 0; i < job->folder.plans[t].skipped_count; i++)
            sg_text_printf(report, "skipped %s\n", job->folder.plans[t].skipped[i]);
    if (written || removed)
        sg_text_printf(report, "%s: %zu modules in %zu files: %zu written, %zu unchanged, "
                       "%zu removed\n", job->folder.title, job->emission.module_count,
                       job->emission.output_count, written, job->emission.output_count - written,
                       removed);
    else if (run->verbose)
        sg_text_printf(report, "%s: %s is up to date\n", job->folder.title,
                       sg_printable(run->arena, job->dir));
}

/* Completes the journal. If it cannot be written, the next run compares all files. */
static void finish_journal(const sg_output_run *run, const sg_folder_job *job)
{
    const sg_output *manifest = &job->emission.outputs[job->emission.output_count - 1];
    sg_diags *silent = sg_diags_create("");
    sg_write writes[SG_JOURNAL_FINISH_WRITES];

    sg_journal_finish(run->arena, job->dir, manifest->hash, writes);
    sg_write_files(silent, writes, SG_JOURNAL_FINISH_WRITES);
    sg_diags_destroy(silent);
}

/* ---- all of it ----------------------------------------------------------------------------- */

void sg_lock_outputs(sg_output_run *run)
{
    run->locks = sg_arena_alloc(run->arena, (run->count + 1) * sizeof *run->locks);
    for (size_t i = 0; i < run->count; i++)
        run->locks[i] = (sg_locked_folder){ .path = run->jobs[i].dir };
    run->lock_count = run->count;
    sg_lock_folders(run->arena, run->locks, run->lock_count);
}

bool sg_write_outputs(sg_output_run *run, sg_text *report)
{
    if (!sg_may_replace_outputs(run))
        return false;
    for (size_t i = 0; i < run->count; i++)
        if (!run->jobs[i].is_current)
            add_job_writes(run, &run->jobs[i]);
    if ((run->options->depfile && run->count && !add_depfile(run)) ||
        !sg_write_files(run->diags, run->writes, run->write_count))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        report_job(run, &run->jobs[i], report);
        if (!run->jobs[i].is_current)
            finish_journal(run, &run->jobs[i]);
    }
    return true;
}
