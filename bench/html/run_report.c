/* run_report.c: see run_report.h. */
#define _POSIX_C_SOURCE 200809L  /* open_memstream */
#include "bench/html/run_report.h"

#include <stdlib.h>

#include "bench/html/html.h"
#include "bench/output/output_file.h"
#include "common/fail.h"
#include "runtime/spmv.h"

static bench_output_file_rules rules(void)
{
    return bench_report_html_rules("--report", NULL, 0);
}

bool bench_run_report_check(const char *path, spmv_error *error)
{
    const bench_output_file_rules r = rules();

    return bench_output_file_check(&r, path, error);
}

/* The records as the file of --save has them; the caller frees the text. NULL: out of memory. */
static char *text_of(const bench_records *records, const bench_ending *ending, size_t *bytes)
{
    const bench_record_format *format = bench_record_format_of("run.jsonl");
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);

    if (!out)
        return NULL;
    format->run(records, out);
    for (size_t i = 0; i < records->matrix_count; i++)
        format->group(records, i, out);
    format->end(ending, out);
    const bool failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

bool bench_run_report_write(const bench_records *records, const bench_ending *ending,
                            const char *path, spmv_error *error)
{
    const bench_output_file_rules r = rules();
    bench_output_file output;
    size_t bytes;
    char *text = text_of(records, ending, &bytes);

    if (!text)
        return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    bool good = bench_output_file_begin(&output, &r, path, error);
    if (good) {
        bench_report_html(text, bytes, output.file);
        good = bench_output_file_end(&output, error);
    }
    free(text);
    return good;
}
