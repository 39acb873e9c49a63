/* write_outputs.c: brings folders up to date. Only sg_write_all changes anything, at the very end. */
#include "generator/emit/write_outputs.h"

#include <string.h>

#include "generator/emit/depfile.h"
#include "generator/emit/state.h"
#include "generator/emit/emit.h"

/* One folder on its way. */
typedef struct parcel {
    const char *dir;
    sg_folder asked, folder;     /* of this run alone; with the methods that it keeps */
    sg_manifest before;
    sg_state state;
    bool has_before, is_current;
    sg_emission emission;
    bool *stays;                 /* by output: it is another's, who changed it */
    const sg_input *stale;        /* files of earlier runs that go */
    size_t stale_count;
    size_t first_write, write_count;
} parcel;

typedef struct delivery {
    sg_arena *arena;
    sg_diags *diags;
    const sg_catalog *catalog;
    const sg_order *order;
    parcel *parcels;
    size_t count;
    sg_write *writes;
    size_t write_count, write_capacity;
} delivery;

/* ---- what is there ------------------------------------------------------------------------- */

static const char *manifest_path(delivery *d, const parcel *p)
{
    return sg_path_join(d->arena, p->dir, SG_MANIFEST_NAME);
}

/* Does a manifest's target, a name or FILE.lua, have this name? */
static bool is_page_of(const char *target, const char *name)
{
    const char *base = sg_path_base(target);
    const size_t length = strlen(name);

    return !strncmp(base, name, length) && (!base[length] || !strcmp(base + length, ".lua"));
}

/* A folder keeps the methods that this run does not name. */
static bool keep_others(delivery *d, parcel *p, bool names_methods)
{
    const size_t count = p->folder.plan_count;
    sg_selection *named = sg_arena_alloc(d->arena, (count + 1) * sizeof *named);
    const sg_selection *all;

    if (!names_methods)
        return true;
    /* Pages of this run are where it says, wherever the manifest's run had them. */
    for (size_t i = 0; i < count; i++) {
        const sg_plan *plan = &p->folder.plans[i];
        named[i] = plan->selection;
        named[i].target = plan->asked;
        for (size_t k = 0; k < p->before.selection_count; k++)
            if (is_page_of(p->before.selections[k].target, plan->target->name))
                p->before.selections[k].target = plan->asked;
    }
    const size_t total = sg_folder_add(d->arena, p->before.selections, p->before.selection_count,
                                       named, count, &all);
    return sg_folder_plan(d->arena, d->diags, d->catalog, all, total, &p->folder);
}

static bool look(delivery *d, parcel *p, bool names_methods)
{
    const sg_loc loc = { manifest_path(d, p), 0, 0 };
    const sg_manifest_state state = sg_manifest_read(d->arena, NULL, p->dir, &p->before);

    sg_state_read(d->arena, p->dir, &p->state);
    p->has_before = state == SG_MANIFEST_GOOD;
    if (state == SG_MANIFEST_FOREIGN && !d->order->force) {
        sg_diag(d->diags, SG_ERROR, loc, "this file is not spmvgen's and would be replaced; "
                "choose another folder with -o DIR, or replace it with --force");
        return false;
    }
    if (state == SG_MANIFEST_DAMAGED && names_methods)
        sg_diag(d->diags, SG_WARNING, loc,
                "cannot be read any more, so the folder's table loses the methods that this run "
                "does not name; emit them again");
    if (p->has_before && !sg_manifest_is_of(d->diags, &p->before, loc.file, &p->folder,
                                            names_methods)) {
        sg_diag(d->diags, SG_NOTE, (sg_loc){ 0 },
                "choose another folder with -o DIR, or remove this one and emit for all targets "
                "at once");
        return false;
    }
    if (p->has_before && !keep_others(d, p, names_methods))
        return false;
    p->is_current = p->has_before && sg_state_is_seen(d->arena, &p->state, p->before.hash) &&
                    sg_manifest_is_current(d->arena, &p->before, &p->folder, p->dir);
    return true;
}

/* ---- what may be replaced ------------------------------------------------------------------ */

