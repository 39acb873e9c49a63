/* page_path.c: see page_path.h. */
#include "bench/tune/page_path.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/fail.h"

static const char ending[] = ".lua";

static bool is_file(const char *target)
{
    const size_t length = strlen(target);

    return length >= strlen(ending) && strcmp(target + length - strlen(ending), ending) == 0;
}

/* The letters of the folder of a path, with its slash. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (int)(slash + 1 - path) : 0;
}

/* "./" is this folder, too. */
static bool is_same_folder(const char *a, const char *b)
{
    a += strncmp(a, "./", 2) == 0 ? 2 : 0;
    b += strncmp(b, "./", 2) == 0 ? 2 : 0;
    return folder_length(a) == folder_length(b) && strncmp(a, b, (size_t)folder_length(a)) == 0;
}

static bool check_name(const char *name, const char *page, const char *path, spmv_error *error)
{
    bool good = *name != '\0';

    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || strchr("-_.", *c));
    if (!good)
        return sg_fail(error, "--out %s: the name of a page has letters, digits, '-', '_' and '.'",
                       path);
    return strcmp(name, page) != 0 ||
           sg_fail(error, "--out %s: the page would inherit from itself; give it another name",
                   path);
}

bool bench_page_path_choose(const char *target, const char *page, const char *out,
                            bench_page_path *chosen, spmv_error *error)
{
    const size_t bytes = (out ? strlen(out) : strlen(target) + strlen(page)) + 64;
    char *path = chosen->path = malloc(bytes);

    if (!path)
        return sg_fail(error, "out of memory");
    if (out)
        snprintf(path, bytes, "%s", out);
    else
        snprintf(path, bytes, "%.*s%s-tuned%s", folder_length(target), target, page, ending);
    const char *file = path + folder_length(path);
    const size_t length = strlen(file);
    if (!is_file(file) || length - strlen(ending) >= sizeof chosen->name)
        return sg_fail(error, "--out takes the name of a page, FILE.lua, not '%s'", path);
    snprintf(chosen->name, sizeof chosen->name, "%.*s", (int)(length - strlen(ending)), file);
    if (!check_name(chosen->name, page, path, error))
        return false;
    if (is_file(target) && !is_same_folder(target, path))
        return sg_fail(error, "--out %s: a page that inherits from %s stands in its folder", path,
                       target);
    return true;
}

bool bench_page_path_is_new(const bench_page_path *page, spmv_error *error)
{
    return access(page->path, F_OK) != 0 ||
           sg_fail(error, "'%s' is there already, and tune replaces no file: move it away, or give "
                   "another name with --out", page->path);
}
