/* deliver.c: brings folders up to date. Only sg_write_all changes anything, at the very end. */
#include "deliver.h"

#include <string.h>

#include "depfile.h"
#include "state.h"

/* One target on its way. */
typedef struct parcel {
    const char *dir;
    sg_plan plan;
    sg_manifest before;
    sg_state state;
    bool has_before, is_current;
    sg_emission emission;
    const sg_page *stale;        /* files of earlier runs that go */
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

static bool look(delivery *d, parcel *p)
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
    if (p->has_before &&
        !sg_manifest_is_of(d->diags, &p->before, loc.file, p->plan.target->name)) {
        sg_diag(d->diags, SG_NOTE, (sg_loc){ 0 }, "remove it or choose another with -o DIR");
        return false;
    }
    p->is_current = p->has_before && sg_state_is_seen(d->arena, &p->state, p->before.hash) &&
                    sg_manifest_is_current(d->arena, &p->before, &p->plan, p->dir);
    return true;
}

/* ---- what may be replaced ------------------------------------------------------------------ */

/* Is the text spmvgen's own, of the last run that succeeded or of one that was killed since? */
static bool is_own(const parcel *p, const char *file, const char *text, size_t length)
{
    return sg_manifest_vouches(&p->before, file, text, length) ||
           sg_state_vouches(&p->state, file, text, length);
}

/* A file that someone changed, or that spmvgen never wrote, is not taken from him. */
static bool may_replace(const delivery *d, const parcel *p, const sg_output *file)
{
    sg_arena *scratch = sg_arena_create();
    const sg_loc loc = { sg_path_join(d->arena, p->dir, file->name), 0, 0 };
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
        may = false;
        sg_diag(d->diags, SG_ERROR, loc, "would be replaced, but %s",
                sg_pages_have(p->before.files, p->before.file_count, file->name)
                    ? "was changed since it was emitted"
                    : "nothing says that spmvgen wrote it");
    }
    sg_arena_destroy(scratch);
    return may;
}

