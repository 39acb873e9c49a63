/* csv.c: see csv.h. */
#include "bench/output/csv.h"

#include "common/utf8.h"

void bench_csv_text(const char *text, FILE *out)
{
    char letter[SG_PRINTABLE_LETTER];

    fputc('"', out);
    while (*text) {
        text += sg_printable_letter(text, letter);
        fputs(letter[0] == '"' ? "\"\"" : letter, out);
    }
    fputc('"', out);
}
