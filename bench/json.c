/* json.c: see json.h. */
#include "bench/json.h"

#include <math.h>

void bench_json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        if ((unsigned char)*c < 32)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

void bench_json_number(FILE *out, const char *name, double number, const char *end)
{
    if (isfinite(number))
        fprintf(out, "\"%s\": %.6g%s", name, number, end);
    else
        fprintf(out, "\"%s\": null%s", name, end);
}
