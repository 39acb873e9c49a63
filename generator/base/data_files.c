/* data_files.c: see data_files.h. */
#include "generator/base/data_files.h"

#include <string.h>

#include "generator/base/text.h"

bool sg_is_data_file_name(const char *name)
{
    size_t length = 0;

    for (; name[length]; length++) {
        const char c = name[length];
        const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9');
        if (!alnum && (length == 0 || !strchr("-_.", c)))
            return false;
    }
    return length > 0 && length <= 64;
}

const char *const *sg_data_file_names(sg_arena *arena, const char *folder, size_t *count)
{
    const char *const *files = NULL;
    size_t file_count = 0, used = 0;

    *count = 0;
    if (sg_list_dir(arena, folder, &files, &file_count))
        return NULL;
    const char **names = sg_arena_alloc(arena, (file_count + 1) * sizeof *names);
    for (size_t i = 0; i < file_count; i++) {
        const size_t length = strlen(files[i]);
        if (!sg_ends_with(files[i], ".lua") || !strcmp(files[i], "facts.lua"))
            continue;
        const char *name = sg_arena_strndup(arena, files[i], length - 4);
        if (sg_is_data_file_name(name) && sg_is_file(sg_path_join(arena, folder, files[i])))
            names[used++] = name;
    }
    *count = used;
    return names;
}
