/* destination.h: where a file goes that is written under another name and renamed, for libspmv,
 * spmvgen and spmvbench. A rename replaces whatever has the name: a link, and for root /dev/null.
 * So links are followed, and only a regular file may be replaced.
 */
#ifndef SPMV_DESTINATION_H
#define SPMV_DESTINATION_H

#include <sys/stat.h>

_Static_assert(sizeof((struct stat){0}.st_size) == 8,
               "define _FILE_OFFSET_BITS as 64, as destination.c does");

enum { SPMV_DESTINATION_BYTES = 4096 };      /* Linux knows no longer path */

/* Sets `out` to the path of the file that `path` leads to, and *there to its status; st_mode is 0
 * if nothing is there. If it is no regular file, `out` is `path`. Returns 0 or an errno; ESTALE: a
 * link of /proc leads to a file without a name. */
int spmv_destination_find(const char *path, char out[SPMV_DESTINATION_BYTES], struct stat *there);

/* "pipe": what a mode is of that no rename may replace; NULL: a regular file, or nothing. */
const char *spmv_destination_kind(mode_t mode);

#endif
