/* json.c: see json.h. */
#include "bench/output/json.h"

#include <math.h>

#include "common/json.h"

void bench_json_text(FILE *out, const char *text)
{
    sg_json_quote(sg_json_to_file, out, text);
}

void bench_json_number(FILE *out, const char *name, double number, const char *end)
{
    if (isfinite(number))
        fprintf(out, "\"%s\": %.6g%s", name, number, end);
    else
        fprintf(out, "\"%s\": null%s", name, end);
}
