/* bar.c: see bar.h. */
#include "bench/output/bar.h"

void bench_bar_print(double share, int letters, bool utf8, FILE *out)
{
    static const char *const parts[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    const int unit = utf8 ? 8 : 1;
    int length = (int)(share * letters * unit + 0.5), shown = 0;

    length = share > 0 && length == 0 ? 1 : length;
    for (; length >= unit; length -= unit, shown++)
        fputs(utf8 ? "█" : "#", out);
    if (length > 0) {
        fputs(parts[length], out);
        shown++;
    }
    fprintf(out, "%*s", letters - shown, "");
}
