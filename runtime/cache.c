/* cache.c: see cache.h. Nothing is shared; everything may run at once. */
#define _POSIX_C_SOURCE 200809L
#include "cache.h"

#include "file.h"
#include "hash.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- keys ---------------------------------------------------------------------------------- */

uint64_t spmv_cache_key_with(uint64_t key, const void *data, size_t bytes)
{
    const uint64_t parts[3] = { key, bytes, spmv_hash(1, data, bytes) };

    return spmv_hash(1, parts, sizeof parts);
}

uint64_t spmv_cache_key_with_text(uint64_t key, const char *text)
{
    return spmv_cache_key_with(key, text, strlen(text));
}

/* ---- the folder ---------------------------------------------------------------------------- */

enum { PATH_SIZE = 1024 };

/* Is it a folder of ours that nobody else can write to? */
static int is_private(const char *folder)
{
    struct stat facts;

    return stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid() &&
           (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Makes the folder if need be; 0: there is none to use. */
static int find_folder(char folder[PATH_SIZE])
{
    const char *own = getenv("SPMV_CACHE");
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length;

    if (own != NULL) {
        length = snprintf(folder, PATH_SIZE, "%s", own);
    } else if (cache != NULL && cache[0] == '/') {
        length = snprintf(folder, PATH_SIZE, "%s/spmv", cache);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(folder, PATH_SIZE, "%s/.cache", home);
        if (length > 0 && length < PATH_SIZE)
            mkdir(folder, 0700);
        length = snprintf(folder, PATH_SIZE, "%s/.cache/spmv", home);
    } else {
        return 0;
    }
    if (length <= 0 || length >= PATH_SIZE)
        return 0;
    mkdir(folder, 0700);
    return is_private(folder);
}

static int find_path(uint64_t key, char path[PATH_SIZE])
{
    char folder[PATH_SIZE];
    int length;

    if (!find_folder(folder))
        return 0;
    length = snprintf(path, PATH_SIZE, "%.900s/%016llx", folder, (unsigned long long)key);
    return length > 0 && length < PATH_SIZE;
}

/* ---- entries ------------------------------------------------------------------------------- */

typedef struct entry_header {
    char magic[8];
    uint64_t key;                /* again: a file may have been renamed */
    uint64_t bytes, hash;        /* of what follows */
} entry_header;

static const char magic[8] = { 's', 'p', 'm', 'v', 'b', 'i', 'n', '1' };

enum { MOST_BYTES = 1 << 28 };

static void *read_entry(const spmv_old_file *file, uint64_t key, size_t *bytes)
{
    entry_header header;
    uint64_t hash = 0;
    void *data;

    if (file->bytes < sizeof header || file->bytes - sizeof header > MOST_BYTES ||
        spmv_old_file_read(file, 1, 0, &header, sizeof header, &hash, NULL) != SPMV_OK ||
        memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key ||
        header.bytes != file->bytes - sizeof header)
        return NULL;
    data = spmv_memory_alloc((size_t)header.bytes);
    if (data == NULL)
        return NULL;
    if (spmv_old_file_read(file, 1, sizeof header, data, (size_t)header.bytes, &hash, NULL) ==
            SPMV_OK && hash == header.hash) {
        *bytes = (size_t)header.bytes;
        return data;
    }
    spmv_memory_free(data);
    return NULL;
}

void *spmv_cache_read(uint64_t key, size_t *bytes)
{
    char path[PATH_SIZE];
    spmv_old_file file;
    void *data;

    if (!find_path(key, path) || spmv_old_file_open(&file, path, NULL) != SPMV_OK)
        return NULL;
    data = read_entry(&file, key, bytes);
    spmv_old_file_close(&file);
    return data;
}

void spmv_cache_write(uint64_t key, const void *data, size_t bytes)
{
    entry_header header = { .key = key, .bytes = bytes };
    char path[PATH_SIZE];
    spmv_new_file file;

    memcpy(header.magic, magic, sizeof magic);
    header.hash = spmv_hash(1, data, bytes);
    if (bytes == 0 || bytes > MOST_BYTES || !find_path(key, path) ||
        spmv_new_file_create(&file, path, NULL) != SPMV_OK)
        return;
    if (spmv_new_file_write(&file, &header, sizeof header, NULL) == SPMV_OK &&
        spmv_new_file_write(&file, data, bytes, NULL) == SPMV_OK)
        spmv_new_file_complete(&file, NULL);
    else
        spmv_new_file_discard(&file);
}
