/* write_outputs.c: brings folders up to date. Only sg_write_files changes anything, at the end, but
 * new folders are made at the beginning, to be locked. */
#include "generator/outputs/write_outputs.h"

#include <string.h>

#include "generator/emit/emit.h"
#include "generator/outputs/folder_job.h"
#include "generator/outputs/outputs_depfile.h"
#include "generator/outputs/replace.h"

/* ---- the folder as it is ------------------------------------------------------------------- */

static const char *manifest_path(sg_output_run *run, const sg_folder_job *job)
{
    return sg_path_join(run->arena, job->dir, SG_MANIFEST_NAME);
}

/* True if a manifest's target, a name or FILE.lua, has this name. */
static bool is_page_of(const char *target, const char *name)
{
    const char *base = sg_path_base(target);
    const size_t length = strlen(name);

    return !strncmp(base, name, length) && (!base[length] || !strcmp(base + length, ".lua"));
}

/* Adds the folder's methods that this run does not name, since they are kept. */
static bool keep_others(sg_output_run *run, sg_folder_job *job, bool names_methods)
{
    const size_t count = job->folder.plan_count;
    sg_selection *named = sg_arena_alloc(run->arena, (count + 1) * sizeof *named);
    const sg_selection *all;

    /* A bundle has the methods of one run. */
    if (!names_methods || job->folder.plans[0].selection.bundle)
        return true;
    /* A page may have moved since the manifest was written: use the path of this run. */
    for (size_t i = 0; i < count; i++) {
        const sg_plan *plan = &job->folder.plans[i];
        named[i] = plan->selection;
        named[i].target = plan->requested;
        for (size_t k = 0; k < job->before.selection_count; k++)
            if (is_page_of(job->before.selections[k].target, plan->target->name))
                job->before.selections[k].target = plan->requested;
    }
    const size_t total = sg_folder_add(run->arena, job->before.selections,
                                       job->before.selection_count, named, count, &all);
    return sg_folder_plan(run->arena, run->diags, run->catalog, all, total, &job->folder);
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

static bool inspect_folder(sg_output_run *run, sg_folder_job *job)
{
    const bool names_methods = job->names_methods;
    const sg_loc loc = { manifest_path(run, job), 0, 0 };
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
    if (job->has_before && !keep_others(run, job, names_methods))
        return false;
    job->is_current = job->has_before &&
                      sg_journal_is_seen(run->arena, &job->journal, job->before.hash) &&
                      sg_manifest_is_current(run->arena, &job->before, &job->folder, job->dir);
    return true;
}

/* ---- writes -------------------------------------------------------------------------------- */

static void add_write(sg_output_run *run, sg_write write)
{
    if (run->write_count == run->write_capacity) {
        const size_t larger = run->write_capacity ? run->write_capacity * 2 : 64;
        run->writes = sg_arena_grow(run->arena, run->writes, run->write_count, larger,
                                    sizeof *run->writes);
        run->write_capacity = larger;
    }
    run->writes[run->write_count++] = write;
}

static void add_output_write(sg_output_run *run, const sg_folder_job *job, const sg_output *file)
{
    add_write(run, (sg_write){ .path = sg_path_join(run->arena, job->dir, file->name),
                             .text = file->text, .length = file->length });
}

static bool differs(const sg_output_run *run, const sg_folder_job *job, const sg_output *file)
{
    sg_arena *scratch = sg_arena_create();
    const char *text;
    size_t length;
    const bool same = !sg_read_file(scratch, sg_path_join(run->arena, job->dir, file->name),
                                    SG_LARGEST_OUTPUT, &text, &length) &&
                      length == file->length && !memcmp(text, file->text, length);

    sg_arena_destroy(scratch);
    return !same;
}

static bool any_differs(const sg_output_run *run, const sg_folder_job *job)
{
    for (size_t i = 0; i < job->emission.output_count; i++)
        if (!job->stays[i] && differs(run, job, &job->emission.outputs[i]))
            return true;
    return false;
}

/* Lists the files that an earlier run emitted and this one does not. They are removed, unless
 * they were changed by hand. */
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
        const char *text;
        size_t length;
        if (sg_emission_has(&job->emission, files[i].file) ||
            sg_read_file(run->arena, path, SG_LARGEST_OUTPUT, &text, &length))
            continue;
        if (sg_folder_job_owns(job, files[i].file, text, length))
            files[job->stale_count++] = files[i];
        else
            sg_diag(run->diags, SG_WARNING, (sg_loc){ path, 0, 0 },
                    "emitted no more, but changed by hand: it stays");
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
    for (size_t t = 0; t < job->folder.plan_count && run->options->verbose; t++)
        for (size_t i = 0; i < job->folder.plans[t].skipped_count; i++)
            sg_text_printf(report, "skipped %s\n", job->folder.plans[t].skipped[i]);
    if (written || removed)
        sg_text_printf(report, "%s: %zu modules in %zu files: %zu written, %zu unchanged, "
                       "%zu removed\n", job->folder.title, job->emission.module_count,
                       job->emission.output_count, written, job->emission.output_count - written,
                       removed);
    else if (run->options->verbose)
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

/* Targets in one program need different names in C. */
static void warn_of_same_names(const sg_output_run *run, const sg_folder_job *job)
{
    const sg_target *own = job->folder.plans[0].target;

    for (const sg_folder_job *other = run->jobs; other < job; other++) {
        const sg_target *target = other->folder.plans[0].target;
        if (!strcmp(own->c_name, target->c_name))
            sg_diag(run->diags, SG_WARNING, (sg_loc){ own->pages[0].file, 0, 0 },
                    "targets '%s' and '%s' give functions of the same names, since both are '%s' "
                    "in C: they cannot stand in one program; rename one", own->name, target->name,
                    own->c_name);
    }
}

static bool plan_folder(sg_output_run *run, sg_folder_job *job, const char *dir,
                        const sg_selection *selections, size_t count)
{
    if (!sg_folder_plan(run->arena, run->diags, run->catalog, selections, count, &job->folder))
        return false;
    job->requested = job->folder;
    job->dir = dir ? dir : sg_path_join(run->arena, "generated", job->folder.plans[0].target->name);
    for (const sg_folder_job *other = run->jobs; other < job; other++)
        if (!strcmp(other->dir, job->dir))
            return sg_folder_is_same(run->diags, &other->folder, &job->folder, job->dir);
    run->count++;
    job->names_methods = selections[0].methods.count != 0;
    warn_of_same_names(run, job);
    return true;
}

static void lock_folders(sg_output_run *run)
{
    run->locks = sg_arena_alloc(run->arena, (run->count + 1) * sizeof *run->locks);
    for (size_t i = 0; i < run->count; i++)
        run->locks[i] = (sg_locked_folder){ .path = run->jobs[i].dir };
    run->lock_count = run->count;
    sg_lock_folders(run->arena, run->locks, run->lock_count);
}

/* Plans all folders before it emits any, so that errors of pages are reported first. */
static bool prepare(sg_output_run *run, const sg_selection *selections, size_t count)
{
    const size_t each = run->options->output ? count : 1;
    bool good = true;

    for (size_t i = 0; i < count; i += each)
        good = plan_folder(run, &run->jobs[run->count], run->options->output, &selections[i],
                           each) && good;
    if (!good)
        return false;
    lock_folders(run);
    for (size_t i = 0; i < run->count; i++)
        good = inspect_folder(run, &run->jobs[i]) && good;
    for (size_t i = 0; i < run->count && good; i++)
        if (!run->jobs[i].is_current)
            good = sg_emit(run->arena, run->diags, &run->jobs[i].folder, run->options->jobs,
                           &run->jobs[i].emission);
    return good;
}

bool sg_write_outputs(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                      const sg_selection *selections, size_t count, const sg_write_options *options,
                      sg_text *report)
{
    sg_output_run run = { .arena = arena, .diags = diags, .catalog = catalog, .options = options };

    run.jobs = sg_arena_alloc(arena, (count + 1) * sizeof *run.jobs);
    bool good = prepare(&run, selections, count) && sg_may_replace_outputs(&run);
    if (good) {
        for (size_t i = 0; i < run.count; i++)
            if (!run.jobs[i].is_current)
                add_job_writes(&run, &run.jobs[i]);
        good = (!options->depfile || !run.count || add_depfile(&run)) &&
               sg_write_files(diags, run.writes, run.write_count);
    }
    for (size_t i = 0; i < run.count; i++) {
        if (good) {
            report_job(&run, &run.jobs[i], report);
            if (!run.jobs[i].is_current)
                finish_journal(&run, &run.jobs[i]);
        }
        sg_emission_free(&run.jobs[i].emission);
    }
    sg_unlock_folders(run.locks, run.lock_count);
    return good;
}
