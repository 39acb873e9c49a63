/* save.h: a file of --save, which grows while a run goes on.
 *
 * Each text is appended whole or not at all: if the disk is full, the file is cut to where it was,
 * and the text is kept and tried again with the next one. Other processes cannot write the same
 * file, as long as they use this, too.
 */
#ifndef BENCH_SAVE_H
#define BENCH_SAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/records/write.h"
#include "runtime/spmv.h"

typedef struct bench_save bench_save;

typedef enum bench_save_mode {
    BENCH_SAVE_NEW,              /* refuses a file that has something */
    BENCH_SAVE_AGAIN,            /* of such a file of this format, begins anew */
    BENCH_SAVE_RESUME            /* continues behind its last whole line */
} bench_save_mode;

/* On failure returns NULL with a sentence in error. */
bench_save *bench_save_open(const char *path, bench_save_mode mode, spmv_error *error);

/* Whether path names the same file. */
bool bench_save_is(const bench_save *save, const char *path);

/* Append records. A failure is told by bench_save_close. */
void bench_save_run(bench_save *save, const bench_records *records);
void bench_save_group(bench_save *save, const bench_records *records, size_t matrix);
void bench_save_end(bench_save *save, const bench_ending *ending);

/* False, with a sentence in error, if something could not be written. A file that opening made
 * and that got no text is removed. NULL is fine. */
bool bench_save_close(bench_save *save, spmv_error *error);

#endif
