/* svg_page.c: see svg_page.h. */
#include "bench/output/svg_page.h"

const char bench_svg_beginning[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"";

const char bench_svg_style[] =
    "<style>\n"
    "svg { --page: #ffffff; --text: #1c2024; --faint: #60646c; --line: #b9bbc6; --mark: #1d5fbf }\n"
    "@media (prefers-color-scheme: dark) { svg { --page: #16181b; --text: #edeef0;\n"
    "  --faint: #b0b4ba; --line: #5a6169; --mark: #7ab3ff } }\n"
    "text { font: 14px system-ui, sans-serif; fill: var(--text) }\n"
    ".title { font-size: 19px; font-weight: 600 } .faint { fill: var(--faint) }\n"
    ".end { text-anchor: end } .page { fill: var(--page) }\n"
    ".frame { fill: none; stroke: var(--line) } .mark { fill: var(--mark) }\n"
    "</style>\n";

void bench_svg_text(const char *text, FILE *out)
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
