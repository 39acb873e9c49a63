/* main.c: spmvgen. Parses the command line, loads the data and runs the selected mode. Only this
 * file prints and chooses exit codes, except when memory runs out (base/arena.c). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "generator/page/target_load.h"
#include "generator/show/explain.h"
#include "generator/show/list.h"
#include "generator/show/tunable.h"
#include "generator/options.h"
#include "generator/pipeline.h"
#include "generator/root.h"
#include "generator/base/text.h"
#include "common/base/usable_cpus.h"

enum { EXIT_GOOD = 0, EXIT_INPUT = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3, EXIT_UNVERIFIABLE = 4 };

typedef struct run {
    sg_arena *arena;
    sg_diags *diags;
    sg_options options;
    sg_catalog catalog;
    sg_text report;              /* for stdout */
    int failure;                 /* the exit code if the mode fails */
} run;

static int job_count(const sg_options *options)
{
    const int32_t cpus = spmv_usable_cpus();

    if (options->jobs)
        return (int)options->jobs;
    return cpus > 64 ? 64 : cpus;
}

static bool load_methods(run *r)
{
    const size_t errors = sg_diags_error_count(r->diags);

    r->catalog.methods = sg_method_load_all(r->arena, r->diags, r->catalog.root,
                                            &r->catalog.method_count);
    return sg_diags_error_count(r->diags) == errors;
}

/* ---- modes --------------------------------------------------------------------------------- */

/* The selection of each target. */
static const sg_selection *selections_of(run *r)
{
    const sg_options *o = &r->options;
    sg_selection *selections = sg_arena_alloc(r->arena, o->targets.count * sizeof *selections);

    for (size_t i = 0; i < o->targets.count; i++)
        selections[i] = (sg_selection){
            .target = o->targets.name[i], .methods = o->methods, .types = o->types,
            .offsets = o->offsets, .set = o->set, .figures = o->figures,
            .one_vector = o->one_vector || o->is_static,
            .program_files = o->program_files, .line_directives = o->line_directives,
            .bundle = !o->bundle ? NULL : o->prefix ? o->prefix : SG_DEFAULT_PREFIX,
            .is_static = o->is_static,
        };
    return selections;
}

static bool prepare(run *r, sg_pipeline *out)
{
    *out = (sg_pipeline){ .arena = r->arena, .diags = r->diags, .catalog = &r->catalog,
                          .selections = selections_of(r),
                          .selection_count = r->options.targets.count,
                          .jobs = job_count(&r->options), .verbose = r->options.verbose,
                          .report = &r->report };
    return load_methods(r);
}

static bool emit(run *r)
{
    const sg_options *o = &r->options;
    const sg_write_options options = { .output = o->bundle ? o->bundle : o->output,
                                       .depfile = o->depfile, .force = o->force };
    sg_pipeline pipeline;

    return prepare(r, &pipeline) && sg_pipeline_write(&pipeline, &options);
}

static bool dump(run *r)
{
    sg_pipeline pipeline;

    return prepare(r, &pipeline) && sg_pipeline_dump(&pipeline, r->options.dump);
}

static bool verify(run *r)
{
    sg_pipeline pipeline;

    if (!prepare(r, &pipeline))
        return false;
    const sg_verified verdict = sg_pipeline_verify(&pipeline);
    if (verdict == SG_NOT_VERIFIABLE)
        r->failure = EXIT_UNVERIFIABLE;
    return verdict == SG_VERIFIED;
}

static bool check(run *r)
{
    const sg_options *o = &r->options;
    sg_pipeline pipeline;
    bool good = prepare(r, &pipeline);

    for (size_t i = 0; i < o->checks.count; i++)
        good = sg_pipeline_check(&pipeline, o->checks.name[i],
                                 o->targets.count ? o->targets.name[0] : NULL) && good;
    return good;
}

static bool explain(run *r)
{
    const sg_options *o = &r->options;
    bool good = load_methods(r);

    for (size_t t = 0; t < o->targets.count && good; t++) {
        const sg_target *target = sg_target_load_with(r->arena, r->diags, r->catalog.root,
                                                      o->targets.name[t], &o->set);
        good = target && sg_method_check_assignments(r->diags, target, r->catalog.methods,
                                                     r->catalog.method_count);
        for (size_t i = 0; i < o->explains.count && good; i++) {
            if (r->report.length)
                sg_text_append(&r->report, "\n");
            good = sg_explain(r->arena, r->diags, &r->catalog, target, o->explains.name[i],
                              &r->report);
        }
    }
    return good;
}

