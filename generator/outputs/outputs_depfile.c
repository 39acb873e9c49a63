/* outputs_depfile.c: see outputs_depfile.h. */
#include "generator/outputs/outputs_depfile.h"

#include <string.h>

#include "generator/base/text.h"
#include "generator/outputs/depfile.h"

static void add_input(const sg_output_run *run, sg_name_set *list, const sg_target *target,
                      const char *file)
{
    const char *path = sg_input_path(run->arena, run->catalog->root, target, file);
    sg_name_set_add(run->arena, list, sg_relative_path(run->arena, path));
}

/* Adds a file that the manifest names. A page of one of the targets has its own path. */
static void add_recorded(const sg_output_run *run, sg_name_set *list, const sg_folder_job *job,
                         const char *file)
{
    const sg_target *target = job->folder.plans[0].target;

    for (size_t t = 0; t < job->folder.plan_count; t++)
        for (size_t k = 0; k < job->folder.plans[t].target->page_count; k++)
            if (!strcmp(sg_shown_file(job->folder.plans[t].target->pages[k].file), file))
                target = job->folder.plans[t].target;
    add_input(run, list, target, file);
}

static void add_output(const sg_output_run *run, sg_name_set *list, const sg_folder_job *job,
                       const char *file)
{
    sg_name_set_add(run->arena, list, sg_path_join(run->arena, job->dir, file));
}

/* False, with a diagnostic, if a rule cannot have one of the names: make would read what follows a
 * line feed as a line of its own, even as a command. */
static bool fit_rule(const sg_output_run *run, const sg_name_set *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (strpbrk(names->name[i], "\r\n")) {
            sg_diag(run->diags, SG_ERROR, (sg_loc){ run->options->depfile, 0, 0 },
                    "a rule of make cannot name '%s', which has a line break; rename it",
                    sg_printable(run->arena, names->name[i]));
            return false;
        }
    return true;
}

/* Whether the file of --depfile may be replaced: it is none, empty, or an older rule, whose first
 * target is a manifest. So it is no page, no emitted file and no file of the user's. */
static bool is_replaceable(const sg_output_run *run)
{
    static const char first[] = SG_MANIFEST_NAME;
    const char *path = run->options->depfile, *text;
    size_t length;

    if (!sg_is_file(path) || sg_read_file(run->arena, path, SG_LARGEST_OUTPUT, &text, &length))
        return true;             /* what cannot be read is told where it is written */
    const size_t line = strcspn(text, "\n");
    const char *end = line >= 2 && !memcmp(text + line - 2, " \\", 2) ? text + line - 2 : text;
    if (!length || (end >= text + strlen(first) && !memcmp(end - strlen(first), first,
                                                           strlen(first))))
        return true;
    sg_diag(run->diags, SG_ERROR, (sg_loc){ path, 0, 0 }, "expected no file, or an older rule of "
            "--depfile, which this is not; name another file, or remove this one");
    return false;
}

const char *sg_outputs_depfile(const sg_output_run *run)
{
    sg_name_set outputs = { 0 }, inputs = { 0 };
    sg_text text = sg_text_in(run->arena);

    for (size_t i = 0; i < run->count; i++) {
        const sg_folder_job *job = &run->jobs[i];
        add_output(run, &outputs, job, SG_MANIFEST_NAME);
        for (size_t k = 0; k < job->before.file_count && job->is_current; k++)
            add_output(run, &outputs, job, job->before.files[k].file);
        for (size_t k = 0; k < job->emission.output_count; k++)
            add_output(run, &outputs, job, job->emission.outputs[k].name);

        for (size_t t = 0; t < job->folder.plan_count; t++)
            for (size_t k = 0; k < job->folder.plans[t].target->page_count; k++)
                add_input(run, &inputs, job->folder.plans[t].target,
                          job->folder.plans[t].target->pages[k].file);
        for (size_t k = 0; k < job->before.input_count && job->is_current; k++)
            add_recorded(run, &inputs, job, job->before.inputs[k].file);
        for (size_t k = 0; k < job->emission.input_count; k++)
            add_recorded(run, &inputs, job, job->emission.inputs[k].file);
    }
    /* Every method's declarations are read, to check the pages' assignments. */
    for (size_t i = 0; i < run->catalog->method_count; i++)
        for (size_t k = 0; k < run->catalog->methods[i]->input_count; k++)
            add_input(run, &inputs, run->jobs[0].folder.plans[0].target,
                      run->catalog->methods[i]->inputs[k].file);
    inputs = sg_name_set_sorted(run->arena, &inputs);
    if (!fit_rule(run, &outputs) || !fit_rule(run, &inputs) || !is_replaceable(run))
        return NULL;
    sg_depfile_write(&text, &outputs, &inputs);
    return text.data;
}
