/* message.c: see message.h. */
#include "bench/output/message.h"

#include <stdarg.h>

#include "common/utf8.h"

__attribute__((format(printf, 3, 0)))
static void print_line(FILE *out, const char *begin, const char *format, va_list args)
{
    char text[2048], shown[4 * sizeof text];

    vsnprintf(text, sizeof text, format, args);
    sg_make_printable(shown, sizeof shown, text);
    fprintf(out, "%s%s\n", begin, shown);
}

void bench_message(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_line(stderr, "spmvbench: ", format, args);
    va_end(args);
}

void bench_line(FILE *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_line(out, "", format, args);
    va_end(args);
}

const char *bench_printable(char buffer[BENCH_PRINTABLE_BYTES], const char *name)
{
    sg_make_printable(buffer, BENCH_PRINTABLE_BYTES, name);
    return buffer;
}
