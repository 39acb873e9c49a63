/* file.c: see file.h. Thread-safe: no shared state, and saves to one path may overlap. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64     /* files over 2 GB where off_t would have 32 bits */
#include "runtime/file/file.h"

#include "runtime/base/error.h"
#include "common/base/destination.h"
#include "runtime/file/hash.h"
#include "runtime/base/memory.h"
#include "runtime/core/threads/parallel.h"
#include "runtime/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static spmv_status fail(const char *what, int reason, spmv_error *err)
{
    return spmv_error_set(err, SPMV_FILE_ERROR, "cannot %s: %s", what, strerror(reason));
}

const char *spmv_file_name(const char *prefix, const char *path, char text[SPMV_FILE_NAME_SIZE])
{
    spmv_text name = spmv_text_begin(text, SPMV_FILE_NAME_SIZE);

    spmv_text_add(&name, "%s'%.200s'", prefix, path);
    return text;
}

/* ---- where a new file goes ------------------------------------------------------------------ */

static spmv_status fail_for_memory(spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the name of a file");
}

/* Reads the status of `path` into *existing; st_mode is 0 if nothing is there. */
static spmv_status look_at(const char *path, struct stat *existing, spmv_error *err)
{
    if (lstat(path, existing) == 0)
        return SPMV_OK;
    existing->st_mode = 0;
    return errno == ENOENT ? SPMV_OK : fail("write it", errno, err);
}

/* A rename replaces whatever is there. Only regular files may be replaced. */
static spmv_status check_replaceable(const struct stat *existing, spmv_error *err)
{
    const char *kind = spmv_destination_kind(existing->st_mode);

    return kind == NULL ? SPMV_OK
                        : spmv_error_set(err, SPMV_FILE_ERROR,
                                         "there is a %s of that name, which is not replaced", kind);
}

/* *destination: `path` with links followed, for the caller to free. *existing: the status of that
 * file. */
static spmv_status find_destination(const char *path, char **destination, struct stat *existing,
                                    spmv_error *err)
{
    char found[SPMV_DESTINATION_BYTES];
    const int reason = spmv_destination_find(path, found, existing);
    spmv_status status = reason != 0 ? fail("write it", reason, err)
                                     : check_replaceable(existing, err);

    *destination = NULL;
    if (status != SPMV_OK)
        return status;
    *destination = spmv_memory_alloc(strlen(found) + 1);
    if (*destination == NULL)
        return fail_for_memory(err);
    strcpy(*destination, found);
    return SPMV_OK;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A name that no other file has, made of the process and the attempt. */
enum { ATTEMPTS = 1000, SUFFIX = 64 };

/* Frees the names. The files stay. */
static void forget(spmv_new_file *file)
{
    spmv_memory_free(file->path);
    spmv_memory_free(file->fresh);
    *file = (spmv_new_file){NULL, NULL, -1};
}

/* Gives the new file the owner and mode of the existing one: users who could not read the old file
 * must not read the new one. Returns 0 or an errno. */
static int copy_attributes(int fd, const struct stat *existing)
{
    mode_t mode = existing->st_mode & 0777;

    if (existing->st_mode == 0)
        return 0;
    /* Without the right to change the owner the group may differ. It then gets the permissions of
     * others. */
    if (fchown(fd, existing->st_uid, existing->st_gid) != 0) {
        if (errno != EPERM)
            return errno;
        mode = (mode & 0707) | (mode & 07) << 3;
    }
    return fchmod(fd, mode) != 0 ? errno : 0;
}

spmv_status spmv_new_file_create(spmv_new_file *file, const char *path, spmv_error *err)
{
    struct stat existing;
    int reason = EEXIST;
    size_t size;
    spmv_status status;

    *file = (spmv_new_file){NULL, NULL, -1};
    status = find_destination(path, &file->path, &existing, err);
    if (status != SPMV_OK)
        return status;
    size = strlen(file->path) + SUFFIX;
    file->fresh = spmv_memory_alloc(size);
    if (file->fresh == NULL) {
        forget(file);
        return fail_for_memory(err);
    }
    for (int i = 0; i < ATTEMPTS && file->fd < 0 && reason == EEXIST; i++) {
        snprintf(file->fresh, size, "%s.%ld-%d.tmp", file->path, (long)getpid(), i);
        file->fd = open(file->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                        existing.st_mode == 0 ? 0666 : 0600);
        reason = file->fd < 0 ? errno : 0;
    }
    if (file->fd < 0) {
        forget(file);
        return fail("create a file beside it", reason, err);
    }
    reason = copy_attributes(file->fd, &existing);
    if (reason != 0) {
        spmv_new_file_discard(file);
        return fail("give it the mode of the file that it replaces", reason, err);
    }
    return SPMV_OK;
}

spmv_status spmv_new_file_write(spmv_new_file *file, const void *data, size_t bytes,
                                spmv_error *err)
{
    enum { MOST = 1 << 30 };     /* bytes of one call: some systems take no more than 2 GB */
    const char *at = (const char *)data;

    while (bytes > 0) {
        const ssize_t written = write(file->fd, at, bytes < MOST ? bytes : MOST);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail("write it", written < 0 ? errno : EIO, err);
        at += written;
        bytes -= (size_t)written;
    }
    return SPMV_OK;
}

/* Waits until the file is on disk, which may fail as late as here because the disk is full. Returns
 * 0 or an errno. EINVAL, from files that do not support it, is no failure. */
static int wait_for_disk(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL ? 0 : errno;
    return 0;
}

spmv_status spmv_new_file_complete(spmv_new_file *file, spmv_error *err)
{
    struct stat existing;
    int reason = wait_for_disk(file->fd);
    spmv_status status;

    /* A close that was interrupted has closed the file. */
    if (close(file->fd) != 0 && errno != EINTR && reason == 0)
        reason = errno;
    file->fd = -1;
    status = reason != 0 ? fail("write it", reason, err) : look_at(file->path, &existing, err);
    if (status == SPMV_OK)
        status = check_replaceable(&existing, err);
    if (status == SPMV_OK && rename(file->fresh, file->path) != 0)
        status = fail("write it", errno, err);
    if (status != SPMV_OK)
        spmv_new_file_discard(file);
    else
        forget(file);
    return status;
}

void spmv_new_file_discard(spmv_new_file *file)
{
    if (file->fresh == NULL)
        return;
    if (file->fd >= 0)
        close(file->fd);
    unlink(file->fresh);
    forget(file);
}

/* ---- reading ------------------------------------------------------------------------------- */

spmv_status spmv_old_file_open(spmv_old_file *file, const char *path, spmv_error *err)
{
    struct stat status;

    *file = (spmv_old_file){0, -1};
    /* Opening a pipe would wait for a writer. */
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->fd < 0)
        return fail("open it", errno, err);
    if (fstat(file->fd, &status) != 0) {
        const int reason = errno;
        spmv_old_file_close(file);
        return fail("read it", reason, err);
    }
    if (!S_ISREG(status.st_mode)) {
        spmv_old_file_close(file);
        return spmv_error_set(err, SPMV_FILE_ERROR, "it is no regular file");
    }
    file->bytes = (uint64_t)status.st_size;
    return SPMV_OK;
}

