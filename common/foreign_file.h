/* foreign_file.h: recognises files of other formats by their first bytes, for readers of Matrix
 * Market files.
 *
 * A reader that refuses a file asks here before it blames the banner. The answer says what the file
 * is and has a command that makes a readable file of it, with FILE for its name:
 *
 *     is a tar archive, expected a Matrix Market file; unpack it and name the .mtx file in it: tar
 *     xf FILE
 */
#ifndef SG_FOREIGN_FILE_H
#define SG_FOREIGN_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes to read: archives and numbers in text need more than a signature. Bytes of an answer. */
enum { SG_FOREIGN_HEAD = 1 << 16, SG_FOREIGN_ANSWER = 840 };

typedef struct sg_file_head {
    const char *bytes;           /* the first ones, decompressed if the file is gzip's */
    size_t size;
    bool is_whole;               /* nothing follows */
    bool is_gzip;
} sg_file_head;

/* Writes the answer. False, and "": the format is unknown, or the file may be a Matrix Market file,
 * whose banner or size line may be wrong or missing. */
bool sg_foreign_file(char answer[SG_FOREIGN_ANSWER], const sg_file_head *head);

#endif
