/* save.c: see save.h. */
#define _GNU_SOURCE              /* flock, open_memstream */
#define _FILE_OFFSET_BITS 64     /* for files over 2 GB on 32-bit systems */
#include "bench/records/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/destination.h"
#include "common/fail.h"

struct bench_save {
    const bench_record_format *format;
    char *path;
    int file;
    bool is_regular;
    bool is_new;                 /* opening made it */
    bool cuts;                   /* before the first text, to `keep` bytes */
    off_t keep;
    char *pending;               /* not written yet; NULL: none */
    size_t pending_bytes;
    int reason;                  /* errno of the last failure */
    bool lost;                   /* memory ran out: a text is lost */
};

/* ---- opening --------------------------------------------------------------------------------- */

/* The bytes up to the last line feed. */
static off_t whole_lines(int file, off_t size)
{
    char block[4096];

    while (size > 0) {
        const off_t begin = size > (off_t)sizeof block ? size - (off_t)sizeof block : 0;
        const ssize_t got = pread(file, block, (size_t)(size - begin), begin);
        if (got <= 0)
            return size;
        for (ssize_t i = got; i > 0; i--)
            if (block[i - 1] == '\n')
                return begin + i;
        size = begin;
    }
    return 0;
}

/* Whether a file begins as all of its format do. */
static bool has_heading(const bench_save *save)
{
    char *heading = NULL, *found = NULL;
    size_t bytes = 0;
    FILE *out = save->format->begin ? open_memstream(&heading, &bytes) : NULL;
    bool same = false;

    if (out) {
        save->format->begin(out);
        if (fclose(out) == 0 && (found = malloc(bytes + 1)))
            same = pread(save->file, found, bytes, 0) == (ssize_t)bytes &&
                   memcmp(heading, found, bytes) == 0;
    }
    free(heading);
    free(found);
    return same;
}

