/* pipeline.c: the passes of spmvgen, in order, and what a run does with the files that they make.
 * Each pass fills in more of the emission (assemble/emission.h). */
#include "generator/pipeline.h"

#include <assert.h>
#include <string.h>

#include "generator/assemble/manifest_write.h"
#include "generator/assemble/passes.h"
#include "generator/bundle/bundle.h"
#include "generator/outputs/drift.h"
#include "generator/show/dump.h"

/* ---- the passes ---------------------------------------------------------------------------- */

static bool read_pages(const sg_pipeline *p, sg_emission *e)
{
    return sg_folder_read(p->arena, p->diags, p->catalog, p->selections, p->selection_count,
                          &e->folder);
}

static bool resolve(const sg_pipeline *p, sg_emission *e)
{
    return sg_folder_resolve(p->arena, p->diags, &e->folder);
}

static bool plan(const sg_pipeline *p, sg_emission *e)
{
    return sg_folder_plan(p->arena, p->diags, &e->folder);
}

static bool specialise(const sg_pipeline *p, sg_emission *e)
{
    return sg_make_modules(p->arena, p->diags, p->jobs, e);
}

static bool join(const sg_pipeline *p, sg_emission *e)
{
    return sg_make_joined(p->arena, p->diags, p->jobs, e);
}

static bool is_bundle(const sg_emission *e)
{
    return e->folder.plans[0].selection.bundle != NULL;
}

static bool assemble(const sg_pipeline *p, sg_emission *e)
{
    if (!is_bundle(e))
        sg_make_tables(p->arena, e);
    return sg_make_sources(p->arena, p->diags, p->jobs, e);
}

static bool parse_again(const sg_pipeline *p, sg_emission *e)
{
    if (!sg_parse_again(p->diags, e))
        return false;
    sg_warn_of_idle_values(p->diags, e);
    return true;
}

static bool collect(const sg_pipeline *p, sg_emission *e)
{
    if (is_bundle(e))
        return sg_bundle_make(p->arena, p->diags, e);
    sg_emission_add_sources(p->arena, e);
    return true;
}

static bool describe(const sg_pipeline *p, sg_emission *e)
{
    sg_text text = sg_text_in(p->arena);

    sg_manifest_write(&text, e);
    sg_emission_add_output(p->arena, e,
                           sg_output_make(SG_MANIFEST_NAME, text.data, text.length));
    return true;
}

typedef struct pass {
    const char *name;
    bool (*run)(const sg_pipeline *p, sg_emission *e);
    sg_dump *dump;
} pass;

static const pass passes[] = {
    /* Data in Lua, without libraries: each value keeps its file and line for messages. */
    { "page", read_pages, sg_dump_pages },
    /* Lua alone, so errors in all pages are told before any text is made. */
    { "resolve", resolve, sg_dump_parameters },
    /* Names of functions and files follow from selections alone, never from text or threads. */
    { "plan", plan, sg_dump_variants },
    /* Clang's AST says what is constant, so only the text around it changes: all else is the
     * author's. Each variant alone, as threads share nothing. */
    { "specialise", specialise, sg_dump_pieces },
    /* Types share most declarations; equal ones are written once. */
    { "join", join, sg_dump_sections },
    /* A file is one method, complete in itself; one table lists the modules by rank. */
    { "assemble", assemble, sg_dump_texts },
    /* Nothing is written that does not compile, whatever templates and tables say. Only now is it
     * known which values no text depends on. */
    { "parse", parse_again, sg_dump_parsed },
    /* Two files that need no library, of the specialised modules and runtime/; else the texts. */
    { "bundle", collect, sg_dump_outputs },
    /* The files, and all that they depend on, so that the next run knows what is up to date. */
    { "manifest", describe, sg_dump_manifest },
};

enum { PASSES = sizeof passes / sizeof passes[0], PLANNED = 3 };

const char *const sg_pass_names[] = { "page", "resolve", "plan", "specialise", "join", "assemble",
                                      "parse", "bundle", "manifest", NULL };

static_assert(sizeof sg_pass_names / sizeof sg_pass_names[0] == PASSES + 1, "names of passes");

static bool run_passes(const sg_pipeline *p, sg_emission *e, size_t from, size_t to)
{
    bool good = true;

    for (size_t i = from; i < to && good; i++)
        good = passes[i].run(p, e);
    return good;
}

static bool plan_folder(const sg_pipeline *p, sg_folder *out)
{
    sg_emission e = { .arena_count = 0 };
    const bool good = run_passes(p, &e, 0, PLANNED);

    *out = e.folder;
    return good;
}

static bool emit(const sg_pipeline *p, const sg_folder *folder, sg_emission *out)
{
    *out = (sg_emission){ .folder = *folder };
    return run_passes(p, out, PLANNED, PASSES);
}

bool sg_pipeline_dump(const sg_pipeline *p, const char *name)
{
    sg_emission e = { .arena_count = 0 };
    size_t last = 0;

    while (strcmp(passes[last].name, name) != 0)
        last++;
    const bool good = run_passes(p, &e, 0, last + 1);
    if (good)
        passes[last].dump(&e, p->report);
    sg_emission_free(&e);
    return good;
}

/* ---- writing ------------------------------------------------------------------------------- */

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

