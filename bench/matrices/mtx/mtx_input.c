/* mtx_input.c: slabs of whole lines from a file or memory. See mtx_input.h. */
#define _GNU_SOURCE
#include "bench/matrices/mtx/mtx_input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "bench/matrices/mtx/mtx_decimal.h"

enum {
    TEXT_BYTES = 1 << 18,        /* size of a slab; fits the second-level cache */
    RAW_BYTES = 1 << 16
};

static const unsigned char gzip_magic[2] = { 0x1f, 0x8b };

typedef enum compression { UNKNOWN, PLAIN, GZIP } compression;

struct mtx_input {
    mtx_memory *memory;
    const mtx_report *report;

    int file;                    /* -1: read from memory, below */
    int64_t file_bytes;          /* -1: unknown */
    const unsigned char *bytes;
    size_t bytes_left;

    compression compression;
    unsigned char *raw;          /* unused input, compressed or not: */
    size_t raw_next, raw_end;
    z_stream gzip;
    bool is_gzip_open;
    bool is_member_done;

    char *text;                  /* capacity + MTX_DECIMAL_PADDING bytes */
    size_t capacity;
    size_t slab_end, text_end;   /* a partial line lies between them */
    int64_t text_bytes;
    bool is_at_end;
};

/* ---- the source ------------------------------------------------------------------------------ */

static mtx_status source_read(mtx_input *input, void *out, size_t size, size_t *got)
{
    if (input->file < 0) {
        *got = size < input->bytes_left ? size : input->bytes_left;
        if (*got)
            memcpy(out, input->bytes, *got);
        input->bytes += *got;
        input->bytes_left -= *got;
        return MTX_OK;
    }
    ssize_t count;
    do
        count = read(input->file, out, size);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return mtx_report_fail(input->report, MTX_CANNOT_READ, 0,
                               "cannot be read (%m), expected a readable file; check the disk or "
                               "copy the file anew");
    *got = (size_t)count;
    return MTX_OK;
}

/* Makes at least `wanted` raw bytes available, unless the source ends earlier. */
static mtx_status raw_fill(mtx_input *input, size_t wanted)
{
    if (input->raw_next > 0) {
        memmove(input->raw, input->raw + input->raw_next, input->raw_end - input->raw_next);
        input->raw_end -= input->raw_next;
        input->raw_next = 0;
    }
    while (input->raw_end < wanted) {
        size_t got;
        mtx_status status = source_read(input, input->raw + input->raw_end,
                                        RAW_BYTES - input->raw_end, &got);
        if (status)
            return status;
        if (got == 0)
            return MTX_OK;
        input->raw_end += got;
    }
    return MTX_OK;
}

static bool raw_starts_gzip(const mtx_input *input)
{
    return input->raw_end - input->raw_next >= sizeof gzip_magic &&
           !memcmp(input->raw + input->raw_next, gzip_magic, sizeof gzip_magic);
}

/* ---- plain text and gzip --------------------------------------------------------------------- */

static mtx_status plain_read(mtx_input *input, char *out, size_t size, size_t *got)
{
    size_t left = input->raw_end - input->raw_next;
    if (left == 0)
        return source_read(input, out, size, got);
    *got = left < size ? left : size;
    memcpy(out, input->raw + input->raw_next, *got);
    input->raw_next += *got;
    return MTX_OK;
}

static mtx_status gzip_fail(const mtx_input *input, const char *found)
{
    return mtx_report_fail(input->report, MTX_CANNOT_READ, 0,
                           "%s after %" PRId64 " bytes of text, expected gzip data up to its "
                           "checksum; get the file anew or try gunzip on it", found,
                           input->text_bytes);
}

/* A member is followed by another member, by zeros as padding, or by the end. Other bytes are
 * damage. */
static mtx_status gzip_next_member(mtx_input *input, bool *done)
{
    for (;;) {
        mtx_status status = raw_fill(input, sizeof gzip_magic);
        if (status)
            return status;
        if (raw_starts_gzip(input)) {
            *done = false;
            return inflateReset(&input->gzip) == Z_OK ? MTX_OK
                                                      : gzip_fail(input, "zlib fails");
        }
        *done = true;
        if (input->raw_next == input->raw_end)
            return MTX_OK;
        for (; input->raw_next < input->raw_end; input->raw_next++)
            if (input->raw[input->raw_next] != 0)
                return gzip_fail(input, "garbage follows the compressed data");
    }
}

