/* drift.c: compares a folder with an emission, in the order of names. Changes nothing. */
#include "generator/outputs/drift.h"

#include <errno.h>
#include <string.h>

#include "generator/outputs/diff.h"
#include "generator/outputs/write_files.h"

#define EMITTED_PREFIX "spmv_"

typedef struct counts {
    size_t changed, missing, orphan;
    bool by_hand;                /* emitting again needs --force */
} counts;

static bool compare_file(sg_arena *arena, sg_diags *diags, const char *dir,
                         const sg_manifest *recorded, const sg_output *file, sg_text *out,
                         counts *found)
{
    const char *path = sg_path_join(arena, dir, file->name);
    const char *text;
    size_t length;
    const int error = sg_read_file(arena, path, SG_LARGEST_OUTPUT, &text, &length);

    if (error == ENOENT) {
        sg_text_printf(out, "missing: %s\n", sg_printable(arena, path));
        found->missing++;
        return true;
    }
    if (error) {
        sg_diag(diags, SG_ERROR, (sg_loc){ path, 0, 0 }, "cannot be read: %s",
                sg_read_error(error));
        return false;
    }
    if (length == file->length && !memcmp(text, file->text, length))
        return true;
    found->changed++;
    if (strcmp(file->name, SG_MANIFEST_NAME) &&
        !sg_manifest_matches(recorded, file->name, text, length))
        found->by_hand = true;
    sg_diff(arena, diags, path, sg_printable(arena, path), file->text, file->length, out);
    return true;
}

bool sg_drift_find(sg_arena *arena, sg_diags *diags, const char *dir, const sg_manifest *recorded,
                   const sg_emission *emission, sg_text *out, bool *differs)
{
    const char *const *names;
    size_t name_count;
    counts found = { 0 };
    const int error = sg_list_dir(arena, dir, &names, &name_count);

    if (error) {
        sg_diag(diags, SG_ERROR, (sg_loc){ dir, 0, 0 }, "cannot be listed: %s",
                sg_read_error(error));
        return false;
    }
    for (size_t i = 0; i < emission->output_count; i++)
        if (!compare_file(arena, diags, dir, recorded, &emission->outputs[i], out, &found))
            return false;
    for (size_t i = 0; i < name_count; i++) {
        const char *name = names[i];
        const bool is_ours = !strncmp(name, EMITTED_PREFIX, strlen(EMITTED_PREFIX)) ||
                             sg_inputs_have(recorded->files, recorded->file_count, name);
        if (!is_ours || sg_emission_has(emission, name))
            continue;
        sg_text_printf(out, "orphan: %s\n", sg_printable(arena, sg_path_join(arena, dir, name)));
        found.orphan++;
    }
    *differs = found.changed || found.missing || found.orphan;
    if (*differs) {
        const char *shown = sg_printable(arena, dir);
        sg_text_printf(out, "%s: %zu changed, %zu missing, %zu orphan; ", shown, found.changed,
                       found.missing, found.orphan);
        if (found.changed || found.missing) {
            sg_folder_advice(out, &emission->folder, shown, found.by_hand);
            sg_text_append(out, " makes it anew");
        }
        if (found.orphan)
            sg_text_printf(out, "%sremove orphans, or rename those that are yours",
                           found.changed || found.missing ? "; " : "");
        sg_text_append(out, "\n");
    }
    return true;
}
