/* text.h: building messages in a fixed buffer, which the caller owns. A text that does not fit ends
 * in "...". */
#ifndef SPMV_TEXT_H
#define SPMV_TEXT_H

#include <stdarg.h>
#include <stddef.h>

typedef struct spmv_text {
    char *data;                  /* always terminated */
    size_t size;                 /* bytes of data, at least 4 */
    size_t length;               /* without the terminator */
} spmv_text;

/* An empty text in `data`. */
spmv_text spmv_text_begin(char *data, size_t size);

void spmv_text_add(spmv_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void spmv_text_add_v(spmv_text *text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