static mtx_status gzip_read(mtx_input *input, char *out, size_t size, size_t *got)
{
    z_stream *gzip = &input->gzip;
    *got = 0;
    while (*got == 0) {
        bool done = false;
        mtx_status status = input->is_member_done ? gzip_next_member(input, &done)
                                                  : raw_fill(input, 1);
        if (status || done)
            return status;
        if (input->raw_next == input->raw_end)
            return gzip_fail(input, "the compressed data end early");
        gzip->next_in = input->raw + input->raw_next;
        gzip->avail_in = (unsigned)(input->raw_end - input->raw_next);
        gzip->next_out = (unsigned char *)out;
        gzip->avail_out = (unsigned)size;
        int result = inflate(gzip, Z_NO_FLUSH);
        input->raw_next = input->raw_end - gzip->avail_in;
        *got = size - gzip->avail_out;
        if (result == Z_MEM_ERROR)
            return mtx_memory_fail(input->memory, input->report, "decompression");
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return gzip_fail(input, gzip->msg ? gzip->msg : "damaged data");
        input->is_member_done = result == Z_STREAM_END;
    }
    return MTX_OK;
}

/* Counted allocation for zlib. A block stores its size, since mtx_memory_free needs it. */
typedef struct zlib_block {
    uint64_t bytes;
    max_align_t data[];
} zlib_block;

static void *zlib_alloc(void *memory, unsigned count, unsigned size)
{
    uint64_t bytes = sizeof(zlib_block) + (uint64_t)count * size;
    zlib_block *block = mtx_memory_alloc(memory, bytes, 1);
    if (!block)
        return NULL;
    block->bytes = bytes;
    return block->data;
}

static void zlib_free(void *memory, void *data)
{
    zlib_block *block = (zlib_block *)((char *)data - offsetof(zlib_block, data));
    mtx_memory_free(memory, block, block->bytes, 1);
}

static mtx_status compression_find(mtx_input *input)
{
    mtx_status status = raw_fill(input, sizeof gzip_magic);
    if (status)
        return status;
    input->compression = PLAIN;
    if (!raw_starts_gzip(input))
        return MTX_OK;
    enum { GZIP_ONLY = 16 };
    input->gzip.zalloc = zlib_alloc;
    input->gzip.zfree = zlib_free;
    input->gzip.opaque = input->memory;
    if (inflateInit2(&input->gzip, MAX_WBITS + GZIP_ONLY) != Z_OK)
        return mtx_memory_fail(input->memory, input->report, "decompression");
    input->is_gzip_open = true;
    input->compression = GZIP;
    return MTX_OK;
}

/* ---- slabs ----------------------------------------------------------------------------------- */

static mtx_status text_grow(mtx_input *input, int64_t line)
{
    if (input->capacity >= MTX_LINE_MAX)
        return mtx_report_fail(input->report, MTX_MALFORMED, line,
                               "a line of more than %d bytes, expected short lines of text; is "
                               "this a Matrix Market file?", MTX_LINE_MAX);
    size_t capacity = 2 * input->capacity;
    char *text = mtx_memory_alloc(input->memory, capacity + MTX_DECIMAL_PADDING, 1);
    if (!text)
        return mtx_memory_fail(input->memory, input->report, "a long line");
    memset(text, 0, capacity + MTX_DECIMAL_PADDING);
    memcpy(text, input->text, input->text_end);
    mtx_memory_free(input->memory, input->text, input->capacity + MTX_DECIMAL_PADDING, 1);
    input->text = text;
    input->capacity = capacity;
    return MTX_OK;
}

/* Reads once at text_end. At the end of the source it completes the last line. */
static mtx_status text_read(mtx_input *input)
{
    size_t got;
    char *out = input->text + input->text_end;
    size_t room = input->capacity - input->text_end;
    mtx_status status = input->compression == GZIP ? gzip_read(input, out, room, &got)
                                                   : plain_read(input, out, room, &got);
    if (status)
        return status;
    input->text_bytes += (int64_t)got;
    input->text_end += got;
    if (got == 0) {
        input->is_at_end = true;
        if (input->text_end > 0)
            input->text[input->text_end++] = '\n';
    }
    return MTX_OK;
}