typedef struct reading {
    int fd;
    uint64_t offset;
    char *data;
    size_t bytes;
    _Atomic uint64_t *sum;       /* of the chunks' hashes */
    _Atomic int *fault;          /* an errno; ENDED: the file is shorter than expected */
} reading;

enum { ENDED = -1 };

/* Returns 0, an errno or ENDED. */
static int read_chunk(const reading *r, size_t begin, size_t bytes)
{
    char *at = r->data + begin;
    uint64_t offset = r->offset + begin;
    size_t left = bytes;

    while (left > 0) {
        const ssize_t got = pread(r->fd, at, left, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : ENDED;
        at += got;
        offset += (uint64_t)got;
        left -= (size_t)got;
    }
    atomic_fetch_add_explicit(r->sum, spmv_hash_chunk(r->data + begin, bytes,
                                                      begin / SPMV_HASH_CHUNK),
                              memory_order_relaxed);
    return 0;
}

static void read_chunks(const void *context, int64_t first, int64_t last)
{
    const reading *r = (const reading *)context;

    for (int64_t i = first; i < last; i++) {
        const size_t begin = (size_t)i * SPMV_HASH_CHUNK;
        const size_t left = r->bytes - begin;
        const int fault = read_chunk(r, begin, left < SPMV_HASH_CHUNK ? left : SPMV_HASH_CHUNK);

        if (fault != 0) {
            atomic_store(r->fault, fault);
            return;
        }
    }
}

spmv_status spmv_old_file_read(const spmv_old_file *file, const spmv_threads *threads,
                               uint64_t offset, void *data, size_t bytes, uint64_t *hash,
                               spmv_error *err)
{
    _Atomic uint64_t sum = 0;
    _Atomic int fault = 0;
    const reading r = {file->fd, offset, (char *)data, bytes, &sum, &fault};
    const size_t chunks = bytes / SPMV_HASH_CHUNK + (bytes % SPMV_HASH_CHUNK != 0);

    spmv_parallel_run(threads, (int64_t)chunks, read_chunks, &r);
    *hash = atomic_load(&sum);
    if (atomic_load(&fault) == ENDED)
        return spmv_error_set(err, SPMV_FILE_ERROR, "it ends too early");
    return atomic_load(&fault) == 0 ? SPMV_OK : fail("read it", fault, err);
}

void spmv_old_file_close(spmv_old_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
