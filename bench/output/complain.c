/* complain.c: see complain.h. */
#include "bench/output/complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/letters.h"

void bench_complain(const char *format, ...)
{
    char text[2048], shown[4 * sizeof text];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sg_make_printable(shown, sizeof shown, text);
    fprintf(stderr, "spmvbench: %s\n", shown);
}

const char *bench_shown(char buffer[BENCH_SHOWN_BYTES], const char *name)
{
    sg_make_printable(buffer, BENCH_SHOWN_BYTES, name);
    return buffer;
}
