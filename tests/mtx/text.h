/* text.h: builds texts for tests, and compresses them. */
#ifndef TEST_TEXT_H
#define TEST_TEXT_H

#include <stddef.h>

/* Zero-initialise. The test ends if memory runs out. */
typedef struct text_buffer {
    char *bytes;
    size_t size, capacity;
} text_buffer;

void text_add(text_buffer *t, const void *bytes, size_t size);
void text_printf(text_buffer *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(text_buffer *t);

/* Appends a gzip member that holds the bytes. */
void text_add_gzip(text_buffer *t, const void *bytes, size_t size);

#endif
