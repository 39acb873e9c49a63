/* text.c: see text.h. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void text_reserve(text_buffer *t, size_t more)
{
    if (t->size + more <= t->capacity)
        return;
    t->capacity = 2 * (t->size + more);
    t->bytes = realloc(t->bytes, t->capacity);
    if (!t->bytes)
        abort();
}

void text_add(text_buffer *t, const void *bytes, size_t size)
{
    text_reserve(t, size + 1);
    if (size)
        memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = '\0';
}

void text_printf(text_buffer *t, const char *format, ...)
{
    char line[4096];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof line)
        abort();
    text_add(t, line, (size_t)length);
}

void text_free(text_buffer *t)
{
    free(t->bytes);
    *t = (text_buffer){ 0 };
}

void text_add_gzip(text_buffer *t, const void *bytes, size_t size)
{
    enum { GZIP = 16, MEMORY_LEVEL = 8 };
    z_stream stream = { 0 };
    if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + GZIP, MEMORY_LEVEL, Z_DEFAULT_STRATEGY))
        abort();
    size_t most = deflateBound(&stream, size) + 64;
    text_reserve(t, most + 1);
    stream.next_in = (unsigned char *)(size_t)bytes;
    stream.avail_in = (unsigned)size;
    stream.next_out = (unsigned char *)t->bytes + t->size;
    stream.avail_out = (unsigned)most;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    t->size += stream.total_out;
    deflateEnd(&stream);
}
