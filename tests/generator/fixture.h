/* fixture.h: shared by the tests of the generator's Lua side: an arena and diagnostics per case,
 * messages as one text, and temporary folders. */
#ifndef TEST_FIXTURE_H
#define TEST_FIXTURE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/arena.h"
#include "generator/base/diag.h"
#include "tap.h"
#include "generator/base/text.h"

typedef struct fixture {
    sg_arena *arena;
    sg_diags *diags;
    const char *root;
} fixture;

__attribute__((unused)) static fixture fixture_create(const char *root)
{
    return (fixture){ sg_arena_create(), sg_diags_create(root), root };
}

__attribute__((unused)) static void fixture_destroy(fixture *f)
{
    sg_diags_destroy(f->diags);
    sg_arena_destroy(f->arena);
}

/* All messages as they are printed; in the arena. */
__attribute__((unused)) static const char *messages(const fixture *f)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    sg_diags_print(f->diags, out);
    fclose(out);
    const char *copy = sg_arena_strndup(f->arena, text, size);
    free(text);
    return copy;
}

/* Prints all messages to the log. */
__attribute__((unused)) static void show(const fixture *f)
{
    for (const char *line = messages(f); *line;) {
        const size_t length = strcspn(line, "\n");
        diag("found: %.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* True if the messages contain the text; otherwise prints them. */
__attribute__((unused)) static bool says(const fixture *f, const char *text)
{
    if (strstr(messages(f), text))
        return true;
    diag("expected: %s", text);
    show(f);
    return false;
}

/* ---- temporary folders ----------------------------------------------------------------------- */

__attribute__((unused)) static const char *folder_create(sg_arena *arena)
{
    const char *base = getenv("TMPDIR");
    char *path = sg_arena_printf(arena, "%s/spmvgen-test-XXXXXX", base && *base ? base : "/tmp");

    if (!mkdtemp(path)) {
        perror(path);
        exit(1);
    }
    return path;
}

__attribute__((unused)) static void folder_destroy(sg_arena *arena, const char *path)
{
    const char *const *names = NULL;
    size_t count = 0;

    chmod(path, 0700);
    sg_list_dir(arena, path, &names, &count);
    for (size_t i = 0; i < count; i++) {
        const char *entry = sg_path_join(arena, path, names[i]);
        struct stat info;
        if (!lstat(entry, &info) && S_ISDIR(info.st_mode))
            folder_destroy(arena, entry);
        else
            unlink(entry);
    }
    rmdir(path);
}

/* Writes folder/name; returns the path. */
__attribute__((unused)) static const char *file_write(sg_arena *arena, const char *folder,
                                                      const char *name, const char *bytes,
                                                      size_t size)
{
    const char *path = sg_path_join(arena, folder, name);
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
        perror(path);
        exit(1);
    }
    return path;
}

/* A root with the facts of another one, a page x and one method, templates/odd/params.lua. */
__attribute__((unused)) static const char *root_create(sg_arena *arena, const char *root,
                                                       const char *params)
{
    const char *folder = folder_create(arena);
    const char *targets = sg_path_join(arena, folder, "targets");
    const char *templates = sg_path_join(arena, folder, "templates");
    const char *odd = sg_path_join(arena, templates, "odd");
    const char *facts = "";
    size_t size = 0;

    mkdir(targets, 0700);
    mkdir(templates, 0700);
    mkdir(odd, 0700);
    sg_read_file(arena, sg_path_join(arena, root, "targets/facts.lua"), 1 << 20, &facts, &size);
    file_write(arena, targets, "facts.lua", facts, size);
    file_write(arena, targets, "x.lua", "backend = \"words\"\nsimd_width = 4\n", 33);
    file_write(arena, odd, "params.lua", params, strlen(params));
    return folder;
}

#endif
