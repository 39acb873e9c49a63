/* svg.c: see svg.h.
 *
 *     name
 *     sizes
 *      1          cols         nonzeros  rows
 *    1 +-----------+                  5  =======  1200
 *      | spy plot  |                  6  ====      700
 * rows +-----------+
 */
#include "bench/inspect/svg.h"

#include <math.h>
#include <stdbool.h>

#include "bench/inspect/histogram.h"
#include "bench/inspect/spy.h"

enum { WIDTH = 880, MARGIN = 24, TOP = 112, PLOT = 360, SPY_LEFT = 48, BARS_LEFT = 440,
       CELLS = 120, BOTTOM = 44 };
static const double lowest_bar = 18, tallest_bar = 26;

const char bench_svg_beginning[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"";

/* Colours, and a second set of them for dark pages. */
static const char style[] =
    "<style>\n"
    "svg { --page: #ffffff; --text: #1c2024; --faint: #60646c; --line: #b9bbc6; --mark: #1d5fbf }\n"
    "@media (prefers-color-scheme: dark) { svg { --page: #16181b; --text: #edeef0;\n"
    "  --faint: #b0b4ba; --line: #5a6169; --mark: #7ab3ff } }\n"
    "text { font: 14px system-ui, sans-serif; fill: var(--text) }\n"
    ".title { font-size: 19px; font-weight: 600 } .faint { fill: var(--faint) }\n"
    ".end { text-anchor: end } .page { fill: var(--page) }\n"
    ".frame { fill: none; stroke: var(--line) } .mark { fill: var(--mark) }\n"
    "</style>\n";

/* Prints text with what XML needs escaped. */
static void print_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: fputc(*text, out);
        }
    }
}

/* ---- spy plot ------------------------------------------------------------------------------ */

/* One path for each shade: a rectangle for each run of cells of this shade. */
static void print_cells(const bench_spy *spy, double side, FILE *out)
{
    for (int shade = 1; shade <= BENCH_SPY_SHADES; shade++) {
        bool is_open = false;
        for (int32_t r = 0; r < spy->rows; r++)
            for (int32_t c = 0, end; c < spy->cols; c = end) {
                const uint8_t *line = spy->shade + (int64_t)r * spy->cols;
                for (end = c + 1; end < spy->cols && line[end] == line[c]; end++)
                    ;
                if (line[c] != shade)
                    continue;
                if (!is_open)
                    fprintf(out, "<path class=\"mark\" fill-opacity=\"%.2f\" d=\"",
                            0.2 + 0.8 * shade / (double)BENCH_SPY_SHADES);
                is_open = true;
                fprintf(out, "M%d %dh%dv1h-%dz", (int)c, (int)r, (int)(end - c), (int)(end - c));
            }
        if (is_open)
            fputs("\"/>\n", out);
    }
    fprintf(out, "<rect class=\"frame\" width=\"%d\" height=\"%d\" stroke-width=\"%.3f\"/>\n",
            (int)spy->cols, (int)spy->rows, 1 / side);
}

/* Numbers of the first and the last row and column at the corners. */
static void print_corners(const bench_structure *s, double width, double height, FILE *out)
{
    fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%d\">1</text>\n", SPY_LEFT, TOP - 8);
    /* The number needs 110 pixels; beside a narrow plot it stands to the right. */
    fprintf(out, "<text class=\"faint end\" x=\"%.1f\" y=\"%d\">%lld columns</text>\n",
            (double)SPY_LEFT + (width < 110 ? 126 : width), TOP - 8, (long long)s->cols);
    fprintf(out, "<text class=\"faint end\" x=\"%d\" y=\"%d\">1</text>\n", SPY_LEFT - 8, TOP + 12);
    fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%.1f\">%lld rows</text>\n", SPY_LEFT,
            (double)TOP + height + 20, (long long)s->rows);
}

/* Pixels of a side of a cell. */
static double side_of(const bench_spy *spy)
{
    return (double)PLOT / (spy->rows > spy->cols ? spy->rows : spy->cols);
}

static void print_spy(const bench_spy *spy, const bench_structure *s, FILE *out)
{
    const double side = side_of(spy);

    print_corners(s, side * spy->cols, side * spy->rows, out);
    fprintf(out, "<g transform=\"translate(%d %d) scale(%.5f)\" shape-rendering=\"crispEdges\">\n",
            SPY_LEFT, TOP, side);
    print_cells(spy, side, out);
    fputs("</g>\n", out);
}