/* The manifest, the last output, has been judged by look. */
static bool may_replace_all(const delivery *d)
{
    bool may = true;

    for (size_t i = 0; i < d->count && !d->order->force; i++) {
        const parcel *p = &d->parcels[i];
        for (size_t k = 0; k + 1 < p->emission.output_count; k++)
            may = may_replace(d, p, &p->emission.outputs[k]) && may;
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
        if (differs(d, p, &p->emission.outputs[i]))
            return true;
    return false;
}

/* What an earlier run emitted and this one does not goes, unless someone has changed it since. */
static void find_stale(delivery *d, parcel *p)
{
    const size_t most = p->before.file_count + p->state.announced_count;
    sg_page *files = sg_arena_alloc(d->arena, (most + 1) * sizeof *files);
    size_t count = 0;

    for (size_t i = 0; i < p->before.file_count; i++)
        files[count++] = p->before.files[i];
    for (size_t i = 0; i < p->state.announced_count; i++)
        files[count++] = p->state.announced[i];
    count = sg_pages_sort(files, count);
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
    sg_page *pages = sg_arena_alloc(d->arena, most * sizeof *pages);
    sg_write writes[SG_STATE_WRITES];
    size_t count = 0;

    for (size_t i = 0; i < p->emission.output_count; i++)
        pages[count++] = (sg_page){ p->emission.outputs[i].name, p->emission.outputs[i].hash };
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
        add_output_write(d, p, &p->emission.outputs[i]);
    for (size_t i = 0; i < p->stale_count; i++)
        add_write(d, (sg_write){ .path = sg_path_join(d->arena, p->dir, p->stale[i].file) });
    add_output_write(d, p, &p->emission.outputs[last]);
    p->write_count = d->write_count - p->first_write;
}

/* ---- depfile ------------------------------------------------------------------------------- */

static void add_input(const delivery *d, sg_names *list, const parcel *p, const char *file)
{
    const char *path = sg_input_path(d->arena, d->catalog->root, p->plan.target, file);
    sg_names_add(d->arena, list, sg_relative_path(d->arena, path));
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

        for (size_t k = 0; k < p->plan.target->page_count; k++)
            add_input(d, &inputs, p, p->plan.target->pages[k].file);
        for (size_t k = 0; k < p->before.input_count && p->is_current; k++)
            add_input(d, &inputs, p, p->before.inputs[k].file);
        for (size_t k = 0; k < p->emission.input_count; k++)
            add_input(d, &inputs, p, p->emission.inputs[k].file);
    }
    /* Every method's declarations are read, to check the pages' assignments. */
    for (size_t i = 0; i < d->catalog->method_count; i++)
        for (size_t k = 0; k < d->catalog->methods[i]->input_count; k++)
            add_input(d, &inputs, &d->parcels[0], d->catalog->methods[i]->inputs[k].file);
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
    for (size_t i = 0; i < p->plan.skipped_count && d->order->verbose; i++)
        sg_text_printf(report, "skipped %s\n", p->plan.skipped[i]);
    if (written || removed)
        sg_text_printf(report, "%s: %zu modules in %zu files: %zu written, %zu unchanged, "
                       "%zu removed\n", p->plan.target->name, p->emission.module_count,
                       p->emission.output_count, written, p->emission.output_count - written,
                       removed);
    else if (d->order->verbose)
        sg_text_printf(report, "%s: %s is up to date\n", p->plan.target->name,
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

typedef enum fit { FIT_NEW, FIT_REPEATED, FIT_CLASHES } fit;

static bool same_chain(const sg_target *a, const sg_target *b)
{
    if (a->page_count != b->page_count)
        return false;
    for (size_t i = 0; i < a->page_count; i++)
        if (a->pages[i].hash != b->pages[i].hash)
            return false;
    return true;
}

/* Whether a further target goes together with those before it: the same page given twice is one. */
static fit fit_in(const delivery *d, const parcel *p)
{
    const sg_target *own = p->plan.target;

    for (size_t i = 0; i < d->count; i++) {
        const sg_target *other = d->parcels[i].plan.target;
        const sg_loc page = { own->pages[0].file, 0, 0 };
        if (!strcmp(d->parcels[i].dir, p->dir)) {
            if (same_chain(own, other))
                return FIT_REPEATED;
            sg_diag(d->diags, SG_ERROR, page, "two targets of one name go into one folder, %s: this "
                    "page and %s; rename one, or emit them one at a time with -o DIR", p->dir,
                    other->pages[0].file);
            return FIT_CLASHES;
        }
        if (!strcmp(own->c_name, other->c_name))
            sg_diag(d->diags, SG_WARNING, page, "targets '%s' and '%s' give functions of the same "
                    "names, since both are '%s' in C: they cannot stand in one program; rename one",
                    own->name, other->name, own->c_name);
    }
    return FIT_NEW;
}

/* Plans all targets, then emits them: what is wrong with a page shows before any work is done. */
static bool prepare(delivery *d, const sg_selection *selections, size_t count)
{
    bool good = true;

    for (size_t i = 0; i < count; i++) {
        parcel *p = &d->parcels[d->count];
        if (!sg_plan_make(d->arena, d->diags, d->catalog, &selections[i], &p->plan)) {
            good = false;
            continue;
        }
        p->dir = d->order->output ? d->order->output
                                  : sg_path_join(d->arena, "generated", p->plan.target->name);
        const fit is = fit_in(d, p);
        good = good && is != FIT_CLASHES;
        if (is != FIT_NEW)
            continue;
        d->count++;
        good = look(d, p) && good;
    }
    for (size_t i = 0; i < d->count && good; i++)
        if (!d->parcels[i].is_current)
            good = sg_emit(d->arena, d->diags, &d->parcels[i].plan, d->order->jobs,
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
