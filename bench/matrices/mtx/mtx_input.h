/* mtx_input.h: the text of a file as slabs of whole lines.
 *
 *     | line \n | line \n | ... | line \n | padding
 *     next                              end
 *
 * The source is a file or memory, plain or gzip of one or more members, recognised by content. A
 * last line without a newline gets one; MTX_DECIMAL_PADDING readable bytes follow the end. A slab
 * is valid until the next one. The input owns its buffers and its file; it borrows the memory, the
 * report and the bytes of a source in memory.
 */
#ifndef MTX_INPUT_H
#define MTX_INPUT_H

#include "bench/matrices/mtx/mtx_memory.h"
#include "common/foreign_file.h"

/* The longest line, comments included. */
enum { MTX_LINE_MAX = 1 << 20 };

typedef struct mtx_input mtx_input;

/* A slab, and the position of its reader. */
typedef struct mtx_lines {
    const char *next, *end;      /* equal at the end of the file */
    int64_t number;              /* number of the line at next, from 1 */
} mtx_lines;

/* The path "-" is standard input. */
mtx_status mtx_input_open_file(mtx_memory *memory, const mtx_report *report, const char *path,
                               mtx_input **out);
mtx_status mtx_input_open_bytes(mtx_memory *memory, const mtx_report *report, const void *bytes,
                                size_t size, mtx_input **out);
void mtx_input_close(mtx_input *input);                          /* NULL is fine */

/* Gets the next slab and leaves number unchanged. Call it when next == end. At the start `lines` is
 * all zero except number, which is 1. */
mtx_status mtx_input_next(mtx_input *input, mtx_lines *lines);

/* Bytes of the whole file; -1: unknown, since it is a pipe or compressed. Known after the first
 * slab. */
int64_t mtx_input_file_bytes(const mtx_input *input);

/* The first bytes of the text, for a message about the file. Call it after one mtx_input_next;
 * nothing can be read after it. */
sg_file_head mtx_input_head(mtx_input *input);

/* Bytes of uncompressed text read so far. */
int64_t mtx_input_text_bytes(const mtx_input *input);

#endif
