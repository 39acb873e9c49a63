/* file.c: see file.h. Thread-safe: no shared state, and saves to one path may overlap. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64     /* files over 2 GB where off_t would have 32 bits */
#include "runtime/file/file.h"

#include "runtime/base/error.h"
#include "runtime/matrix/hash.h"
#include "runtime/base/memory.h"
#include "runtime/threads/parallel.h"
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

enum {
    MOST_LINKS = 40,             /* as many as Linux follows */
    PATH_SLACK = 4096            /* links below /proc claim to have 0 bytes */
};

static spmv_status fail_for_memory(spmv_error *err)
{
    return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for the name of a file");
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? "folder" : S_ISFIFO(mode) ? "pipe"
                                    : S_ISSOCK(mode) ? "socket" : "device";
}

/* The path that a link names, relative to the folder that the link's own path is relative to. NULL:
 * no memory, or errno says why. */
static char *read_link(const char *path, size_t bytes)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    char *target = spmv_memory_alloc(folder + bytes + 2);
    ssize_t length;

    errno = 0;
    if (target == NULL)
        return NULL;
    length = readlink(path, target + folder, bytes + 1);
    if (length < 0 || (size_t)length > bytes) {
        errno = length < 0 ? errno : EAGAIN;     /* the link has changed since its status was
                                                    read */
        spmv_memory_free(target);
        return NULL;
    }
    target[folder + (size_t)length] = '\0';
    if (target[folder] == '/')
        memmove(target, target + folder, (size_t)length + 1);
    else
        memcpy(target, path, folder);
    return target;
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
    if (existing->st_mode == 0 || S_ISREG(existing->st_mode))
        return SPMV_OK;
    return spmv_error_set(err, SPMV_FILE_ERROR, "there is a %s of that name, which is not replaced",
                          kind_of(existing->st_mode));
}

/* *destination: `path` with links followed, for the caller to free. *existing: the status of that
 * file. */
static spmv_status follow_links(const char *path, char **destination, struct stat *existing,
                                spmv_error *err)
{
    char *at = spmv_memory_alloc(strlen(path) + 1);
    spmv_status status = SPMV_OK;

    *destination = NULL;
    if (at == NULL)
        return fail_for_memory(err);
    strcpy(at, path);
    for (int links = 0;; links++) {
        char *next;

        status = look_at(at, existing, err);
        if (status != SPMV_OK || !S_ISLNK(existing->st_mode))
            break;
        next = links < MOST_LINKS ? read_link(at, (size_t)existing->st_size + PATH_SLACK) : NULL;
        if (next == NULL) {
            const int reason = links < MOST_LINKS ? errno : ELOOP;

            status = reason == 0 ? fail_for_memory(err) : fail("follow its link", reason, err);
            break;
        }
        spmv_memory_free(at);
        at = next;
    }
    if (status == SPMV_OK)
        status = check_replaceable(existing, err);
    if (status == SPMV_OK)
        *destination = at;
    else
        spmv_memory_free(at);
    return status;
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
    status = follow_links(path, &file->path, &existing, err);
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
