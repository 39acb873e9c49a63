/* html.c: see html.h. */
#include "bench/html/html.h"

#include "report_page.h"

/* Inside JSON '<' stands in strings alone, where \u003c means the same. Without '<' no text can end
 * the element that holds the records, or begin a comment in it. */
static void write_records(const char *text, size_t bytes, FILE *out)
{
    size_t begin = 0;

    for (size_t i = 0; i < bytes; i++) {
        if (text[i] != '<')
            continue;
        fwrite(text + begin, 1, i - begin, out);
        fputs("\\u003c", out);
        begin = i + 1;
    }
    fwrite(text + begin, 1, bytes - begin, out);
}

void bench_report_html(const char *text, size_t bytes, FILE *out)
{
    while (bytes > 0 && text[bytes - 1] != '\n')
        bytes--;
    fwrite(report_beginning, 1, sizeof report_beginning, out);
    write_records(text, bytes, out);
    fwrite(report_end, 1, sizeof report_end, out);
}

bench_output_file_rules bench_report_html_rules(const char *option, const char *const *inputs,
                                                size_t input_count)
{
    return (bench_output_file_rules){ .option = option, .kind = "a report of spmvbench",
                                      .beginning = "<!DOCTYPE html>\n<!-- A report of spmvbench",
                                      .inputs = inputs, .input_count = input_count };
}
