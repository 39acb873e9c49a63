/* write_files.h: puts files into folders, all of them or none.
 *
 * Every changed file is first written to a private file beside it. Only when all of these are
 * complete are they renamed, so that a reader of a file sees the old or the new text, never a part.
 * Links are followed, and what is no regular file (a device, a pipe) is an error.
 * If a rename fails, the renames before it are undone. Files whose text stays the same are not
 * touched. Private files of processes that have ended are removed. */
#ifndef SG_WRITE_FILES_H
#define SG_WRITE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/diag.h"

typedef enum sg_write_action {
    SG_WRITE_UNCHANGED,
    SG_WRITE_DONE,
    SG_WRITE_REMOVED
} sg_write_action;

typedef struct sg_write {
    const char *path;            /* its folder is made if it is missing */
    const char *text;            /* NULL: the file is to be removed */
    size_t length;
    sg_write_action action;      /* out */
} sg_write;

/* Writes and removes all files, in this order. On any error it restores the folders, adds a message
 * and returns false. If a file cannot be restored, a note names the file and the file that holds
 * its old text. */
bool sg_write_files(sg_diags *diags, sg_write *files, size_t count);

#endif
