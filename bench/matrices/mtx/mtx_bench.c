/* mtx_bench.c: measures the Matrix Market reader, in MB (10^6 bytes) of uncompressed text a second.
 *
 *     mtxbench [FILE...]       reads each file
 *     mtxbench                 writes files of about 100 MB for several kinds of values, reads and
 *                              removes them; they lie in the folder TMPDIR, or /tmp
 *
 * The best of three readings counts; it includes building rows and the search for duplicates.
 * `wall` is the elapsed time, `cpu` the processor time of the one thread, and `peak` the memory
 * over the size of the result.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/matrices/mtx/mtx_read.h"

enum { READINGS = 3, TEXT_BYTES = 100000000, ROWS = 400000 };

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void heading_print(void)
{
    printf("%-28s %10s %12s %9s %9s %7s\n", "file", "MB", "entries", "wall MB/s", "cpu MB/s",
           "peak");
}

static bool file_measure(const char *name, const char *path)
{
    double wall = INFINITY, cpu = INFINITY, ratio = 0;
    mtx_matrix matrix;
    int64_t entries = 0, text_bytes = 0;
    for (int i = 0; i < READINGS; i++) {
        mtx_memory memory;
        mtx_error err;
        mtx_memory_init(&memory, 0);
        double wall_start = seconds(CLOCK_MONOTONIC), cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (mtx_read_within(&memory, path, NULL, &matrix, &err)) {
            fprintf(stderr, "mtxbench: %s\n", err.text);
            return false;
        }
        wall = fmin(wall, seconds(CLOCK_MONOTONIC) - wall_start);
        cpu = fmin(cpu, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start);
        ratio = (double)memory.peak / (double)memory.used;
        entries = matrix.stored_entries;
        text_bytes = matrix.text_bytes;
        mtx_free(&matrix);
    }
    double mega = 1e-6 * (double)text_bytes;
    printf("%-28s %10.1f %12" PRId64 " %9.0f %9.0f %7.2f\n", name, mega, entries, mega / wall,
           mega / cpu, ratio);
    return true;
}

/* ---- generated files ------------------------------------------------------------------------- */

typedef struct kind {
    const char *name, *banner;
    const char *format;          /* printf format of a value; NULL: no values */
    bool is_integer, is_symmetric, is_shuffled;
} kind;

static const kind kinds[] = {
    { "pattern", "pattern general", NULL, false, false, false },
    { "integer", "integer general", "%d", true, false, false },
    { "real, 4 digits", "real general", "%.4g", false, false, false },
    { "real, %.13e", "real general", "%.13e", false, false, false },
    { "real, %.17g", "real general", "%.17g", false, false, false },
    { "real, %.17g, symmetric", "real symmetric", "%.17g", false, true, false },
    { "real, %.17g, shuffled", "real general", "%.17g", false, false, true },
};

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int value_write(FILE *file, const kind *k, uint64_t bits)
{
    if (!k->format)
        return fputc('\n', file) == EOF ? -1 : 1;
    char format[16], text[40];
    snprintf(format, sizeof format, " %s\n", k->format);
    double real = ldexp((double)(int64_t)bits, -60 - (int)(bits & 31));
    int length = k->is_integer ? snprintf(text, sizeof text, format, (int)(bits % 2001) - 1000)
                               : snprintf(text, sizeof text, format, real);
    return fputs(text, file) < 0 ? -1 : length;
}

/* Writes entries column by column, as most collections do, with about as many entries in each
 * row. */
static bool kind_write(FILE *file, const kind *k)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    int64_t bytes = 0, entries = 0;
    long size_at;
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s\n", k->banner);
    size_at = ftell(file);
    fprintf(file, "%d %d %12d\n", ROWS, ROWS, 0);
    int per_column = k->format ? 12 : 24;
    for (int64_t col = 0; col < ROWS && bytes < TEXT_BYTES; col++) {
        for (int i = 0; i < per_column && bytes < TEXT_BYTES; i++) {
            int64_t row = (col + i * (i + 1) * 40) % ROWS, at = col;
            if (k->is_symmetric && row < col)
                continue;
            if (k->is_shuffled)
                at = (int64_t)(random_next(&state) % ROWS);
            int length = fprintf(file, "%" PRId64 " %" PRId64, row + 1, at + 1);
            int more = value_write(file, k, random_next(&state));
            if (length < 0 || more < 0)
                return false;
            bytes += length + more;
            entries++;
        }
    }
    if (fseek(file, size_at, SEEK_SET))
        return false;
    fprintf(file, "%d %d %12" PRId64 "\n", ROWS, ROWS, entries);
    return !ferror(file);
}

static bool kind_measure(const kind *k)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/mtxbench-XXXXXX", folder && *folder ? folder : "/tmp");
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    bool good = file && kind_write(file, k);
    if (file)
        good = fclose(file) == 0 && good;
    if (!good)
        fprintf(stderr, "mtxbench: cannot write %s, expected room for 100 MB; set TMPDIR\n", path);
    else
        good = file_measure(k->name, path);
    if (descriptor >= 0)
        unlink(path);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;
    if (argc > 1 && argv[1][0] == '-') {
        fprintf(argv[1][1] == 'h' || !strcmp(argv[1], "--help") ? stdout : stderr,
                "usage: mtxbench [FILE...]\n");
        return argv[1][1] == 'h' || !strcmp(argv[1], "--help") ? 0 : 2;
    }
    heading_print();
    for (int i = 1; i < argc; i++)
        good = file_measure(argv[i], argv[i]) && good;
    for (size_t i = 0; argc == 1 && i < sizeof kinds / sizeof kinds[0]; i++)
        good = kind_measure(&kinds[i]) && good;
    return good ? 0 : 1;
}
