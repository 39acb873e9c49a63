/* destination.c: see destination.h. Thread-safe; allocates nothing. */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64     /* files over 2 GB where off_t would have 32 bits */
#include "common/base/destination.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };        /* as many as Linux follows */

/* Replaces the path of a link by the path that the link names, which may be relative to the link's
 * folder. Returns 0 or an errno. */
static int follow_link(char path[SPMV_DESTINATION_BYTES])
{
    char target[SPMV_DESTINATION_BYTES];
    const ssize_t length = readlink(path, target, sizeof target);
    const char *slash = strrchr(path, '/');

    if (length < 0)
        return errno;
    const size_t folder = slash != NULL && target[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    if (folder + (size_t)length >= SPMV_DESTINATION_BYTES)
        return ENAMETOOLONG;
    memcpy(path + folder, target, (size_t)length);
    path[folder + (size_t)length] = '\0';
    return 0;
}

int spmv_destination_find(const char *path, char out[SPMV_DESTINATION_BYTES], struct stat *there)
{
    struct stat named;
    int reason = 0, links = 0;
    const bool exists = stat(path, there) == 0;

    if (!exists && errno != ENOENT && errno != ENOTDIR)
        return errno;
    if (!exists)
        there->st_mode = 0;
    if (strlen(path) >= SPMV_DESTINATION_BYTES)
        return ENAMETOOLONG;
    strcpy(out, path);
    if (spmv_destination_kind(there->st_mode) != NULL)
        return 0;
    for (; lstat(out, &named) == 0 && S_ISLNK(named.st_mode); links++) {
        reason = links < MOST_LINKS ? follow_link(out) : ELOOP;
        if (reason != 0)
            return reason;
    }
    /* /proc/self/fd/1 names a file even if that has been removed: "/tmp/out (deleted)". Without a
     * link, another file is one that another process has just put there. */
    if (links > 0 && exists && (lstat(out, &named) != 0 || named.st_dev != there->st_dev ||
                                named.st_ino != there->st_ino))
        return ESTALE;
    return 0;
}

const char *spmv_destination_kind(mode_t mode)
{
    return mode == 0 || S_ISREG(mode) ? NULL
           : S_ISDIR(mode) ? "folder" : S_ISFIFO(mode) ? "pipe"
           : S_ISSOCK(mode) ? "socket" : "device";
}
