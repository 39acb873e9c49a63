/* folder_lock.h: keeps other runs out of the folders that a run updates.
 *
 * The locks are advisory, on the folders themselves, and end with the process. A folder that cannot
 * be locked, as on some network file systems, is used without a lock.
 */
#ifndef SG_FOLDER_LOCK_H
#define SG_FOLDER_LOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

typedef struct sg_locked_folder {
    const char *path;
    int fd;                      /* negative: not locked */
    const char **made;           /* the folders that were made for it, outermost first */
    size_t made_count;
} sg_locked_folder;

/* Makes folders that do not exist, and waits until no other run has a lock on any of them. Only
 * `path` is set on entry. */
void sg_lock_folders(sg_arena *arena, sg_locked_folder *folders, size_t count);

/* Removes the folders that were made and are empty, and lets other runs in. */
void sg_unlock_folders(sg_locked_folder *folders, size_t count);

#endif
