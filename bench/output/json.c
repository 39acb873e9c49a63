/* json.c: see json.h. */
#include "bench/output/json.h"

#include <inttypes.h>
#include <math.h>

#include "common/letters.h"

void bench_json_text(FILE *out, const char *text)
{
    size_t length;

    fputc('"', out);
    for (const char *c = text; *c; c += length ? length : 1) {
        length = sg_utf8_length(c);
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (!sg_is_printable(sg_utf8_letter(c, length)))
            fprintf(out, "\\u%04" PRIx32, sg_utf8_letter(c, length));
        else
            fwrite(c, 1, length, out);
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
