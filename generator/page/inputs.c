/* inputs.c: names and places of the files that an emission is made from. Reads, changes nothing. */
#include "generator/page/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "generator/base/hash.h"
#include "generator/base/text.h"

const char *sg_shown_file(const char *file)
{
    const bool is_of_root = !strncmp(file, "targets/", 8) || !strncmp(file, "templates/", 10) ||
                            !strncmp(file, "runtime/", 8);

    return is_of_root ? file : sg_path_base(file);
}

const char *sg_shown_origin(sg_arena *arena, sg_loc origin)
{
    if (origin.line == SG_COMMAND_LINE)
        return "the command line";
    return sg_arena_printf(arena, "%s:%d", sg_shown_file(origin.file), origin.line);
}

bool sg_is_page_of_root(sg_arena *arena, const char *root, const sg_target *target)
{
    const sg_page *page = &target->pages[0];
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
    /* A page of the user's is known by its last part alone. */
    for (size_t i = 0; i < target->page_count; i++)
        if (!strcmp(file, sg_shown_file(target->pages[i].file)))
            file = target->pages[i].file;
    if (!strcmp(file, target->pages[0].file) && !sg_is_page_of_root(arena, root, target))
        return file;
    const char *below = sg_path_join(arena, root, file);
    return sg_is_file(below) ? below : file;
}

static int compare_pages(const void *a, const void *b)
{
    return strcmp(((const sg_page *)a)->file, ((const sg_page *)b)->file);
}

size_t sg_pages_sort(sg_page *pages, size_t count)
{
    size_t kept = 0;

    if (count)
        qsort(pages, count, sizeof *pages, compare_pages);
    for (size_t i = 0; i < count; i++)
        if (!kept || strcmp(pages[kept - 1].file, pages[i].file))
            pages[kept++] = pages[i];
    return kept;
}

bool sg_pages_have(const sg_page *pages, size_t count, const char *file)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(pages[i].file, file))
            return true;
    return false;
}