/* Is the text spmvgen's own, of the last run that succeeded or of one that was killed since? */
static bool is_own(const parcel *p, const char *file, const char *text, size_t length)
{
    return sg_manifest_vouches(&p->before, file, text, length) ||
           sg_state_vouches(&p->state, file, text, length);
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

/* Of a method that is only kept? */
static bool is_kept(const parcel *p, const char *name)
{
    return has_method_file(&p->folder, name) && !has_method_file(&p->asked, name);
}

/* A file that someone changed, or that spmvgen never wrote, is not taken from him. One of a method
 * that is only kept stays as it is. */
static bool may_replace(const delivery *d, const parcel *p, const sg_output *file, bool *stays)
{
    sg_arena *scratch = sg_arena_create();
    const sg_loc loc = { sg_path_join(d->arena, p->dir, file->name), 0, 0 };
    const bool was_emitted = sg_inputs_have(p->before.files, p->before.file_count, file->name);
    const char *text;
    size_t length;
    bool may = true;
    const int error = sg_read_file(scratch, loc.file, SG_LARGEST_OUTPUT, &text, &length);

    if (error && sg_is_file(loc.file)) {
        may = false;
        sg_diag(d->diags, SG_ERROR, loc, "would be replaced, but nothing says what is in it: %s",
                sg_read_error(error));
    } else if (!error && (length != file->length || memcmp(text, file->text, length)) &&
               !is_own(p, file->name, text, length)) {
        *stays = was_emitted && is_kept(p, file->name);
        may = *stays;
        if (may)
            sg_diag(d->diags, SG_WARNING, loc, "changed by hand: it stays, since this run names "
                    "other methods");
        else
            sg_diag(d->diags, SG_ERROR, loc, "would be replaced, but %s",
                    was_emitted ? "was changed since it was emitted"
                                : "nothing says that spmvgen wrote it");
    }
    sg_arena_destroy(scratch);
    return may;
}

/* The manifest, the last output, has been judged by look. --force is for what the run names. */
static bool may_replace_all(const delivery *d)
{
    bool may = true;

    for (size_t i = 0; i < d->count; i++) {
        parcel *p = &d->parcels[i];
        p->stays = sg_arena_alloc(d->arena, (p->emission.output_count + 1) * sizeof *p->stays);
        for (size_t k = 0; k + 1 < p->emission.output_count; k++)
            if (!d->order->force || is_kept(p, p->emission.outputs[k].name))
                may = may_replace(d, p, &p->emission.outputs[k], &p->stays[k]) && may;
    }
    if (!may)
        sg_diag(d->diags, SG_NOTE, (sg_loc){ 0 }, "nothing was written; move what is to be kept "
                "under another name or into another folder, or replace it with --force");
    return may;
}

/* ---- what to write ------------------------------------------------------------------------- */

static void add_write(delivery *d, sg_write write)
{
    if (d->write_count == d->write_capacity) {
        const size_t larger = d->write_capacity ? d->write_capacity * 2 : 64;
        d->writes = sg_arena_grow(d->arena, d->writes, d->write_count, larger, sizeof *d->writes);
        d->write_capacity = larger;
    }
    d->writes[d->write_count++] = write;
}

static void add_output_write(delivery *d, const parcel *p, const sg_output *file)
{
    add_write(d, (sg_write){ .path = sg_path_join(d->arena, p->dir, file->name),
                             .text = file->text, .length = file->length });
}

static bool differs(const delivery *d, const parcel *p, const sg_output *file)
{
    sg_arena *scratch = sg_arena_create();
    const char *text;
    size_t length;
    const bool same = !sg_read_file(scratch, sg_path_join(d->arena, p->dir, file->name),
                                    SG_LARGEST_OUTPUT, &text, &length) &&
                      length == file->length && !memcmp(text, file->text, length);

    sg_arena_destroy(scratch);
    return !same;
}

static bool any_differs(const delivery *d, const parcel *p)
{
    for (size_t i = 0; i < p->emission.output_count; i++)
        if (!p->stays[i] && differs(d, p, &p->emission.outputs[i]))
            return true;
    return false;
}

/* What an earlier run emitted and this one does not goes, unless someone has changed it since. */
static void find_stale(delivery *d, parcel *p)
{
    const size_t most = p->before.file_count + p->state.announced_count;
    sg_input *files = sg_arena_alloc(d->arena, (most + 1) * sizeof *files);
    size_t count = 0;

    for (size_t i = 0; i < p->before.file_count; i++)
        files[count++] = p->before.files[i];
    for (size_t i = 0; i < p->state.announced_count; i++)
        files[count++] = p->state.announced[i];
    count = sg_inputs_sort(files, count);
    for (size_t i = 0; i < count; i++) {
        const char *path = sg_path_join(d->arena, p->dir, files[i].file);
        const char *text;
        size_t length;
        if (sg_emission_has(&p->emission, files[i].file) ||
            sg_read_file(d->arena, path, SG_LARGEST_OUTPUT, &text, &length))
            continue;
        if (is_own(p, files[i].file, text, length))
            files[p->stale_count++] = files[i];
        else
            sg_diag(d->diags, SG_WARNING, (sg_loc){ path, 0, 0 },
                    "emitted no more, but changed by hand: it stays");
    }
    p->stale = files;
}

/* A run that is killed leaves files of its own beside those of the run before, whose manifest does
 * not know them. What an earlier run announced stays announced until one run gets through. */
static void announce(delivery *d, const parcel *p)
{
    const size_t most = p->emission.output_count + p->state.announced_count;
    sg_input *pages = sg_arena_alloc(d->arena, most * sizeof *pages);
    sg_write writes[SG_STATE_WRITES];
    size_t count = 0;

    for (size_t i = 0; i < p->emission.output_count; i++)
        if (!p->stays[i])
            pages[count++] = (sg_input){ p->emission.outputs[i].name, p->emission.outputs[i].hash };
    for (size_t i = 0; i < p->state.announced_count; i++)
        pages[count++] = p->state.announced[i];
    sg_state_announce(d->arena, p->dir, pages, count, writes);
    for (size_t i = 0; i < SG_STATE_WRITES; i++)
        add_write(d, writes[i]);
}

/* The manifest comes last: until then that of the run before speaks for all files. */
static void add_parcel(delivery *d, parcel *p)
{
    const size_t last = p->emission.output_count - 1;

    find_stale(d, p);
    if (p->stale_count || any_differs(d, p))
        announce(d, p);
    p->first_write = d->write_count;
    for (size_t i = 0; i < last; i++)
        if (!p->stays[i])
            add_output_write(d, p, &p->emission.outputs[i]);
    for (size_t i = 0; i < p->stale_count; i++)
        add_write(d, (sg_write){ .path = sg_path_join(d->arena, p->dir, p->stale[i].file) });
    add_output_write(d, p, &p->emission.outputs[last]);
    p->write_count = d->write_count - p->first_write;
}

/* ---- depfile ------------------------------------------------------------------------------- */

static void add_input(const delivery *d, sg_names *list, const sg_target *target, const char *file)
{
    const char *path = sg_input_path(d->arena, d->catalog->root, target, file);
    sg_names_add(d->arena, list, sg_relative_path(d->arena, path));
}

/* A file that the manifest names: a page of one of the targets has its own path. */
static void add_recorded(const delivery *d, sg_names *list, const parcel *p, const char *file)
{
    const sg_target *target = p->folder.plans[0].target;

    for (size_t t = 0; t < p->folder.plan_count; t++)
        for (size_t k = 0; k < p->folder.plans[t].target->page_count; k++)
            if (!strcmp(sg_shown_file(p->folder.plans[t].target->pages[k].file), file))
                target = p->folder.plans[t].target;
    add_input(d, list, target, file);
}

static void add_output(const delivery *d, sg_names *list, const parcel *p, const char *file)
{
    sg_names_add(d->arena, list, sg_path_join(d->arena, p->dir, file));
}

static void add_depfile(delivery *d)
{
    sg_names outputs = { 0 }, inputs = { 0 };
    sg_text text = sg_text_in(d->arena);

    for (size_t i = 0; i < d->count; i++) {
        const parcel *p = &d->parcels[i];
        add_output(d, &outputs, p, SG_MANIFEST_NAME);
        for (size_t k = 0; k < p->before.file_count && p->is_current; k++)
            add_output(d, &outputs, p, p->before.files[k].file);
        for (size_t k = 0; k < p->emission.output_count; k++)
            add_output(d, &outputs, p, p->emission.outputs[k].name);

        for (size_t t = 0; t < p->folder.plan_count; t++)
            for (size_t k = 0; k < p->folder.plans[t].target->page_count; k++)
                add_input(d, &inputs, p->folder.plans[t].target,
                          p->folder.plans[t].target->pages[k].file);
        for (size_t k = 0; k < p->before.input_count && p->is_current; k++)
            add_recorded(d, &inputs, p, p->before.inputs[k].file);
        for (size_t k = 0; k < p->emission.input_count; k++)
            add_recorded(d, &inputs, p, p->emission.inputs[k].file);
    }
    /* Every method's declarations are read, to check the pages' assignments. */
    for (size_t i = 0; i < d->catalog->method_count; i++)
        for (size_t k = 0; k < d->catalog->methods[i]->input_count; k++)
            add_input(d, &inputs, d->parcels[0].folder.plans[0].target,
                      d->catalog->methods[i]->inputs[k].file);
    inputs = sg_names_sorted(d->arena, &inputs);
    sg_depfile_write(&text, &outputs, &inputs);
    add_write(d, (sg_write){ .path = d->order->depfile, .text = text.data,
                             .length = text.length });
}

/* ---- report -------------------------------------------------------------------------------- */

static void report_parcel(const delivery *d, const parcel *p, sg_text *report)
{
    size_t written = 0, removed = 0;

    for (size_t i = p->first_write; i < p->first_write + p->write_count; i++) {
        const sg_write *file = &d->writes[i];
        written += file->action == SG_WRITE_DONE;
        removed += file->action == SG_WRITE_REMOVED;
        if (file->action != SG_WRITE_UNCHANGED)
            sg_text_printf(report, "%s %s\n", file->action == SG_WRITE_DONE ? "wrote" : "removed",
                           sg_printable(d->arena, file->path));
    }
    for (size_t t = 0; t < p->folder.plan_count && d->order->verbose; t++)
        for (size_t i = 0; i < p->folder.plans[t].skipped_count; i++)
            sg_text_printf(report, "skipped %s\n", p->folder.plans[t].skipped[i]);
    if (written || removed)
        sg_text_printf(report, "%s: %zu modules in %zu files: %zu written, %zu unchanged, "
                       "%zu removed\n", p->folder.title, p->emission.module_count,
                       p->emission.output_count, written, p->emission.output_count - written,
                       removed);
    else if (d->order->verbose)
        sg_text_printf(report, "%s: %s is up to date\n", p->folder.title,
                       sg_printable(d->arena, p->dir));
}

/* All files are in place. Where this cannot be noted, the next run looks again. */
static void settle(const delivery *d, const parcel *p)
{
    const sg_output *manifest = &p->emission.outputs[p->emission.output_count - 1];
    sg_diags *unheard = sg_diags_create("");
    sg_write writes[SG_STATE_SETTLE_WRITES];

    sg_state_settle(d->arena, p->dir, manifest->hash, writes);
    sg_write_all(unheard, writes, SG_STATE_SETTLE_WRITES);
    sg_diags_destroy(unheard);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Targets in one program need names of their own in C. */
static void warn_of_same_names(const delivery *d, const parcel *p)
{
    const sg_target *own = p->folder.plans[0].target;

    for (const parcel *other = d->parcels; other < p; other++) {
        const sg_target *target = other->folder.plans[0].target;
        if (!strcmp(own->c_name, target->c_name))
            sg_diag(d->diags, SG_WARNING, (sg_loc){ own->pages[0].file, 0, 0 },
                    "targets '%s' and '%s' give functions of the same names, since both are '%s' "
                    "in C: they cannot stand in one program; rename one", own->name, target->name,
                    own->c_name);
    }
}

static bool plan_folder(delivery *d, parcel *p, const char *dir, const sg_selection *selections,
                        size_t count)
{
    if (!sg_folder_plan(d->arena, d->diags, d->catalog, selections, count, &p->folder))
        return false;
    p->asked = p->folder;
    p->dir = dir ? dir : sg_path_join(d->arena, "generated", p->folder.plans[0].target->name);
    for (const parcel *other = d->parcels; other < p; other++)
        if (!strcmp(other->dir, p->dir))
            return sg_folder_clash(d->diags, &other->folder, &p->folder, p->dir);
    d->count++;
    warn_of_same_names(d, p);
    return look(d, p, selections[0].methods.count != 0);
}

/* Plans all folders, then emits them: what is wrong with a page shows before any work is done. */
static bool prepare(delivery *d, const sg_selection *selections, size_t count)
{
    const size_t each = d->order->output ? count : 1;
    bool good = true;

    for (size_t i = 0; i < count; i += each)
        good = plan_folder(d, &d->parcels[d->count], d->order->output, &selections[i], each) &&
               good;
    for (size_t i = 0; i < d->count && good; i++)
        if (!d->parcels[i].is_current)
            good = sg_emit(d->arena, d->diags, &d->parcels[i].folder, d->order->jobs,
                           &d->parcels[i].emission);
    return good;
}

bool sg_deliver(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                const sg_selection *selections, size_t count, const sg_order *order,
                sg_text *report)
{
    delivery d = { .arena = arena, .diags = diags, .catalog = catalog, .order = order };

    d.parcels = sg_arena_alloc(arena, (count + 1) * sizeof *d.parcels);
    bool good = prepare(&d, selections, count) && may_replace_all(&d);
    if (good) {
        for (size_t i = 0; i < d.count; i++)
            if (!d.parcels[i].is_current)
                add_parcel(&d, &d.parcels[i]);
        if (order->depfile && d.count)
            add_depfile(&d);
        good = sg_write_all(diags, d.writes, d.write_count);
    }
    for (size_t i = 0; i < d.count; i++) {
        if (good) {
            report_parcel(&d, &d.parcels[i], report);
            if (!d.parcels[i].is_current)
                settle(&d, &d.parcels[i]);
        }
        sg_emission_free(&d.parcels[i].emission);
    }
    return good;
}
