/* target.c: see target.h. Reads, changes nothing. */
#include "generator/page/target.h"

#include <string.h>

#include "generator/base/hash.h"
#include "generator/base/text.h"

const sg_fact *sg_target_fact(const sg_target *target, const char *name)
{
    for (size_t i = 0; i < target->fact_count; i++)
        if (!strcmp(target->facts[i].decl->name, name))
            return &target->facts[i];
    return NULL;
}

int64_t sg_target_integer(const sg_target *target, const char *name)
{
    const sg_fact *fact = sg_target_fact(target, name);
    return fact && fact->value.kind != SG_STRING ? fact->value.integer : 0;
}

const char *sg_target_string(const sg_target *target, const char *name)
{
    const sg_fact *fact = sg_target_fact(target, name);
    return fact && fact->value.kind == SG_STRING ? fact->value.string : "";
}

bool sg_target_has_type(const sg_target *target, const sg_type *type, sg_loc *why)
{
    const sg_fact *fact = sg_target_fact(target, type->name);

    if (!fact || fact->value.kind != SG_BOOLEAN || fact->value.integer)
        return true;
    if (why)
        *why = fact->origin;
    return false;
}

bool sg_is_page_of_root(sg_arena *arena, const char *root, const sg_target *target)
{
    const sg_input *page = &target->pages[0];
    const char *own = sg_arena_printf(arena, "targets/%s.lua", target->name);
    const char *text;
    size_t length;

    return !strcmp(page->file, own) &&
           !sg_read_file(arena, sg_path_join(arena, root, own), SG_LARGEST_INPUT, &text, &length) &&
           sg_hash_bytes(text, length) == page->hash;
}

const char *sg_input_path(sg_arena *arena, const char *root, const sg_target *target,
                          const char *file)
{
    /* A user's own page is recorded by the last part of its path. */
    for (size_t i = 0; i < target->page_count; i++)
        if (!strcmp(file, sg_shown_file(target->pages[i].file)))
            file = target->pages[i].file;
    if (!strcmp(file, target->pages[0].file) && !sg_is_page_of_root(arena, root, target))
        return file;
    const char *below = sg_path_join(arena, root, file);
    return sg_is_file(below) ? below : file;
}
