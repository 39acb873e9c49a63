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

/* ---- the folder ------------------------------------------------------------------------------ */

/* The reason why files of this folder must not be executed; NULL: none. */
static const char *fault_of(const char *folder)
{
    struct stat facts;

    if (stat(folder, &facts) != 0)
        return "it is not there and cannot be made";
    if (!S_ISDIR(facts.st_mode))
        return "it is no folder";
    if (facts.st_uid != geteuid())
        return "it belongs to somebody else";
    if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "others can write to it";
    return NULL;
}

/* Makes a folder and the folder above it. */
static void make_folder(const char *path)
{
    char parent[BENCH_CACHE_FOLDER];
    const char *slash = strrchr(path, '/');

    if (slash && slash > path) {
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
        mkdir(parent, 0700);
    }
    mkdir(path, 0700);
}

void bench_module_cache_open(bench_module_cache *out)
{
    const char *own = getenv("SPMV_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    enum { ROOM = BENCH_CACHE_FOLDER - sizeof "/modules" };
    int length = 0;

    *out = (bench_module_cache){ .is_off = own && !*own };
    if (out->is_off)
        return;
    if (own)
        length = snprintf(out->folder, ROOM, "%s", own);
    else if (cache && *cache == '/')
        length = snprintf(out->folder, ROOM, "%s/spmv", cache);
    else if (home && *home == '/')
        length = snprintf(out->folder, ROOM, "%s/.cache/spmv", home);
    out->fault = length == 0 ? "neither SPMV_CACHE, XDG_CACHE_HOME nor HOME names a folder"
                 : length >= ROOM ? "its name is too long" : NULL;
    if (out->fault)
        return;
    make_folder(out->folder);
    if ((out->fault = fault_of(out->folder)))
        return;
    strcat(out->folder, "/modules");
    mkdir(out->folder, 0700);
    if ((out->fault = fault_of(out->folder)))
        return;
    out->can_read = true;
    out->can_write = access(out->folder, W_OK | X_OK) == 0;
    if (!out->can_write)
        out->fault = strerror(errno);
}

/* ---- keys ------------------------------------------------------------------------------------ */

bench_cache_key bench_cache_key_begin(void)
{
    bench_cache_key key = { { 0xcbf29ce484222325, 0x9e3779b97f4a7c15 } };

    bench_cache_key_add_text(&key, "spmvbench modules 1");
    return key;
}

/* FNV-1a, with a rotation in the second part so that the parts do not collide together. */
static void add_bytes(bench_cache_key *key, const unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        key->part[0] = (key->part[0] ^ data[i]) * 0x100000001b3;
        key->part[1] = ((key->part[1] << 23 | key->part[1] >> 41) ^ data[i]) * 0x9fb21c651e98df25;
    }
}

static void add(bench_cache_key *key, const void *data, size_t bytes)
{
    const uint64_t length = bytes;

    add_bytes(key, (const unsigned char *)&length, sizeof length);
    add_bytes(key, data, bytes);
}

void bench_cache_key_add_text(bench_cache_key *key, const char *text)
{
    add(key, text, strlen(text));
}

static bool add_file(bench_cache_key *key, const char *path)
{
    char buffer[1 << 14];
    FILE *file = fopen(path, "rb");
    size_t count;

    if (!file)
        return false;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        add_bytes(key, (const unsigned char *)buffer, count);
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

bool bench_cache_key_add_sources(bench_cache_key *key, const char *folder)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_source, alphasort);
    bool good = count > 0;

    for (int i = 0; i < count; i++) {
        char path[BENCH_CACHE_PATH + 256];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        bench_cache_key_add_text(key, entry[i]->d_name);
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

void bench_cache_key_add_program(bench_cache_key *key, const char *word)
{
    char path[BENCH_CACHE_PATH], real[PATH_MAX];
    struct stat facts;

    bench_cache_key_add_text(key, word);
    if (!bench_find_program(word, path) || !realpath(path, real) || stat(real, &facts) != 0)
        return;
    const int64_t version[] = { facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec };
    bench_cache_key_add_text(key, real);
    add(key, version, sizeof version);
}

void bench_cache_key_path(const bench_cache_key *key, const char *folder,
                          char path[BENCH_CACHE_PATH])
{
    snprintf(path, BENCH_CACHE_PATH, "%s/%016llx%016llx.so", folder,
             (unsigned long long)key->part[0], (unsigned long long)key->part[1]);
}
