/* cache.c: see cache.h. Thread-safe: no shared state. */
#define _POSIX_C_SOURCE 200809L
#include "runtime/file/cache.h"

#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/file/file.h"
#include "runtime/file/hash.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/base/environment.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- keys ---------------------------------------------------------------------------------- */

uint64_t spmv_cache_key_with(uint64_t key, const void *data, size_t bytes)
{
    const uint64_t parts[3] = { key, bytes, spmv_hash(NULL, data, bytes) };

    return spmv_hash(NULL, parts, sizeof parts);
}

uint64_t spmv_cache_key_with_text(uint64_t key, const char *text)
{
    return spmv_cache_key_with(key, text, strlen(text));
}

uint64_t spmv_cache_key_of(const spmv_program *program)
{
    const uint64_t abi = SPMV_MODULE_ABI;
    uint64_t key = spmv_cache_key_with(0, &abi, sizeof abi);

    key = spmv_cache_key_with_text(key, program->options);
    for (int32_t i = 0; i < program->part_count; i++)
        for (int32_t k = 0; k < program->parts[i].line_count; k++)
            key = spmv_cache_key_with_text(key, program->parts[i].lines[k]);
    return key;
}

/* ---- messages ------------------------------------------------------------------------------ */

static void tell(const char *what, const char *path, const char *fate, const char *why)
{
    char line[1024];
    spmv_text text = spmv_text_begin(line, sizeof line);

    spmv_text_add(&text, "cache: %s '%.400s' is not %s: %s", what, path, fate, why);
    spmv_debug_line(line);
}

/* ---- the folder ---------------------------------------------------------------------------- */

enum { PATH_SIZE = 1024, NAME_SIZE = 18 };

/* Checks that `folder` is a folder that the user owns and nobody else can write to. Returns the
 * reason if it is not, else NULL. */
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

const char *spmv_cache_folder(char *folder, const char *below, size_t bytes)
{
    const char *own = spmv_variable("SPMV_CACHE");
    const char *cache = spmv_variable("XDG_CACHE_HOME");
    const char *home = spmv_variable("HOME");
    const char *fault;
    int length;

    folder[0] = '\0';
    if (own != NULL) {
        length = snprintf(folder, bytes, "%s", own);
    } else if (cache != NULL && cache[0] == '/') {
        length = snprintf(folder, bytes, "%s/spmv", cache);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(folder, bytes, "%s/.cache", home);
        if (length > 0 && (size_t)length < bytes)
            mkdir(folder, 0700);
        length = snprintf(folder, bytes, "%s/.cache/spmv", home);
    } else {
        return "neither SPMV_CACHE, XDG_CACHE_HOME nor HOME names a folder";
    }
    if (length == 0)
        return "SPMV_CACHE is empty";
    if (length < 0 || (size_t)length + strlen(below) >= bytes)
        return "its name is too long";
    mkdir(folder, 0700);
    fault = fault_of(folder);
    if (fault != NULL || below[0] == '\0')
        return fault;
    strcat(folder, below);
    mkdir(folder, 0700);
    return fault_of(folder);
}

/* Writes the entry's path and returns NULL. Without a cache, writes the folder's path and returns
 * the reason. */
static const char *find_path(uint64_t key, char path[PATH_SIZE])
{
    const char *fault = spmv_cache_folder(path, "", PATH_SIZE - NAME_SIZE);
    const size_t length = strlen(path);

    if (fault == NULL)
        snprintf(path + length, PATH_SIZE - length, "/%016llx", (unsigned long long)key);
    return fault;
}

/* ---- entries ------------------------------------------------------------------------------- */

typedef struct entry_header {
    char magic[8];
    uint64_t key;                /* repeated here, since a file may have been renamed */
    uint64_t bytes, hash;        /* of the data behind the header */
} entry_header;

static const char magic[8] = { 's', 'p', 'm', 'v', 'b', 'i', 'n', '1' };

enum { MOST_BYTES = 1 << 28 };

static void *read_entry(const spmv_old_file *file, uint64_t key, size_t *bytes, spmv_error *err)
{
    entry_header header;
    uint64_t hash = 0;
    void *data;

    if (file->bytes < sizeof header || file->bytes - sizeof header > MOST_BYTES) {
        spmv_error_set(err, SPMV_FILE_ERROR, "its size is none that an entry can have");
        return NULL;
    }
    if (spmv_old_file_read(file, NULL, 0, &header, sizeof header, &hash, err) != SPMV_OK)
        return NULL;
    if (memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key ||
        header.bytes != file->bytes - sizeof header) {
        spmv_error_set(err, SPMV_FILE_ERROR, "it is damaged: its first bytes are not this entry's");
        return NULL;
    }
    data = spmv_memory_alloc((size_t)header.bytes);
    if (data == NULL) {
        spmv_error_set(err, SPMV_OUT_OF_MEMORY, "there is no memory for it");
        return NULL;
    }
    if (spmv_old_file_read(file, NULL, sizeof header, data, (size_t)header.bytes, &hash, err) ==
        SPMV_OK) {
        if (hash == header.hash) {
            *bytes = (size_t)header.bytes;
            return data;
        }
        spmv_error_set(err, SPMV_FILE_ERROR, "it is damaged: its checksum is wrong");
    }
    spmv_memory_free(data);
    return NULL;
}

void *spmv_cache_read(uint64_t key, size_t *bytes)
{
    char path[PATH_SIZE];
    spmv_error err = { SPMV_OK, "" };
    spmv_old_file file;
    const char *fault = find_path(key, path);
    void *data = NULL;

    if (fault != NULL)
        tell("folder", path, "used", fault);
    /* A missing entry needs no explanation. */
    if (fault != NULL || access(path, F_OK) != 0)
        return NULL;
    if (spmv_old_file_open(&file, path, &err) == SPMV_OK) {
        data = read_entry(&file, key, bytes, &err);
        spmv_old_file_close(&file);
    }
    if (data == NULL)
        tell("entry", path, "used", err.text);
    return data;
}

static spmv_status write_entry(spmv_new_file *file, const entry_header *header, const void *data,
                               spmv_error *err)
{
    spmv_status status = spmv_new_file_write(file, header, sizeof *header, err);

    if (status == SPMV_OK)
        status = spmv_new_file_write(file, data, (size_t)header->bytes, err);
    if (status == SPMV_OK)
        return spmv_new_file_complete(file, err);
    spmv_new_file_discard(file);
    return status;
}

void spmv_cache_write(uint64_t key, const void *data, size_t bytes)
{
    entry_header header = { .key = key, .bytes = bytes };
    char path[PATH_SIZE];
    spmv_error err = { SPMV_OK, "" };
    spmv_new_file file;

    memcpy(header.magic, magic, sizeof magic);
    header.hash = spmv_hash(NULL, data, bytes);
    if (bytes == 0 || bytes > MOST_BYTES || find_path(key, path) != NULL)
        return;
    if (spmv_new_file_create(&file, path, &err) != SPMV_OK ||
        write_entry(&file, &header, data, &err) != SPMV_OK)
        tell("entry", path, "written", err.text);
}