/* ---- histogram ----------------------------------------------------------------------------- */

static void print_class(const bench_length_class *c, int64_t most, int64_t rows, double top,
                        double height, FILE *out)
{
    enum { LABEL = 96, NUMBER = 124 };
    const double longest = WIDTH - MARGIN - NUMBER - LABEL - BARS_LEFT;
    const double width = longest * (double)c->rows / (double)most;
    const double middle = top + height / 2 + 5;

    fprintf(out, "<text class=\"end\" x=\"%d\" y=\"%.1f\">%lld", BARS_LEFT + LABEL - 8, middle,
            (long long)c->least);
    if (c->most > c->least)
        fprintf(out, "\xe2\x80\x93%lld", (long long)c->most);
    fputs("</text>\n", out);
    if (c->rows > 0)
        fprintf(out, "<rect class=\"mark\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "rx=\"1\"/>\n", BARS_LEFT + LABEL, top + height * 0.1, width < 1 ? 1 : width,
                height * 0.8);
    const double percent = 100 * (double)c->rows / (double)rows;
    fprintf(out, "<text class=\"faint\" x=\"%.1f\" y=\"%.1f\">%lld", BARS_LEFT + LABEL +
            (width < 1 ? 1 : width) + 8, middle, (long long)c->rows);
    if (c->rows > 0)
        fprintf(out, percent < 0.1 ? " (&lt;0.1%%)" : " (%.1f%%)", percent);
    fputs("</text>\n", out);
}

static void print_histogram(const bench_histogram *h, int64_t rows, double height, FILE *out)
{
    int64_t most = 1;

    for (int i = 0; i < h->count; i++)
        most = h->entry[i].rows > most ? h->entry[i].rows : most;
    fprintf(out, "<text class=\"faint end\" x=\"%d\" y=\"%d\">nonzeros</text>\n", BARS_LEFT + 88,
            TOP - 8);
    fprintf(out, "<text class=\"faint\" x=\"%d\" y=\"%d\">rows of this length</text>\n",
            BARS_LEFT + 96, TOP - 8);
    for (int i = 0; i < h->count; i++)
        print_class(&h->entry[i], most, rows, (double)TOP + i * height, height, out);
}

static void print_head(const bench_structure *s, const char *name, double height, FILE *out)
{
    fprintf(out, "%s viewBox=\"0 0 %d %.0f\" role=\"img\" aria-labelledby=\"title sizes\">\n%s",
            bench_svg_beginning, WIDTH, height, style);
    fprintf(out, "<rect class=\"page\" width=\"%d\" height=\"%.0f\"/>\n", WIDTH, height);
    fprintf(out, "<text id=\"title\" class=\"title\" x=\"%d\" y=\"40\">", MARGIN);
    print_text(name, out);
    fprintf(out, "</text>\n<text id=\"sizes\" class=\"faint\" x=\"%d\" y=\"64\">%lld rows, %lld "
            "columns, %lld nonzeros; rows of %lld to %lld, on average %.2f</text>\n", MARGIN,
            (long long)s->rows, (long long)s->cols, (long long)s->nnz, (long long)s->lengths.min,
            (long long)s->lengths.max, s->lengths.average);
}

spmv_status bench_svg_write(const spmv_csr *csr, const bench_structure *s, const char *name,
                            FILE *out)
{
    bench_histogram h;
    bench_spy spy;
    const spmv_status status = bench_spy_create(csr, CELLS, CELLS, &spy);

    if (status)
        return status;
    bench_histogram_create(csr, &h);
    const double fitting = h.count > 0 ? (double)PLOT / h.count : 0;
    const double bar = fmax(fmin(fitting, tallest_bar), lowest_bar);
    const double spy_height = spy.rows > 0 ? side_of(&spy) * spy.rows : 0;

    print_head(s, name, (double)(TOP + BOTTOM) + fmax(h.count * bar, spy_height), out);
    if (spy.rows > 0)
        print_spy(&spy, s, out);
    if (h.count > 0)
        print_histogram(&h, s->rows, bar, out);
    fputs("</svg>\n", out);
    bench_spy_destroy(&spy);
    return SPMV_OK;
}
