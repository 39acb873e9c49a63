/* file.c: see file.h. Nothing is shared; everything may run at once, saves to one path too. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64     /* files over 2 GB where off_t would have 32 bits */
#include "file.h"

#include "error.h"
#include "hash.h"
#include "memory.h"
#include "parallel.h"
#include "text.h"

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

/* ---- writing ------------------------------------------------------------------------------- */

/* A name that nobody has: of this process, and of this attempt. */
enum { ATTEMPTS = 1000, SUFFIX = 64 };

spmv_status spmv_new_file_create(spmv_new_file *file, const char *path, spmv_error *err)
{
    const size_t size = strlen(path) + SUFFIX;
    int reason = EEXIST;

    *file = (spmv_new_file){path, spmv_memory_alloc(size), -1};
    if (file->fresh == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the name of a file");
    for (int i = 0; i < ATTEMPTS && file->fd < 0 && reason == EEXIST; i++) {
        snprintf(file->fresh, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        file->fd = open(file->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        reason = file->fd < 0 ? errno : 0;
    }
    if (file->fd >= 0)
        return SPMV_OK;
    spmv_memory_free(file->fresh);
    file->fresh = NULL;
    return fail("create a file beside it", reason, err);
}

spmv_status spmv_new_file_write(spmv_new_file *file, const void *data, size_t bytes,
                                spmv_error *err)
{
    enum { MOST = 1 << 30 };     /* at once: some systems take no more than 2 GB */
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

/* A disk may turn out to be full as late as here. 0, or errno's value; files that cannot be waited
 * for (EINVAL) are as good as they get. */
static int wait_for_disk(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL ? 0 : errno;
    return 0;
}

spmv_status spmv_new_file_complete(spmv_new_file *file, spmv_error *err)
{
    int reason = wait_for_disk(file->fd);

    /* An interrupted close has closed. */
    if (close(file->fd) != 0 && errno != EINTR && reason == 0)
        reason = errno;
    file->fd = -1;
    if (reason == 0 && rename(file->fresh, file->path) != 0)
        reason = errno;
    if (reason != 0) {
        spmv_new_file_discard(file);
        return fail("write it", reason, err);
    }
    spmv_memory_free(file->fresh);
    file->fresh = NULL;
    return SPMV_OK;
}

void spmv_new_file_discard(spmv_new_file *file)
{
    if (file->fresh == NULL)
        return;
    if (file->fd >= 0)
        close(file->fd);
    unlink(file->fresh);
    spmv_memory_free(file->fresh);
    file->fresh = NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

spmv_status spmv_old_file_open(spmv_old_file *file, const char *path, spmv_error *err)
{
    struct stat status;

    *file = (spmv_old_file){0, -1};
    /* Opening a pipe would wait for somebody who writes to it. */
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
    _Atomic int *fault;          /* errno's value; ENDED: there was less than expected */
} reading;

enum { ENDED = -1 };

/* 0, or what went wrong. */
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

spmv_status spmv_old_file_read(const spmv_old_file *file, int32_t threads, uint64_t offset,
                               void *data, size_t bytes, uint64_t *hash, spmv_error *err)
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
