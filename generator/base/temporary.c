/* temporary.c: see temporary.h. Several threads may have a folder each. */
#define _POSIX_C_SOURCE 200809L
#include "generator/base/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/subprocess.h"
#include "generator/base/text.h"

const char *sg_temporary_folder(sg_arena *arena)
{
    const char *parent = getenv("TMPDIR");
    char *dir = sg_arena_printf(arena, "%s/spmvgen-XXXXXX", parent && *parent ? parent : "/tmp");

    return mkdtemp(dir);
}

void sg_temporary_remove(sg_arena *arena, const char *dir)
{
    const char *const *names = NULL;
    size_t count = 0;

    if (!sg_list_dir(arena, dir, &names, &count))
        for (size_t i = 0; i < count; i++)
            unlink(sg_path_join(arena, dir, names[i]));
    rmdir(dir);
}

bool sg_temporary_put(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(text, 1, length, file) == length;

    return (!file || !fclose(file)) && good;
}

int sg_temporary_run(char *const *words, const char *output)
{
    const pid_t child = sg_subprocess_start(words, output);
    int status = -1;

    if (child >= 0)
        while (sg_subprocess_wait(child, &status) < 0 && errno == EINTR)
            ;
    return child < 0 ? -1 : status;
}
