/* text.c: messages in a fixed buffer. Nothing is shared; everything may run at once. */
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 63 };          /* longer names are not compared */

spmv_text spmv_text_begin(char *data, size_t size)
{
    data[0] = '\0';
    return (spmv_text){data, size, 0};
}

void spmv_text_add_v(spmv_text *text, const char *format, va_list args)
{
    const size_t room = text->size - text->length;
    const int needed = vsnprintf(text->data + text->length, room, format, args);

    if (needed < 0) {            /* an encoding error: keep what was there */
        text->data[text->length] = '\0';
    } else if ((size_t)needed < room) {
        text->length += (size_t)needed;
    } else {
        text->length = text->size - 1;
        memcpy(text->data + text->size - 4, "...", 4);
    }
}

void spmv_text_add(spmv_text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    spmv_text_add_v(text, format, args);
    va_end(args);
}

size_t spmv_text_distance(const char *a, const char *b)
{
    const size_t a_length = strlen(a);
    const size_t b_length = strlen(b);
    size_t row[MAX_NAME + 1];    /* the last row of the edit-distance table */

    if (a_length > MAX_NAME || b_length > MAX_NAME)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            const size_t inserted = row[j - 1] + 1;
            const size_t deleted = row[j] + 1;
            size_t best = replaced < inserted ? replaced : inserted;
            if (deleted < best)
                best = deleted;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_length];
}

int spmv_text_is_near(const char *typed, const char *candidate)
{
    return spmv_text_distance(typed, candidate) <= 1 + strlen(candidate) / 4;
}
