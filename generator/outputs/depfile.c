/* depfile.c: a make rule. Pure functions but for the name of the current folder. */
#define _POSIX_C_SOURCE 200809L
#include "generator/outputs/depfile.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

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

void sg_depfile_write(sg_text *out, const sg_name_set *outputs, const sg_name_set *inputs)
{
    append_names(out, outputs, false);
    sg_text_append(out, ":");
    append_names(out, inputs, true);
    sg_text_append(out, "\n");
}

const char *sg_relative_path(sg_arena *arena, const char *path)
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
