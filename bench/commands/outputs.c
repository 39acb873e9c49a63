/* outputs.c: see outputs.h. */
#define _POSIX_C_SOURCE 200809L  /* gmtime_r */
#include "bench/commands/outputs.h"

#include <stdlib.h>
#include <time.h>

#include "bench/commands/resume.h"
#include "bench/html/run_report.h"
#include "bench/report/report.h"
#include "bench/yardsticks/bandwidth.h"
#include "bench/yardsticks/machine.h"
#include "common/fail.h"
#include "runtime/spmv.h"

/* What the record `run` says. */
static bool describe_run(const bench_options *options, int argc, char *const *argv,
                         bench_records *records)
{
    const time_t now = time(NULL);
    char cpu[128], text[32] = "";
    struct tm utc;
    char *command = bench_resume_command(argc, argv);

    bench_cpu_name(cpu, sizeof cpu);
    if (gmtime_r(&now, &utc))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    records->version = SPMV_VERSION;
    records->cpu = bench_records_own(records, cpu);
    records->compiler = bench_compiler();
    records->time = bench_records_own(records, text);
    records->command_json = command ? bench_records_own(records, command) : NULL;
    records->threads = bench_threads((int)options->threads);
    free(command);
    return records->cpu && records->time && records->command_json;
}

/* The option that names this file already; NULL: none does. */
static const char *find_user(const bench_outputs *outputs, const char *path)
{
    for (size_t i = 0; i < outputs->saves; i++)
        if (bench_save_is(outputs->save[i], path))
            return i == 0 && outputs->options->resume ? "--resume" : "--save";
    return NULL;
}

/* Opens a file of --save or --resume. The file of --resume is read, too. */
static bool open_save(bench_outputs *out, const bench_records *run, const char *path,
                      bench_save_mode mode, spmv_error *error)
{
    bench_save *save = bench_save_open(path, mode, error);

    if (!save)
        return false;
    out->save[out->saves++] = save;
    return mode != BENCH_SAVE_RESUME ||
           bench_resume_read(path, run, &out->resumed, error);
}

/* Whether a file of --report or --json, which is written in one piece, is none of records. */
static bool check_apart(const bench_outputs *out, const char *option, const char *path,
                        spmv_error *error)
{
    const char *user = path ? find_user(out, path) : NULL;

    return !user || sg_fail(error, "%s and %s would both write '%s': give one of them another name",
                            user, option, path);
}

bool bench_outputs_open(const bench_options *options, int argc, char *const *argv,
                        bench_records *records, bench_outputs *out, spmv_error *error)
{
    *out = (bench_outputs){ .options = options };
    if (!describe_run(options, argc, argv, records))
        return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    if (options->resume && !open_save(out, records, options->resume, BENCH_SAVE_RESUME, error))
        return false;
    for (size_t i = 0; i < options->saves.count; i++) {
        const char *path = options->saves.name[i], *user = find_user(out, path);
        /* --resume FILE --save FILE is the former's line with --resume in front. */
        if (!user && !open_save(out, records, path,
                                options->resume ? BENCH_SAVE_AGAIN : BENCH_SAVE_NEW, error))
            return false;
    }
    if (!check_apart(out, "--report", options->report, error) ||
        !check_apart(out, "--json", options->json, error))
        return false;
    return (!options->report || bench_run_report_check(options->report, error)) &&
           (!options->json || bench_report_can_write(options, error));
}

void bench_outputs_begin(bench_outputs *outputs, const bench_records *records)
{
    for (size_t i = 0; i < outputs->saves; i++)
        bench_save_run(outputs->save[i], records);
}

void bench_outputs_group(bench_outputs *outputs, const bench_records *records, size_t matrix,
                         bool is_resumed)
{
    for (size_t i = is_resumed ? 1 : 0; i < outputs->saves; i++)
        bench_save_group(outputs->save[i], records, matrix);
}

bool bench_outputs_end(bench_outputs *outputs, const bench_records *records,
                       const bench_ending *ending, spmv_error *error)
{
    const char *page = outputs->options->report;

    for (size_t i = 0; i < outputs->saves; i++)
        bench_save_end(outputs->save[i], ending);
    return !page || bench_run_report_write(records, ending, page, error);
}

bool bench_outputs_close(bench_outputs *outputs, spmv_error *error)
{
    spmv_error other;
    bool good = true;

    /* The first failure is told. */
    for (size_t i = 0; i < outputs->saves; i++)
        good = bench_save_close(outputs->save[i], good ? error : &other) && good;
    bench_records_free(&outputs->resumed);
    *outputs = (bench_outputs){ .options = NULL };
    return good;
}
