/* message.c: see message.h. */
#include "bench/output/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/utf8.h"

void bench_message(const char *format, ...)
{
    char text[2048], shown[4 * sizeof text];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sg_make_printable(shown, sizeof shown, text);
    fprintf(stderr, "spmvbench: %s\n", shown);
}

const char *bench_printable(char buffer[BENCH_PRINTABLE_BYTES], const char *name)
{
    sg_make_printable(buffer, BENCH_PRINTABLE_BYTES, name);
    return buffer;
}
