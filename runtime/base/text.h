/* text.h: building messages in a fixed buffer, which the caller owns. A text that does not fit ends
 * in "...". */
#ifndef SPMV_TEXT_H
#define SPMV_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The compiler checks the arguments from number `first` on (0: a va_list) against the format,
 * argument number `at`. MinGW has two printfs, and says which of them is used. */
#if defined(__MINGW_PRINTF_FORMAT)
#define SPMV_PRINTF(at, first) __attribute__((format(__MINGW_PRINTF_FORMAT, at, first)))
#elif defined(__GNUC__)
#define SPMV_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define SPMV_PRINTF(at, first)
#endif

typedef struct spmv_text {
    char *data;                  /* always terminated */
    size_t size;                 /* bytes of data, at least 4 */
    size_t length;               /* without the terminator */
} spmv_text;

/* Whether the text has one of the parts, which "|" separates. */
int spmv_text_has(const char *text, const char *parts);

/* An empty text in `data`. */
spmv_text spmv_text_begin(char *data, size_t size);

SPMV_PRINTF(2, 3) void spmv_text_add(spmv_text *text, const char *format, ...);
SPMV_PRINTF(2, 0) void spmv_text_add_v(spmv_text *text, const char *format, va_list args);

#endif