/* Plans the folder of the selections, unless an earlier folder is the same. */
static bool add_job(const sg_pipeline *p, sg_output_run *run)
{
    const char *dir = run->options->output;
    sg_folder_job *job = &run->jobs[run->count];

    if (!plan_folder(p, &job->folder))
        return false;
    job->requested = job->folder;
    job->dir = dir ? dir : sg_path_join(p->arena, "generated", job->folder.plans[0].target->name);
    for (const sg_folder_job *other = run->jobs; other < job; other++)
        if (!strcmp(other->dir, job->dir))
            return sg_folder_is_same(p->diags, &other->folder, &job->folder, job->dir);
    run->count++;
    job->names_methods = p->selections[0].methods.count != 0;
    warn_of_same_names(run, job);
    return true;
}

/* Adds the methods that the folder keeps, and finds out whether it is up to date. */
static bool inspect(const sg_pipeline *p, sg_output_run *run, sg_folder_job *job)
{
    sg_pipeline all = *p;

    if (!sg_folder_job_inspect(run, job, &all.selections, &all.selection_count) ||
        (all.selection_count && !plan_folder(&all, &job->folder)))
        return false;
    sg_folder_job_compare(run, job);
    return true;
}

/* Plans all folders before it emits any, so that errors of pages are told first. */
static bool make_jobs(const sg_pipeline *p, sg_output_run *run)
{
    sg_pipeline part = *p;
    bool good = true;

    part.selection_count = run->options->output ? p->selection_count : 1;
    for (size_t i = 0; i < p->selection_count; i += part.selection_count) {
        part.selections = &p->selections[i];
        good = add_job(&part, run) && good;
    }
    if (!good)
        return false;
    sg_lock_outputs(run);
    for (size_t i = 0; i < run->count; i++)
        good = inspect(p, run, &run->jobs[i]) && good;
    for (size_t i = 0; i < run->count && good; i++)
        if (!run->jobs[i].is_current)
            good = emit(p, &run->jobs[i].folder, &run->jobs[i].emission);
    return good;
}

bool sg_pipeline_write(const sg_pipeline *p, const sg_write_options *options)
{
    sg_output_run run = { .arena = p->arena, .diags = p->diags, .catalog = p->catalog,
                          .options = options, .verbose = p->verbose };

    run.jobs = sg_arena_alloc(p->arena, (p->selection_count + 1) * sizeof *run.jobs);
    const bool good = make_jobs(p, &run) && sg_write_outputs(&run, p->report);
    for (size_t i = 0; i < run.count; i++)
        sg_emission_free(&run.jobs[i].emission);
    sg_unlock_folders(run.locks, run.lock_count);
    return good;
}

/* ---- the other uses of an emission ---------------------------------------------------------- */

sg_verified sg_pipeline_verify(const sg_pipeline *p)
{
    const size_t count = p->selection_count;
    sg_emission *emissions = sg_arena_alloc(p->arena, (count + 1) * sizeof *emissions);
    const sg_compiler **compilers = sg_arena_alloc(p->arena, (count + 1) * sizeof *compilers);
    sg_verified verdict = SG_NOT_VERIFIED;
    sg_pipeline one = *p;
    bool good = true;

    one.selection_count = 1;
    for (size_t i = 0; i < count && good; i++) {
        sg_emission *e = &emissions[i];
        one.selections = &p->selections[i];
        good = plan_folder(&one, &e->folder) &&
               sg_verify_find_compiler(p->arena, p->diags, e->folder.plans, &compilers[i]) &&
               (!compilers[i] || run_passes(&one, e, PLANNED, PASSES));
    }
    if (good)
        verdict = sg_verify(p->arena, p->diags, emissions, compilers, count, p->jobs, p->report);
    for (size_t i = 0; i < count; i++)
        sg_emission_free(&emissions[i]);
    return verdict;
}

bool sg_pipeline_check(const sg_pipeline *p, const char *dir, const char *page)
{
    const char *path = sg_path_join(p->arena, dir, SG_MANIFEST_NAME);
    sg_emission e = { .arena_count = 0 };
    sg_manifest recorded;
    bool differs = true;
    const sg_manifest_state state = sg_manifest_read(p->arena, p->diags, dir, &recorded);

    if (state == SG_MANIFEST_MISSING)
        sg_diag(p->diags, SG_NOTE, (sg_loc){ NULL, 0, 0 },
                "--check takes a folder into which spmvgen has emitted");
    if (state != SG_MANIFEST_GOOD)
        return false;
    for (size_t i = 0; i < recorded.selection_count && page && recorded.target_count == 1; i++)
        recorded.selections[i].target = page;
    sg_pipeline again = *p;
    again.selections = recorded.selections;
    again.selection_count = recorded.selection_count;
    const bool good =
        run_passes(&again, &e, 0, PLANNED) &&
        sg_manifest_is_of(p->diags, &recorded, path, &e.folder, false) &&
        run_passes(&again, &e, PLANNED, PASSES) &&
        sg_drift_find(p->arena, p->diags, dir, &recorded, &e, p->report, &differs);
    sg_emission_free(&e);
    if (good && !differs && p->verbose)
        sg_text_printf(p->report, "%s: as emitted\n", sg_printable(p->arena, dir));
    return good && !differs;
}
