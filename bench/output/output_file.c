/* output_file.c: see output_file.h. */
#define _POSIX_C_SOURCE 200809L  /* strdup */
#define _FILE_OFFSET_BITS 64     /* for inputs over 2 GB on 32-bit systems */
#include "bench/output/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/destination.h"
#include "common/fail.h"

/* ---- what may be replaced ------------------------------------------------------------------ */

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The input that is this file, under any name or link; NULL: none. */
static const char *find_input(const bench_output_file_rules *rules, const struct stat *there)
{
    struct stat input;

    for (size_t i = 0; i < rules->input_count; i++)
        if (stat(rules->inputs[i], &input) == 0 && is_same(&input, there))
            return rules->inputs[i];
    return NULL;
}

/* Whether the file is empty or of the rules' kind. False for a file that cannot be read. */
static bool is_replaceable(const bench_output_file_rules *rules, const char *path)
{
    const size_t length = strlen(rules->beginning);
    char begin[64];
    FILE *file = fopen(path, "rb");

    if (!file)
        return false;
    const size_t got = fread(begin, 1, length < sizeof begin ? length : sizeof begin, file);
    const bool good = !ferror(file) && (got == 0 || (got == length &&
                                                     memcmp(begin, rules->beginning, got) == 0));
    fclose(file);
    return good;
}

static bool check_regular(const bench_output_file_rules *rules, const char *path,
                          const struct stat *there, spmv_error *error)
{
    const char *input = find_input(rules, there);
    struct stat table;

    if (input)
        return sg_fail(error, "%s would replace '%s', which this run reads: give %s the name of "
                       "another file", rules->option, input, rules->option);
    if (fstat(STDOUT_FILENO, &table) == 0 && is_same(&table, there))
        return sg_fail(error, "%s would replace '%s', where the table goes: give %s the name of "
                       "another file", rules->option, path, rules->option);
    if (!is_replaceable(rules, path))
        return sg_fail(error, "%s would replace '%s', which is not %s: give %s the name of another "
                       "file, or remove that one", rules->option, path, rules->kind, rules->option);
    return access(path, W_OK) == 0 ||
           sg_fail(error, "cannot write '%s': %s; %s takes a file that can be written", path,
                   strerror(errno), rules->option);
}

/* ---- the file in the making ---------------------------------------------------------------- */

enum { ATTEMPTS = 1000, SUFFIX = 64 };

/* Creates a file of a new name beside `path`. On failure errno says why. */
static FILE *create_fresh(const char *path, char **name)
{
    const size_t size = strlen(path) + SUFFIX;
    FILE *file = NULL;

    *name = malloc(size);
    for (int i = 0; *name && i < ATTEMPTS && !file; i++) {
        snprintf(*name, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        file = fopen(*name, "wx");
        if (!file && errno != EEXIST)
            break;
    }
    if (!file) {
        const int reason = errno;
        free(*name);
        *name = NULL;
        errno = reason;
    }
    return file;
}

static void clear(bench_output_file *output)
{
    free(output->path);
    free(output->fresh);
    *output = (bench_output_file){ .file = NULL };
}

/* Checks and opens. */
static bool open_output(bench_output_file *output, const bench_output_file_rules *rules,
                        const char *path, spmv_error *error)
{
    char found[SPMV_DESTINATION_BYTES];
    struct stat there;
    const int reason = spmv_destination_find(path, found, &there);

    *output = (bench_output_file){ .file = NULL };
    if (reason == 0 && S_ISREG(there.st_mode) &&
        !check_regular(rules, path, &there, error))
        return false;
    errno = reason;
    if (reason == 0 && spmv_destination_kind(there.st_mode)) {
        output->file = fopen(path, "w");
    } else if (reason == 0) {
        output->path = strdup(found);
        output->file = output->path ? create_fresh(output->path, &output->fresh) : NULL;
    }
    if (output->file)
        return true;
    sg_fail(error, "cannot write '%s': %s; %s takes a file in a folder that is there and can be "
            "written", path, strerror(errno), rules->option);
    clear(output);
    return false;
}

bool bench_output_file_check(const bench_output_file_rules *rules, const char *path,
                             spmv_error *error)
{
    bench_output_file output;
    struct stat there;

    /* Opening a pipe would wait for its reader, and closing it would end the reader's input. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
        return access(path, W_OK) == 0 ||
               sg_fail(error, "cannot write '%s': %s; %s takes a file that can be written", path,
                       strerror(errno), rules->option);
    if (!open_output(&output, rules, path, error))
        return false;
    fclose(output.file);
    unlink(output.fresh);
    clear(&output);
    return true;
}

bool bench_output_file_begin(bench_output_file *output, const bench_output_file_rules *rules,
                             const char *path, spmv_error *error)
{
    return open_output(output, rules, path, error);
}

bool bench_output_file_end(bench_output_file *output, spmv_error *error)
{
    const char *path = output->path;
    bool good = fflush(output->file) == 0 && !ferror(output->file);
    int reason = good ? 0 : errno;

    if (fclose(output->file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && path && rename(output->fresh, path) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        if (output->fresh)
            unlink(output->fresh);
        sg_fail(error, "cannot write %s%s%s: %s%s", path ? "'" : "the figures", path ? path : "",
                path ? "'" : "", strerror(reason), path ? "; what was there before is as it was" :
                "");
    }
    clear(output);
    return good;
}
