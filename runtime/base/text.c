/* text.c: messages in a fixed buffer. Thread-safe: no shared state. */
#include "runtime/base/text.h"

#include <string.h>

int spmv_text_has(const char *text, const char *parts)
{
    const size_t length = strcspn(parts, "|");

    for (const char *at = text; strlen(at) >= length; at++)
        if (memcmp(at, parts, length) == 0)
            return 1;
    return parts[length] == '|' && spmv_text_has(text, parts + length + 1);
}

spmv_text spmv_text_begin(char *data, size_t size)
{
    const spmv_text text = {data, size, 0};

    data[0] = '\0';
    return text;
}

void spmv_text_add_v(spmv_text *text, const char *format, va_list args)
{
    const size_t room = text->size - text->length;
    const int needed = vsnprintf(text->data + text->length, room, format, args);

    if (needed < 0) {            /* an encoding error: keep the old text */
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