static bool tunable(run *r)
{
    const sg_options *o = &r->options;
    const sg_target *target = load_methods(r)
        ? sg_target_load_with(r->arena, r->diags, r->catalog.root, o->targets.name[0], &o->set)
        : NULL;

    return target && sg_method_check_assignments(r->diags, target, r->catalog.methods,
                                                 r->catalog.method_count) &&
           sg_list_tunable(r->arena, r->diags, &r->catalog, target, &r->report);
}

static bool list_targets(run *r)
{
    return sg_list_targets(r->arena, r->diags, r->catalog.root, &r->report);
}

static bool list_methods(run *r)
{
    const bool good = load_methods(r);

    sg_list_methods(r->arena, &r->catalog, &r->report);
    return good;
}

static const struct {
    sg_mode mode;
    bool (*run)(run *);
} modes[] = {
    { SG_MODE_EMIT, emit },
    { SG_MODE_VERIFY, verify },
    { SG_MODE_CHECK, check },
    { SG_MODE_DUMP, dump },
    { SG_MODE_EXPLAIN, explain },
    { SG_MODE_TUNABLE, tunable },
    { SG_MODE_LIST_TARGETS, list_targets },
    { SG_MODE_LIST_METHODS, list_methods },
};

/* ---- program ------------------------------------------------------------------------------- */

static bool run_mode(run *r)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (modes[i].mode == r->options.mode)
            return modes[i].run(r);
    return false;
}

/* Output lost to a full disk or a closed pipe must not look like success. */
static int finish(int code)
{
    if (fflush(stdout) || ferror(stdout)) {
        fputs("spmvgen: error: standard output cannot be written\n", stderr);
        return code ? code : EXIT_INPUT;
    }
    return code;
}

/* Returns an error if there is no working folder, since Clang would end the process; else NULL. */
static const char *folder_fault(sg_arena *arena)
{
    char *folder = getcwd(NULL, 0);
    const char *fault = folder ? NULL
        : sg_arena_printf(arena, "the working folder cannot be found (%s): it may have been "
                          "removed; change to a folder that is there", strerror(errno));

    free(folder);
    return fault;
}

/* Prints what the command line asks about spmvgen itself; false: it asks nothing. */
static bool print_about(const sg_options *options)
{
    const sg_program *program = sg_options_program();

    if (options->mode == SG_MODE_HELP)
        sg_program_help(program, stdout);
    else if (options->mode == SG_MODE_COMPLETION)
        sg_completion_print(program, stdout);
    else if (options->mode == SG_MODE_VERSION)
        printf("spmvgen %s\n", SG_VERSION);
    else
        return false;
    return true;
}

static int run_program(run *r, int argc, char **argv)
{
    const char *why = sg_options_parse(r->arena, argc, argv, &r->options);

    if (why) {
        fprintf(stderr, "spmvgen: error: %s\nTry 'spmvgen --help'.\n",
                sg_printable(r->arena, why));
        return EXIT_USAGE;
    }
    if (print_about(&r->options))
        return finish(EXIT_GOOD);
    why = folder_fault(r->arena);
    if (!why)
        r->catalog.root = sg_root_find(r->arena, r->options.data, &why);
    if (!r->catalog.root) {
        fprintf(stderr, "spmvgen: error: %s\n", sg_printable(r->arena, why));
        return EXIT_INPUT;
    }
    r->diags = sg_diags_create(r->catalog.root);
    r->report = sg_text_in(r->arena);
    const bool good = run_mode(r);
    fwrite(r->report.data, 1, r->report.length, stdout);
    const int code = finish(good ? EXIT_GOOD : r->failure);
    sg_diags_print(r->diags, stderr);
    sg_diags_destroy(r->diags);
    return code;
}

int main(int argc, char **argv)
{
    run r = { .arena = sg_arena_create(), .failure = EXIT_INPUT };
    const int code = run_program(&r, argc, argv);

    sg_arena_destroy(r.arena);
    return code;
}
