/* file.h: files that are written completely or not at all, and read by all threads.
 *
 * A new file is written under another name in the same folder and renamed once it is complete, so
 * that neither a full disk nor a crash leaves half a file. Paths belong to the caller and must
 * outlive the file. Errors are SPMV_FILE_ERROR; their texts do not name the file, which the caller
 * does.
 */
#ifndef SPMV_FILE_H
#define SPMV_FILE_H

#include "runtime/core/threads/team.h"

/* Writes the beginning of an error about a file, prefix and path, into `text` and returns it. */
enum { SPMV_FILE_NAME_SIZE = 256 };
const char *spmv_file_name(const char *prefix, const char *path, char text[SPMV_FILE_NAME_SIZE]);

typedef struct spmv_new_file {
    char *path;                  /* the final name, with links followed */
    char *fresh;                 /* the name until it is complete; NULL: the file is gone */
    int fd;
} spmv_new_file;

/* Creates the new file. Links in the path are followed. The file takes over the mode and, if the
 * system allows, the owner of an existing file; anything else at the path (folder, device, pipe,
 * socket) is an error. On error nothing is left to discard. */
spmv_status spmv_new_file_create(spmv_new_file *file, const char *path, spmv_error *err);
spmv_status spmv_new_file_write(spmv_new_file *file, const void *data, size_t bytes,
                                spmv_error *err);

/* Renames the file to its final name, replacing an existing one. On error the new file is gone. */
spmv_status spmv_new_file_complete(spmv_new_file *file, spmv_error *err);
void spmv_new_file_discard(spmv_new_file *file);

typedef struct spmv_old_file {
    uint64_t bytes;
    int fd;
} spmv_old_file;

/* Opens a regular file; anything else is an error, since reading it might never end. */
spmv_status spmv_old_file_open(spmv_old_file *file, const char *path, spmv_error *err);

/* Reads `bytes` bytes from `offset` on. Each thread reads its own range, so that it is the first to
 * touch the pages that it will use. *hash: their spmv_hash. */
spmv_status spmv_old_file_read(const spmv_old_file *file, const spmv_threads *threads,
                               uint64_t offset, void *data, size_t bytes, uint64_t *hash,
                               spmv_error *err);
void spmv_old_file_close(spmv_old_file *file);

#endif