/* Locks a regular file, and checks its content. */
static bool take_regular(bench_save *save, bench_save_mode mode, const struct stat *there,
                         spmv_error *error)
{
    const char *path = save->path;
    struct stat table;

    if (fstat(STDOUT_FILENO, &table) == 0 && table.st_dev == there->st_dev &&
        table.st_ino == there->st_ino)
        return sg_fail(error, "--save would write to '%s', where the table goes: give it another "
                       "name", path);
    /* A file system without locks is used without. */
    if (flock(save->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return sg_fail(error, "another spmvbench writes '%s' now: wait for it, or give another "
                       "name", path);
    if (mode == BENCH_SAVE_RESUME)
        save->keep = whole_lines(save->file, there->st_size);
    else if (there->st_size > 0 && (mode == BENCH_SAVE_NEW || !has_heading(save)))
        return sg_fail(error, "'%s' is there already: %s%s%s give --save another name, or remove "
                       "that file", path, save->format->run ? "--resume " : "",
                       save->format->run ? path : "", save->format->run ? " continues it; else" :
                       "");
    save->cuts = save->keep < there->st_size;
    return true;
}

static bool open_file(bench_save *save, bench_save_mode mode, spmv_error *error)
{
    const int create = mode == BENCH_SAVE_RESUME ? 0 : O_CREAT;
    struct stat there;

    /* A pipe is not opened for reading: that would hide that it has no reader. */
    const bool exists = stat(save->path, &there) == 0;
    const bool is_other = exists && !S_ISREG(there.st_mode);
    save->file = open(save->path, (is_other ? O_WRONLY : O_RDWR | O_APPEND | create) | O_CLOEXEC,
                      0666);
    if (save->file < 0 && errno == ENOENT && mode == BENCH_SAVE_RESUME)
        return sg_fail(error, "'%s' is not there; --save %s begins it", save->path, save->path);
    if (save->file < 0 || fstat(save->file, &there) != 0)
        return sg_fail(error, "cannot write '%s': %s; --save takes a file in a folder that is "
                       "there and can be written", save->path, strerror(errno));
    save->is_regular = S_ISREG(there.st_mode);
    save->is_new = !exists && save->is_regular && there.st_size == 0;
    return !save->is_regular || take_regular(save, mode, &there, error);
}

bench_save *bench_save_open(const char *path, bench_save_mode mode, spmv_error *error)
{
    bench_save *save = calloc(1, sizeof *save);

    if (!save || !(save->path = strdup(path))) {
        sg_fail(error, "out of memory");
        free(save);
        return NULL;
    }
    save->file = -1;
    save->format = bench_record_format_of(path);
    if (save->format && open_file(save, mode, error))
        return save;
    if (!save->format)
        sg_fail(error, "--save takes FILE.jsonl or FILE.csv, not '%s': the ending of the name "
                "selects the format", path);
    if (save->file >= 0)
        close(save->file);
    free(save->path);
    free(save);
    return NULL;
}

bool bench_save_is(const bench_save *save, const char *path)
{
    struct stat own, other;

    return fstat(save->file, &own) == 0 && stat(path, &other) == 0 && own.st_dev == other.st_dev &&
           own.st_ino == other.st_ino;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes what is pending, whole or not at all. */
static void write_pending(bench_save *save)
{
    size_t done = 0;

    if (save->cuts && ftruncate(save->file, save->keep) != 0) {
        save->reason = errno;
        return;
    }
    save->cuts = false;
    const off_t before = save->is_regular ? lseek(save->file, 0, SEEK_END) : 0;

    while (done < save->pending_bytes) {
        const ssize_t wrote = write(save->file, save->pending + done, save->pending_bytes - done);
        if (wrote > 0) {
            done += (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            save->reason = wrote == 0 ? ENOSPC : errno;
            break;
        }
    }
    if (done < save->pending_bytes && save->is_regular) {
        /* If cutting fails, too, readers ignore the last line, which is not whole. */
        if (ftruncate(save->file, before) == 0)
            done = 0;
    }
    memmove(save->pending, save->pending + done, save->pending_bytes - done);
    save->pending_bytes -= done;
}

/* Ends a text that `out` holds, and writes it behind what is pending. */
static void append(bench_save *save, FILE *out, char **text, size_t *bytes)
{
    const bool good = out && !ferror(out);
    char *grown = NULL;

    if (out && fclose(out) == 0 && good)
        grown = realloc(save->pending, save->pending_bytes + *bytes + 1);
    if (grown) {
        memcpy(grown + save->pending_bytes, *text, *bytes);
        save->pending = grown;
        save->pending_bytes += *bytes;
        write_pending(save);
    } else {
        save->lost = true;
    }
    free(*text);
}

void bench_save_run(bench_save *save, const bench_records *records)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (out && save->format->begin)
        save->format->begin(out);
    if (out && save->format->run)
        save->format->run(records, out);
    append(save, out, &text, &bytes);
}

void bench_save_group(bench_save *save, const bench_records *records, size_t matrix)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (out)
        save->format->group(records, matrix, out);
    append(save, out, &text, &bytes);
}

void bench_save_end(bench_save *save, const bench_ending *ending)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (out && save->format->end)
        save->format->end(ending, out);
    append(save, out, &text, &bytes);
}

/* Removes a file that was made for a run that did not begin, and no link to it. */
static void remove_unused(const bench_save *save)
{
    char path[SPMV_DESTINATION_BYTES];
    struct stat there;

    if (save->is_new && spmv_destination_find(save->path, path, &there) == 0 &&
        there.st_size == 0 && bench_save_is(save, path))
        unlink(path);
}

bool bench_save_close(bench_save *save, spmv_error *error)
{
    bool good = true;

    if (!save)
        return true;
    if (save->pending_bytes > 0)
        write_pending(save);
    remove_unused(save);
    if (close(save->file) != 0 && !save->reason) {
        save->reason = errno;
        good = false;
    }
    if (save->pending_bytes > 0 || save->lost || !good)
        good = sg_fail(error, "cannot write '%s': %s; it lacks the last races", save->path,
                       save->lost ? "out of memory" : strerror(save->reason));
    free(save->pending);
    free(save->path);
    free(save);
    return good;
}
