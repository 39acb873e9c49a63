/* folder_lock.c: see folder_lock.h. For one thread. */
#define _DEFAULT_SOURCE
#include "generator/outputs/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/text.h"

enum { MOST_MISSES = 100 };

/* If a folder cannot be made, writing the first file reports it. */
static void make_folders(sg_arena *arena, sg_locked_folder *folder)
{
    folder->made = sg_arena_alloc(arena, (strlen(folder->path) + 1) * sizeof *folder->made);
    folder->made_count = 0;
    for (size_t i = 1; i <= strlen(folder->path); i++)
        if (folder->path[i] == '/' || !folder->path[i]) {
            const char *path = sg_arena_printf(arena, "%.*s", (int)i, folder->path);
            if (!mkdir(path, 0777))
                folder->made[folder->made_count++] = path;
        }
}

/* Two runs that lock several folders must do so in the same order. */
static int compare_folders(const void *a, const void *b)
{
    struct stat x = { 0 }, y = { 0 };

    fstat(((const sg_locked_folder *)a)->fd, &x);
    fstat(((const sg_locked_folder *)b)->fd, &y);
    if (x.st_dev != y.st_dev)
        return x.st_dev < y.st_dev ? -1 : 1;
    return x.st_ino < y.st_ino ? -1 : x.st_ino > y.st_ino;
}

/* Of folders that are the same by a link only the first is locked: a second lock would wait for
 * the first one. */
static void forget_aliases(sg_locked_folder *folders, size_t count)
{
    for (size_t i = count; i-- > 1;)
        if (folders[i].fd >= 0 && !compare_folders(&folders[i - 1], &folders[i])) {
            close(folders[i].fd);
            folders[i].fd = -1;
        }
}

/* Waits for the lock. False: the run that had it has removed the folder. */
static bool lock(sg_locked_folder *folder)
{
    struct stat locked, named;
    int result;

    if (folder->fd < 0)
        return true;
    do
        result = flock(folder->fd, LOCK_EX);
    while (result && errno == EINTR);
    return !fstat(folder->fd, &locked) && !stat(folder->path, &named) &&
           locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

void sg_lock_folders(sg_arena *arena, sg_locked_folder *folders, size_t count)
{
    bool good;
    int misses = 0;

    do {
        good = true;
        for (size_t i = 0; i < count; i++) {
            make_folders(arena, &folders[i]);
            folders[i].fd = open(folders[i].path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            /* A run that failed may just have removed a parent. */
            if (folders[i].fd < 0 && errno == ENOENT && misses < MOST_MISSES) {
                misses++;
                good = false;
            }
        }
        qsort(folders, count, sizeof *folders, compare_folders);
        forget_aliases(folders, count);
        for (size_t i = 0; i < count && good; i++)
            good = lock(&folders[i]);
        if (!good)
            sg_unlock_folders(folders, count);
    } while (!good);
}

void sg_unlock_folders(sg_locked_folder *folders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        while (folders[i].made_count)
            rmdir(folders[i].made[--folders[i].made_count]);
        if (folders[i].fd >= 0)
            close(folders[i].fd);
    }
}
