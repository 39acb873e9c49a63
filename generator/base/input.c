/* input.c: see input.h. */
#include "generator/base/input.h"

#include <stdlib.h>
#include <string.h>

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

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const sg_input *)a)->file, ((const sg_input *)b)->file);
}

size_t sg_inputs_sort(sg_input *inputs, size_t count)
{
    size_t kept = 0;

    if (count)
        qsort(inputs, count, sizeof *inputs, compare_files);
    for (size_t i = 0; i < count; i++)
        if (!kept || strcmp(inputs[kept - 1].file, inputs[i].file))
            inputs[kept++] = inputs[i];
    return kept;
}

bool sg_inputs_have(const sg_input *inputs, size_t count, const char *file)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(inputs[i].file, file))
            return true;
    return false;
}