mtx_status mtx_input_next(mtx_input *input, mtx_lines *lines)
{
    mtx_status status = MTX_OK;
    if (input->compression == UNKNOWN)
        status = compression_find(input);
    size_t rest = input->text_end - input->slab_end;
    memmove(input->text, input->text + input->slab_end, rest);
    input->text_end = rest;
    input->slab_end = 0;
    while (!status && input->slab_end == 0 && !input->is_at_end) {
        size_t searched = input->text_end;
        if (input->text_end == input->capacity)
            status = text_grow(input, lines->number);
        if (!status)
            status = text_read(input);
        const char *newline = memrchr(input->text + searched, '\n', input->text_end - searched);
        if (newline)
            input->slab_end = (size_t)(newline + 1 - input->text);
    }
    lines->next = input->text;
    lines->end = input->text + input->slab_end;
    return status;
}

sg_file_head mtx_input_head(mtx_input *input)
{
    bool fails = false;
    while (input->text_end < SG_FOREIGN_HEAD && !input->is_at_end && !fails)
        fails = text_read(input);
    /* The newline that completes the last line is not in the file. */
    bool has_newline = (int64_t)input->text_end > input->text_bytes;
    return (sg_file_head){ .bytes = input->text, .size = input->text_end - has_newline,
                           .is_whole = input->is_at_end, .is_gzip = input->compression == GZIP };
}

int64_t mtx_input_file_bytes(const mtx_input *input)
{
    return input->compression == PLAIN ? input->file_bytes : -1;
}

int64_t mtx_input_text_bytes(const mtx_input *input)
{
    return input->text_bytes;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static mtx_status input_create(mtx_memory *memory, const mtx_report *report, mtx_input **out)
{
    mtx_input *input = mtx_memory_alloc(memory, 1, sizeof *input);
    if (!input)
        return mtx_memory_fail(memory, report, "the reader");
    *input = (mtx_input){ .memory = memory, .report = report, .file = -1, .file_bytes = -1,
                          .capacity = TEXT_BYTES };
    *out = input;
    input->text = mtx_memory_alloc(memory, TEXT_BYTES + MTX_DECIMAL_PADDING, 1);
    input->raw = mtx_memory_alloc(memory, RAW_BYTES, 1);
    if (!input->text || !input->raw)
        return mtx_memory_fail(memory, report, "the reader's buffer");
    /* Numbers are scanned eight bytes at a time, beyond the end of the text. */
    memset(input->text, 0, TEXT_BYTES + MTX_DECIMAL_PADDING);
    return MTX_OK;
}

static const char standard_input[] = "-";

const char *mtx_path_name(const char *path)
{
    return strcmp(path, standard_input) ? path : "standard input";
}

static mtx_status file_open(const mtx_report *report, const char *path, mtx_input *input)
{
    struct stat info;
    int file = strcmp(path, standard_input) ? open(path, O_RDONLY | O_CLOEXEC)
                                            : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file < 0)
        return mtx_report_fail(report, MTX_CANNOT_READ, 0,
                               "cannot be opened (%m), expected a readable Matrix Market file; "
                               "check the path and its permissions");
    input->file = file;
    if (fstat(file, &info))
        return MTX_OK;
    if (S_ISDIR(info.st_mode))
        return mtx_report_fail(report, MTX_CANNOT_READ, 0,
                               "is a directory, expected a Matrix Market file; name a file in it");
    /* Files of /proc have size 0. */
    if (S_ISREG(info.st_mode) && info.st_size > 0)
        input->file_bytes = info.st_size;
    return MTX_OK;
}

mtx_status mtx_input_open_file(mtx_memory *memory, const mtx_report *report, const char *path,
                               mtx_input **out)
{
    *out = NULL;
    mtx_input *input = NULL;
    mtx_status status = input_create(memory, report, &input);
    if (!status)
        status = file_open(report, path, input);
    if (status) {
        mtx_input_close(input);
        return status;
    }
    *out = input;
    return MTX_OK;
}

mtx_status mtx_input_open_bytes(mtx_memory *memory, const mtx_report *report, const void *bytes,
                                size_t size, mtx_input **out)
{
    *out = NULL;
    mtx_input *input = NULL;
    mtx_status status = input_create(memory, report, &input);
    if (status) {
        mtx_input_close(input);
        return status;
    }
    input->bytes = bytes;
    input->bytes_left = size;
    input->file_bytes = (int64_t)size;
    *out = input;
    return MTX_OK;
}

void mtx_input_close(mtx_input *input)
{
    if (!input)
        return;
    if (input->is_gzip_open)
        inflateEnd(&input->gzip);
    if (input->file >= 0)
        close(input->file);
    mtx_memory_free(input->memory, input->text, input->capacity + MTX_DECIMAL_PADDING, 1);
    mtx_memory_free(input->memory, input->raw, RAW_BYTES, 1);
    mtx_memory_free(input->memory, input, 1, sizeof *input);
}
