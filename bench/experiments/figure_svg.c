/* figure_svg.c: the plots of a figure as one SVG image, a panel below the other. See figure.h. */
#include "bench/experiments/figure.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "bench/output/svg_page.h"

/* Pixels. No enumeration: clang warns where one meets a double. */
static const int WIDTH = 880, MARGIN = 24, HEAD = 72, TITLE = 44, BAR = 15, GAP = 9,
                 BARS_LEFT = 240, NUMBER = 80, CURVES = 260, CURVES_LEFT = 72, CURVES_RIGHT = 620,
                 LEGEND = 20, BELOW = 40;

/* Colours of the series, which keep apart in light and dark. */
static const char series_style[] =
    "<style>\n"
    ".s0 { --c: #1d5fbf } .s1 { --c: #c2410c } .s2 { --c: #15803d } .s3 { --c: #7e22ce }\n"
    ".s4 { --c: #a88b00 } .s5 { --c: #0e7490 } .s6 { --c: #be185d } .s7 { --c: #4d7c0f }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".s0 { --c: #7ab3ff } .s1 { --c: #fb923c } .s2 { --c: #4ade80 } .s3 { --c: #d8b4fe }\n"
    ".s4 { --c: #fcd34d } .s5 { --c: #67e8f9 } .s6 { --c: #f9a8d4 } .s7 { --c: #bef264 } }\n"
    ".bar { fill: var(--c) } .curve { fill: none; stroke: var(--c); stroke-width: 2 }\n"
    ".dot { fill: var(--c) } .small { font-size: 12px }\n"
    "</style>\n";

enum { COLOURS = 8 };

static double panel_height(const bench_panel *panel)
{
    if (panel->labels == 0 || panel->kind == BENCH_TABLE)
        return 0;
    if (panel->kind == BENCH_CURVES)
        return TITLE + CURVES + BELOW;
    return TITLE + (double)panel->labels * ((double)panel->series_count * BAR + GAP) +
           (panel->series_count > 1 ? (double)panel->series_count * LEGEND : 0) + GAP;
}

static void print_legend(const bench_panel *panel, double left, double top, FILE *out)
{
    for (size_t s = 0; s < panel->series_count; s++) {
        const double middle = top + (double)s * LEGEND;
        fprintf(out, "<g class=\"s%zu\"><rect class=\"bar\" x=\"%.0f\" y=\"%.0f\" width=\"12\" "
                "height=\"12\"/></g>\n<text class=\"small\" x=\"%.0f\" y=\"%.0f\">", s % COLOURS,
                left, middle, left + 18, middle + 11);
        bench_svg_text(panel->series[s], out);
        fputs("</text>\n", out);
    }
}

/* ---- bars ------------------------------------------------------------------------------------ */

static void print_bars(const bench_panel *panel, double top, FILE *out)
{
    const double most = bench_panel_greatest(panel), longest = WIDTH - MARGIN - NUMBER - BARS_LEFT;

    for (size_t i = 0; i < panel->labels; i++) {
        fprintf(out, "<text class=\"small end\" x=\"%d\" y=\"%.0f\">", BARS_LEFT - 8, top + 11);
        bench_svg_text(panel->label[i], out);
        fputs("</text>\n", out);
        for (size_t s = 0; s < panel->series_count; s++, top += BAR) {
            const double number = panel->number[i][s];
            if (isnan(number))
                continue;
            const double width = most > 0 && number > 0 ? longest * number / most : 0;
            fprintf(out, "<g class=\"s%zu\"><rect class=\"bar\" x=\"%d\" y=\"%.0f\" "
                    "width=\"%.1f\" height=\"%d\"/></g><text class=\"small faint\" x=\"%.1f\" "
                    "y=\"%.0f\">%.4g</text>\n", s % COLOURS, BARS_LEFT, top, width, BAR - 2,
                    BARS_LEFT + width + 6, top + 11, number);
        }
        top += GAP;
    }
    if (panel->series_count > 1)
        print_legend(panel, BARS_LEFT, top + GAP / 2.0, out);
}

/* ---- curves ---------------------------------------------------------------------------------- */

static double x_of(const bench_panel *panel, size_t label)
{
    return panel->labels > 1 ? CURVES_LEFT + (double)(CURVES_RIGHT - CURVES_LEFT) * (double)label /
                                                 (double)(panel->labels - 1)
                             : CURVES_LEFT;
}

static void print_axes(const bench_panel *panel, double most, double top, FILE *out)
{
    const int lines = 4;

    for (int i = 0; i <= lines; i++) {
        const double y = top + CURVES - (double)CURVES * i / lines;
        fprintf(out, "<path class=\"frame\" d=\"M%d %.1fH%d\"/><text class=\"small faint end\" "
                "x=\"%d\" y=\"%.1f\">%.3g</text>\n", CURVES_LEFT, y, CURVES_RIGHT, CURVES_LEFT - 8,
                y + 4, most * i / lines);
    }
    for (size_t i = 0; i < panel->labels; i++) {
        fprintf(out, "<text class=\"small faint\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
                x_of(panel, i), top + CURVES + 16);
        bench_svg_text(panel->label[i], out);
        fputs("</text>\n", out);
    }
    fprintf(out, "<text class=\"small faint end\" x=\"%d\" y=\"%.1f\">", CURVES_RIGHT,
            top + CURVES + 32);
    bench_svg_text(panel->label_name, out);
    fputs("</text>\n", out);
}

static void print_curve(const bench_panel *panel, size_t s, double most, double top, FILE *out)
{
    bool pen_down = false;

    fprintf(out, "<g class=\"s%zu\"><path class=\"curve\" d=\"", s % COLOURS);
    for (size_t i = 0; i < panel->labels; i++) {
        const double number = panel->number[i][s];
        if (!isnan(number))
            fprintf(out, "%c%.1f %.1f", pen_down ? 'L' : 'M', x_of(panel, i),
                    top + CURVES * (1 - number / most));
        pen_down = !isnan(number);
    }
    fputs("\"/>\n", out);
    for (size_t i = 0; i < panel->labels; i++)
        if (!isnan(panel->number[i][s]))
            fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>\n",
                    x_of(panel, i), top + CURVES * (1 - panel->number[i][s] / most));
    fputs("</g>\n", out);
}

