/* depfile.c: the inputs of emitted files as a rule for make and ninja. */
#define _POSIX_C_SOURCE 200809L
#include "generator/outputs/folder_job.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ---- a rule --------------------------------------------------------------------------------- */

static void append_name(sg_text *out, const char *name)
{
    for (const char *at = name; *at; at++) {
        if (*at == '$')
            sg_text_append(out, "$");
        else if (strchr(" \t#:", *at) && *at)
            sg_text_append(out, "\\");
        sg_text_append_bytes(out, at, 1);
    }
}

static void append_names(sg_text *out, const sg_name_set *names, bool leading)
{
    for (size_t i = 0; i < names->count; i++) {
        if (leading || i)
            sg_text_append(out, " \\\n  ");
        append_name(out, names->name[i]);
    }
}

/* `first rest...: inputs...`, one name a line, with the escapes of make. */
static void write_rule(sg_text *out, const sg_name_set *outputs, const sg_name_set *inputs)
{
    append_names(out, outputs, false);
    sg_text_append(out, ":");
    append_names(out, inputs, true);
    sg_text_append(out, "\n");
}

/* The path relative to the current folder: "../templates/x.c". path is canonical. Returns path
 * itself if the current folder is unknown. */
static const char *relative_path(sg_arena *arena, const char *path)
{
    char here[PATH_MAX];
    sg_text out = sg_text_in(arena);
    size_t shared = 0, i = 0;

    if (*path != '/' || !getcwd(here, sizeof here))
        return path;
    /* `shared`: the length of the common prefix, up to its last slash. */
    for (; here[i] && here[i] == path[i]; i++)
        if (path[i] == '/')
            shared = i + 1;
    if (!here[i] && path[i] == '/')
        return sg_arena_strdup(arena, path + i + 1);

    const char *rest = here + shared;
    for (const char *at = rest; *at; at++)
        if (at == rest || *at == '/')
            sg_text_append(&out, "../");
    sg_text_append(&out, path + shared);
    return out.data;
}

/* ---- of a run ------------------------------------------------------------------------------- */

static void add_input(const sg_output_run *run, sg_name_set *list, const sg_target *target,
                      const char *file)
{
    const char *path = sg_input_path(run->arena, run->catalog->root, target, file);
    sg_name_set_add(run->arena, list, relative_path(run->arena, path));
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
    write_rule(&text, &outputs, &inputs);
    return text.data;
}
