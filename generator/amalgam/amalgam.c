/* amalgam.c: see amalgam.h. */
#include "generator/amalgam/amalgam.h"

#include "generator/base/hash.h"
#include "generator/base/text.h"
#include "generator/amalgam/amalgam_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------- */

static bool read_file(sg_parts *p, const char *file, sg_loc from, const char **text)
{
    size_t length;
    const int error = sg_read_file(p->arena, sg_path_join(p->arena, p->input->root, file),
                                   SG_LARGEST_INPUT, text, &length);

    if (error) {
        sg_diag(p->diags, SG_ERROR, from.file ? from : (sg_loc){ file, 0, 0 },
                "%s cannot be read: %s", file, sg_read_error(error));
        return false;
    }
    if (strlen(*text) != length) {
        sg_diag(p->diags, SG_ERROR, (sg_loc){ file, 0, 0 }, "the file has a byte 0; expected text");
        return false;
    }
    p->inputs = sg_arena_grow(p->arena, p->inputs, p->input_count, p->input_count + 1,
                              sizeof *p->inputs);
    p->inputs[p->input_count++] = (sg_input){ file, sg_hash_bytes(*text, length) };
    return true;
}

static bool read_items(sg_parts *p, const char *file, sg_loc from, sg_c_items *items)
{
    const sg_amalgam_input *in = p->input;
    const size_t count = in->macro_count + (in->modules != NULL);
    sg_amalgam_macro *macros = sg_arena_alloc(p->arena, (count + 1) * sizeof *macros);
    sg_c_decided decided;
    const char *text;

    for (size_t i = 0; i < in->macro_count; i++)
        macros[i] = in->macros[i];
    if (in->modules)
        macros[in->macro_count] = (sg_amalgam_macro){ "SPMV_BUNDLE_MODULES", 1 };
    return read_file(p, file, from, &text) &&
           sg_c_decide(p->arena, p->diags, file, text, macros, count, &decided) &&
           sg_c_items_read(p->arena, p->diags, file, &decided, items);
}

/* ---- the order of the text ----------------------------------------------------------------- */

static bool is_present(const sg_parts *p, const sg_c_item *item)
{
    const sg_amalgam_own *own = p->input->header ? p->input->header->own : NULL;

    for (size_t i = 0; own && i < own->item_count; i++)
        if (own->items[i].line == item->loc.line && !strcmp(own->items[i].file, item->loc.file))
            return true;
    return false;
}

static size_t add_part(sg_parts *p, const sg_c_item *item, int source, int group)
{
    if (p->part_count == p->part_capacity) {
        const size_t capacity = p->part_capacity * 2 + 256;
        p->parts = sg_arena_grow(p->arena, p->parts, p->part_count, capacity, sizeof *p->parts);
        p->part_capacity = capacity;
    }
    p->parts[p->part_count] = (sg_part){ .item = item, .source = source, .group = group };
    p->parts[p->part_count].present = is_present(p, item);
    return p->part_count++;
}

static bool include(sg_parts *p, const char *file, int parent, sg_loc from);

/* `file`, which is open, is included by `source`. */
static bool fail_circle(sg_parts *p, int source, const char *file, sg_loc from)
{
    const char *circle = file;

    for (int i = source; strcmp(p->sources[i].name, file); i = p->sources[i].parent)
        circle = sg_arena_printf(p->arena, "%s, %s", p->sources[i].name, circle);
    sg_diag(p->diags, SG_ERROR, from, "the includes form a circle: %s, %s", file, circle);
    return false;
}

/* The file that "name" in `source` means: relative to the root, or else beside the source. */
static const char *find_file(sg_parts *p, int source, const char *name)
{
    const char *beside = sg_path_join(p->arena, sg_path_dir(p->arena, p->sources[source].name),
                                      name);

    if (sg_is_file(sg_path_join(p->arena, p->input->root, name)) ||
        !sg_is_file(sg_path_join(p->arena, p->input->root, beside)))
        return name;
    return beside;
}

static bool add_include(sg_parts *p, int source, const sg_c_item *item)
{
    return include(p, find_file(p, source, item->names[0]), source, item->loc);
}

/* Adds the items of a source. Includes within a condition come before the condition, since other
 * files may need their items regardless of it. */
