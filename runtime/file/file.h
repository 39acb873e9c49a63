/* file.h: files that are written as a whole or not at all, and read by all threads.
 *
 * A file in the making has another name in the same folder; only its completion gives it the name
 * it is for, so that neither a full disk nor a crash leaves half a file there. Paths belong to the
 * caller and must stay. Errors are SPMV_FILE_ERROR; their texts leave it to the caller to name the
 * file.
 */
#ifndef SPMV_FILE_H
#define SPMV_FILE_H

#include "runtime/threads/team.h"

/* What errors about a file begin with: prefix and path, in `text`, which it returns. */
enum { SPMV_FILE_NAME_SIZE = 256 };
const char *spmv_file_name(const char *prefix, const char *path, char text[SPMV_FILE_NAME_SIZE]);

typedef struct spmv_new_file {
    char *path;                  /* what it will be called: links are followed */
    char *fresh;                 /* its name until it is complete; NULL: there is none */
    int fd;
} spmv_new_file;

/* Through links, it becomes the file that they name. A file that is there keeps its mode and, where
 * the system lets it, its owner; whatever else is there (folder, device, pipe, socket) is an error.
 * On error nothing is left to discard. */
spmv_status spmv_new_file_create(spmv_new_file *file, const char *path, spmv_error *err);
spmv_status spmv_new_file_write(spmv_new_file *file, const void *data, size_t bytes,
                                spmv_error *err);

/* Gives the file its name, in the place of another one. On error it is gone. */
spmv_status spmv_new_file_complete(spmv_new_file *file, spmv_error *err);
void spmv_new_file_discard(spmv_new_file *file);

typedef struct spmv_old_file {
    uint64_t bytes;
    int fd;
} spmv_old_file;

/* Only regular files: reading anything else might never end. */
spmv_status spmv_old_file_open(spmv_old_file *file, const char *path, spmv_error *err);

/* Reads `bytes` bytes from `offset` on, each thread its own range, so that it fills the pages that
 * it will use. *hash: spmv_hash of them. */
spmv_status spmv_old_file_read(const spmv_old_file *file, const spmv_threads *threads,
                               uint64_t offset, void *data, size_t bytes, uint64_t *hash,
                               spmv_error *err);
void spmv_old_file_close(spmv_old_file *file);

#endif
