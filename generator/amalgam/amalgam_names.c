/* amalgam_names.c: the names that the text of an amalgam declares, beside those of the modules. */
#include "generator/amalgam/amalgam_parts.h"

#include <stdlib.h>
#include <string.h>

static int compare_declared(const void *a, const void *b)
{
    const sg_amalgam_name *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order ? order : (x->loc.line > y->loc.line) - (x->loc.line < y->loc.line);
}

/* Whether the text undefines the macro of part `index` before part `end`. */
static bool is_undefined(const sg_parts *p, size_t index, size_t end)
{
    for (size_t i = index + 1; i < end; i++)
        if (p->parts[i].written && p->parts[i].item->kind == SG_C_UNDEF &&
            !strcmp(p->parts[i].item->names[0], p->parts[index].item->names[0]))
            return true;
    return false;
}

static sg_amalgam_macro_use macro_use(const sg_parts *p, size_t index, size_t modules)
{
    const sg_c_item *item = p->parts[index].item;
    const char *name = item->names[0];

    if (item->kind != SG_C_MACRO)
        return SG_AMALGAM_NO_MACRO;
    if (index > modules || is_undefined(p, index, modules))
        return SG_AMALGAM_OTHER_MACRO;
    return strstr(item->text, name)[strlen(name)] == '(' ? SG_AMALGAM_CALLED_MACRO
                                                         : SG_AMALGAM_PLAIN_MACRO;
}

void sg_parts_list_names(const sg_parts *p, sg_amalgam *out)
{
    sg_amalgam_name *names = sg_arena_alloc(p->arena, (p->name_count + 1) * sizeof *names);
    size_t modules = 0;

    while (modules < p->part_count && p->parts[modules].item->kind != SG_C_MODULES)
        modules++;
    for (size_t i = 0; i < p->name_count; i++) {
        const size_t index = p->names[i].part;
        const sg_part *part = &p->parts[index];
        if (part->written || part->present)
            names[out->name_count++] = (sg_amalgam_name){ p->names[i].name, part->item->loc,
                                                          macro_use(p, index, modules) };
    }
    qsort(names, out->name_count, sizeof *names, compare_declared);
    out->names = names;
}