static bool add_items(sg_parts *p, int source)
{
    const sg_c_items content = p->sources[source].content;
    int *part_of = sg_arena_alloc(p->arena, (content.count + 1) * sizeof *part_of);

    for (size_t i = 0; i < content.count; i++) {
        const sg_c_item *item = &content.items[i];
        if (item->kind == SG_C_INCLUDE) {
            if (item->group == SG_C_NO_GROUP && !add_include(p, source, item))
                return false;
            continue;
        }
        if (item->kind == SG_C_IF && item->group == SG_C_NO_GROUP)
            for (size_t k = i + 1;
                 k < content.count && content.items[k].group != SG_C_NO_GROUP; k++)
                if (content.items[k].kind == SG_C_INCLUDE &&
                    !add_include(p, source, &content.items[k]))
                    return false;
        part_of[i] = (int)add_part(p, item, source, item->group == SG_C_NO_GROUP
                                                        ? SG_C_NO_GROUP : part_of[item->group]);
    }
    return true;
}

static bool include(sg_parts *p, const char *file, int parent, sg_loc from)
{
    size_t found = 0;

    while (found < p->source_count && strcmp(p->sources[found].name, file))
        found++;
    const bool is_new = found == p->source_count;
    if (!is_new && p->sources[found].is_open)
        return fail_circle(p, parent, file, from);
    if (parent != SG_NO_SOURCE) {
        p->edges = sg_arena_grow(p->arena, p->edges, p->edge_count, p->edge_count + 1,
                                 sizeof *p->edges);
        p->edges[p->edge_count++] = (sg_include_edge){ parent, (int)found };
    }
    if (!is_new)
        return true;

    sg_source source = { .name = file, .is_header = sg_ends_with(file, ".h"), .parent = parent };
    if (!read_items(p, file, from, &source.content))
        return false;
    source.is_open = true;
    /* Headers that the entry includes belong to no .c file in particular. */
    source.section = !source.is_header ? (int)found
                     : parent > 0 ? p->sources[parent].section : SG_NO_SOURCE;
    p->sources = sg_arena_grow(p->arena, p->sources, found, found + 1, sizeof *p->sources);
    p->sources[found] = source;
    p->source_count++;
    if (!add_items(p, (int)found))
        return false;
    p->sources[found].is_open = false;
    return true;
}

/* ---- names --------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    const sg_part_name *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order ? order : (x->part > y->part) - (x->part < y->part);
}

static void index_names(sg_parts *p)
{
    size_t count = 0;

    for (size_t i = 0; i < p->part_count; i++)
        count += p->parts[i].item->name_count;
    p->names = sg_arena_alloc(p->arena, (count + 1) * sizeof *p->names);
    for (size_t i = 0; i < p->part_count; i++) {
        const sg_c_item *item = p->parts[i].item;
        const bool declares = item->kind <= SG_C_MACRO;
        for (size_t k = 0; declares && k < item->name_count; k++)
            p->names[p->name_count++] = (sg_part_name){ item->names[k], i };
    }
    qsort(p->names, p->name_count, sizeof *p->names, compare_names);
}

const sg_part_name *sg_parts_find(const sg_parts *p, const char *word, size_t length,
                                  size_t *count)
{
    size_t low = 0, high = p->name_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *name = p->names[middle].name;
        const int order = strncmp(name, word, length);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    /* Longer names with this beginning sort behind the name itself. */
    for (*count = 0; low + *count < p->name_count; ++*count) {
        const char *name = p->names[low + *count].name;
        if (strncmp(name, word, length) || name[length])
            break;
    }
    return p->names + low;
}

bool sg_parts_load(sg_parts *p)
{
    if (!include(p, p->input->entry, SG_NO_SOURCE, (sg_loc){ NULL, 0, 0 }))
        return false;
    index_names(p);
    return true;
}

bool sg_amalgamate(sg_arena *arena, sg_diags *diags, const sg_amalgam_input *input,
                   sg_amalgam *out)
{
    sg_parts p = { .arena = arena, .diags = diags, .input = input };

    *out = (sg_amalgam){ .text = "" };
    if (!sg_parts_load(&p))
        return false;
    sg_parts_need(&p);
    if (!sg_parts_select(&p))
        return false;
    sg_parts_write(&p, out);
    sg_parts_list_names(&p, out);
    out->inputs = p.inputs;
    out->input_count = sg_inputs_sort(p.inputs, p.input_count);
    return true;
}
