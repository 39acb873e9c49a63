/* plot.c: see plot.h. */
#include "bench/inspect/plot.h"

#include <string.h>

#include "bench/inspect/spy.h"

enum { DOT_ROWS = 4, DOT_COLS = 2 };     /* of a braille letter */

/* ---- spy plot ------------------------------------------------------------------------------ */

static int shade_at(const bench_spy *spy, int32_t row, int32_t col)
{
    return row < 0 || row >= spy->rows || col < 0 || col >= spy->cols
               ? 0 : spy->shade[(int64_t)row * spy->cols + col];
}

static bool is_alone(const bench_spy *spy, int32_t row, int32_t col)
{
    for (int32_t r = row - 1; r <= row + 1; r++)
        for (int32_t c = col - 1; c <= col + 1; c++)
            if ((r != row || c != col) && shade_at(spy, r, c) > 0)
                return false;
    return true;
}

/* Whether a dot is set. Dots of light regions are left out in a fixed pattern (ordered dithering),
 * but a dot without neighbours stays. */
static bool is_set(const bench_spy *spy, int32_t row, int32_t col)
{
    static const uint8_t above[4][4] = {     /* shades that the dot needs */
        { 0, 4, 1, 5 }, { 6, 2, 7, 3 }, { 1, 5, 0, 4 }, { 7, 3, 6, 2 }
    };
    const int shade = shade_at(spy, row, col);

    return shade > 0 && (shade > above[row % 4][col % 4] || is_alone(spy, row, col));
}

/* A braille letter, U+2800 and a bit for each dot, in UTF-8. */
static void print_dots(const bench_spy *spy, int32_t row, int32_t col, FILE *out)
{
    static const uint8_t bit[DOT_ROWS][DOT_COLS] = { { 0x01, 0x08 }, { 0x02, 0x10 },
                                                     { 0x04, 0x20 }, { 0x40, 0x80 } };
    unsigned dots = 0;

    for (int32_t r = 0; r < DOT_ROWS; r++)
        for (int32_t c = 0; c < DOT_COLS; c++)
            if (is_set(spy, row + r, col + c))
                dots |= bit[r][c];
    fputc(0xe2, out);
    fputc((int)(0xa0 | dots >> 6), out);
    fputc((int)(0x80 | (dots & 0x3f)), out);
}

static void print_edge(const bench_plot *plot, const char *left, const char *right, int letters,
                       FILE *out)
{
    fputs(plot->utf8 ? left : "+", out);
    for (int i = 0; i < letters; i++)
        fputs(plot->utf8 ? "─" : "-", out);
    fprintf(out, "%s\n", plot->utf8 ? right : "+");
}

static void print_cells(const bench_spy *spy, const bench_plot *plot, FILE *out)
{
    static const char shades[] = " .:-=+*#%@";
    const int32_t high = plot->utf8 ? DOT_ROWS : 1, wide = plot->utf8 ? DOT_COLS : 1;
    const char *side = plot->utf8 ? "│" : "|";
    const int letters = (spy->cols + wide - 1) / wide;

    print_edge(plot, "┌", "┐", letters, out);
    for (int32_t r = 0; r < spy->rows; r += high) {
        fputs(side, out);
        for (int32_t c = 0; c < spy->cols; c += wide) {
            if (plot->utf8)
                print_dots(spy, r, c, out);
            else
                fputc(shades[shade_at(spy, r, c)], out);
        }
        fprintf(out, "%s\n", side);
    }
    print_edge(plot, "└", "┘", letters, out);
}

spmv_status bench_plot_spy(const spmv_csr *csr, const bench_plot *plot, FILE *out)
{
    enum { WIDEST = 48 };        /* letters; as many lines are half as high */
    const int32_t letters = plot->columns - 2 < WIDEST ? plot->columns - 2 : WIDEST;
    bench_spy spy;
    const spmv_status status =
        bench_spy_create(csr, plot->utf8 ? letters / 2 * DOT_ROWS : letters / 2,
                         plot->utf8 ? letters * DOT_COLS : letters, &spy);

    if (status || spy.rows == 0)
        return status;
    print_cells(&spy, plot, out);
    fprintf(out, "%s: %lld x %lld places\n", plot->utf8 ? "a dot" : "a letter",
            (long long)((csr->rows + spy.rows - 1) / spy.rows),
            (long long)((csr->cols + spy.cols - 1) / spy.cols));
    bench_spy_destroy(&spy);
    return SPMV_OK;
}

/* ---- histogram ----------------------------------------------------------------------------- */

static int name_class(const bench_length_class *c, char *buffer, size_t bytes)
{
    return c->least == c->most
               ? snprintf(buffer, bytes, "%lld", (long long)c->least)
               : snprintf(buffer, bytes, "%lld-%lld", (long long)c->least, (long long)c->most);
}

/* Prints a bar that fills `share` of `letters` letters, and spaces up to `letters`: in eighths of a
 * letter; in ASCII, in whole letters. A share above 0 always shows. */
static void print_bar(double share, int letters, bool utf8, FILE *out)
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

void bench_plot_histogram(const bench_histogram *histogram, int64_t rows, const bench_plot *plot,
                          FILE *out)
{
    enum { LONGEST_BAR = 40, LEAST_BAR = 4, PERCENT = 7 };
    int64_t most = 1;
    int label = (int)strlen("nonzeros"), digits = (int)strlen("rows");
    char text[48];

    for (int i = 0; i < histogram->count; i++) {
        const bench_length_class *c = &histogram->entry[i];
        const int wide = name_class(c, text, sizeof text);
        const int number = snprintf(text, sizeof text, "%lld", (long long)c->rows);
        most = c->rows > most ? c->rows : most;
        label = wide > label ? wide : label;
        digits = number > digits ? number : digits;
    }
    int bar = plot->columns - label - digits - PERCENT - 4;
    bar = bar > LONGEST_BAR ? LONGEST_BAR : bar < LEAST_BAR ? LEAST_BAR : bar;
    fprintf(out, "%*s  %*s %*s\n", label, "nonzeros", bar, "", digits, "rows");
    for (int i = 0; i < histogram->count; i++) {
        const bench_length_class *c = &histogram->entry[i];
        name_class(c, text, sizeof text);
        fprintf(out, "%*s  ", label, text);
        print_bar((double)c->rows / (double)most, bar, plot->utf8, out);
        fprintf(out, " %*lld  %4.1f%%\n", digits, (long long)c->rows,
                100 * (double)c->rows / (double)rows);
    }
}
