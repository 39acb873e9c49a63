/* folder.c: see folder.h. */
#define _GNU_SOURCE              /* scandir, strdup */
#include "bench/inputs/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrices/mtx/mtx.h"
#include "common/fail.h"
#include "runtime/spmv.h"

/* ---- lists --------------------------------------------------------------------------------- */

bool bench_texts_add(bench_texts *texts, const char *text)
{
    if (texts->count == texts->space) {
        const size_t space = texts->space > 0 ? 2 * texts->space : 16;
        char **grown = realloc(texts->text, space * sizeof *grown);
        if (!grown)
            return false;
        texts->text = grown;
        texts->space = space;
    }
    char *copy = strdup(text);
    if (copy)
        texts->text[texts->count++] = copy;
    return copy != NULL;
}

void bench_texts_destroy(bench_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->text[i]);
    free(texts->text);
    *texts = (bench_texts){ .text = NULL };
}

/* ---- folders ------------------------------------------------------------------------------- */

static bool has_suffix(const char *name, const char *suffix)
{
    const size_t length = strlen(name), end = strlen(suffix);

    return length >= end && strcmp(name + length - end, suffix) == 0;
}

/* mtx_options.accepts. Takes note of a file that stores every place, and reads no further. */
static bool note_dense(void *context, int64_t rows, int64_t cols, int64_t nnz)
{
    *(bool *)context = nnz == rows * cols;
    return false;
}

/* Whether NAME of NAME_b.mtx is a matrix in the same folder, and this file is dense. */
static bool is_vector(const char *path)
{
    const char *slash = strrchr(path, '/'), *end = strstr(slash ? slash : path, ".mtx");
    bool is_dense = false;
    const mtx_options how = { .accepts = note_dense, .context = &is_dense };
    char *whole = malloc(strlen(path) + 1);
    bool has_matrix = false;
    mtx_matrix nothing;

    for (const char *at = end; whole && at > (slash ? slash : path) && !has_matrix; at--)
        if (*at == '_') {
            sprintf(whole, "%.*s%s", (int)(at - path), path, end);
            has_matrix = access(whole, F_OK) == 0;
        }
    free(whole);
    if (has_matrix && mtx_read(path, &how, &nothing, NULL) == MTX_OK)
        mtx_free(&nothing);
    return is_dense;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* By bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Files that vanish or cannot be examined are skipped, and so are pipes and devices. */
static bool list_entry(const char *path, bench_texts *out, spmv_error *error)
{
    struct stat own, target;

    if (lstat(path, &own) != 0 || stat(path, &target) != 0)
        return true;
    if (S_ISDIR(target.st_mode))
        return S_ISLNK(own.st_mode) || bench_folder_list(path, out, error);
    /* Opening a pipe that nobody writes would wait for ever; a command line may name one. */
    if (!S_ISREG(target.st_mode))
        return true;
    return !(has_suffix(path, ".mtx") || has_suffix(path, ".mtx.gz")) || is_vector(path) ||
           bench_texts_add(out, path) || sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
}

bool bench_folder_list(const char *folder, bench_texts *out, spmv_error *error)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_visible, by_name);
    bool good = count >= 0;

    if (!good)
        sg_fail(error, "%s: the folder cannot be read: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        const size_t bytes = strlen(folder) + strlen(entry[i]->d_name) + 2;
        char *path = good ? malloc(bytes) : NULL;
        if (path) {
            snprintf(path, bytes, "%s%s%s", folder, has_suffix(folder, "/") ? "" : "/",
                     entry[i]->d_name);
            good = list_entry(path, out, error);
        } else if (good) {
            good = sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
        }
        free(path);
        free(entry[i]);
    }
    free(entry);
    return good;
}
