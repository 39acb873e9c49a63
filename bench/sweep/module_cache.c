/* module_cache.c: see module_cache.h. */
#define _GNU_SOURCE              /* scandir, realpath */
#include "bench/sweep/module_cache.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/file/cache.h"

/* ---- the folder ------------------------------------------------------------------------------ */

/* Makes the folder above. */
static void make_parent(const char *folder)
{
    char parent[BENCH_CACHE_FOLDER];
    const char *slash = strrchr(folder, '/');

    if (!slash || slash == folder)
        return;
    snprintf(parent, sizeof parent, "%.*s", (int)(slash - folder), folder);
    mkdir(parent, 0700);
}

void bench_module_cache_open(bench_module_cache *out)
{
    static const char below[] = "/modules";
    const char *own = getenv("SPMV_CACHE");

    *out = (bench_module_cache){ .is_off = own && !*own };
    if (out->is_off)
        return;
    if (spmv_cache_folder(out->folder, "", BENCH_CACHE_FOLDER))
        make_parent(out->folder);
    out->fault = spmv_cache_folder(out->folder, below, BENCH_CACHE_FOLDER);
    if (out->fault)
        return;
    out->can_read = true;
    out->can_write = access(out->folder, W_OK | X_OK) == 0;
    if (!out->can_write)
        out->fault = strerror(errno);
}

/* ---- keys ------------------------------------------------------------------------------------ */

uint64_t bench_cache_key_begin(void)
{
    return spmv_cache_key_with_text(0, "spmvbench modules 2");
}

static bool add_file(uint64_t *key, const char *path)
{
    char buffer[1 << 14];
    FILE *file = fopen(path, "rb");
    size_t count;

    if (!file)
        return false;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        *key = spmv_cache_key_with(*key, buffer, count);
    const bool good = !ferror(file);
    fclose(file);
    return good;
}

static int is_source(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return length > 2 && (strcmp(entry->d_name + length - 2, ".c") == 0 ||
                          strcmp(entry->d_name + length - 2, ".h") == 0);
}

bool bench_cache_key_add_sources(uint64_t *key, const char *folder)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_source, alphasort);
    bool good = count > 0;

    for (int i = 0; i < count; i++) {
        char path[BENCH_CACHE_PATH + 256];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        *key = spmv_cache_key_with_text(*key, entry[i]->d_name);
        good = good && add_file(key, path);
        free(entry[i]);
    }
    free(entry);
    return good;
}

bool bench_find_program(const char *word, char path[BENCH_CACHE_PATH])
{
    const char *folders = getenv("PATH");

    if (strchr(word, '/')) {
        snprintf(path, BENCH_CACHE_PATH, "%s", word);
        return access(path, X_OK) == 0;
    }
    for (const char *at = folders ? folders : "/usr/bin:/bin", *end; at;
         at = *end ? end + 1 : NULL) {
        struct stat facts;
        end = at + strcspn(at, ":");
        if (snprintf(path, BENCH_CACHE_PATH, "%.*s/%s", (int)(end - at), at, word) <
                BENCH_CACHE_PATH && access(path, X_OK) == 0 && stat(path, &facts) == 0 &&
            S_ISREG(facts.st_mode))
            return true;
    }
    return false;
}

void bench_cache_key_add_program(uint64_t *key, const char *word)
{
    char path[BENCH_CACHE_PATH], real[PATH_MAX];
    struct stat facts;

    *key = spmv_cache_key_with_text(*key, word);
    if (!bench_find_program(word, path) || !realpath(path, real) || stat(real, &facts) != 0)
        return;
    const int64_t version[] = { facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec };
    *key = spmv_cache_key_with_text(*key, real);
    *key = spmv_cache_key_with(*key, version, sizeof version);
}

void bench_cache_key_path(uint64_t key, const char *folder, char path[BENCH_CACHE_PATH])
{
    snprintf(path, BENCH_CACHE_PATH, "%s/%016llx.so", folder, (unsigned long long)key);
}