static void print_curves(const bench_panel *panel, double top, FILE *out)
{
    const double most = bench_panel_greatest(panel) > 0 ? bench_panel_greatest(panel) : 1;

    print_axes(panel, most, top, out);
    for (size_t s = 0; s < panel->series_count; s++)
        print_curve(panel, s, most, top, out);
    print_legend(panel, CURVES_RIGHT + 28, top, out);
}

/* ---- the image ------------------------------------------------------------------------------- */

void bench_figure_svg(const bench_figure *figure, const char *name, const char *where, FILE *out)
{
    double height = HEAD + MARGIN, top = HEAD;
    char title[128];

    for (size_t p = 0; p < figure->panels; p++)
        height += panel_height(&figure->panel[p]);
    fprintf(out, "%s viewBox=\"0 0 %d %.0f\" role=\"img\" aria-labelledby=\"title where\">\n%s%s",
            bench_svg_beginning, WIDTH, height, bench_svg_style, series_style);
    fprintf(out, "<rect class=\"page\" width=\"%d\" height=\"%.0f\"/>\n", WIDTH, height);
    fprintf(out, "<text id=\"title\" class=\"title\" x=\"%d\" y=\"36\">", MARGIN);
    snprintf(title, sizeof title, "%s", name);
    title[0] = (char)toupper((unsigned char)title[0]);
    bench_svg_text(title, out);
    fprintf(out, "</text>\n<text id=\"where\" class=\"faint\" x=\"%d\" y=\"58\">", MARGIN);
    bench_svg_text(where, out);
    fputs("</text>\n", out);
    for (size_t p = 0; p < figure->panels; p++) {
        const bench_panel *panel = &figure->panel[p];
        if (panel_height(panel) == 0)
            continue;
        fprintf(out, "<text x=\"%d\" y=\"%.0f\">", MARGIN, top + 24);
        bench_svg_text(panel->title, out);
        fputs(", ", out);
        bench_svg_text(panel->unit, out);
        fputs("</text>\n", out);
        (panel->kind == BENCH_CURVES ? print_curves : print_bars)(panel, top + TITLE, out);
        top += panel_height(panel);
    }
    fputs("</svg>\n", out);
}
