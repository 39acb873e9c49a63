/* test_save.c: files of --save: what is kept, refused and cut, with a disk that is full for a
 * while. */
#define _GNU_SOURCE
#include "bench/records/save.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/tap.h"

static char folder[] = "/tmp/spmvbench-save-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");

    fputs(text, file);
    fclose(file);
}

/* The file's text, at most 64 kB. */
static const char *read_text(const char *name)
{
    static char text[1 << 16];
    FILE *file = fopen(path_of(name), "r");

    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* Records with a group of this input. */
static bench_records some_records(const char *input, size_t *index)
{
    bench_records records = { .version = "1", .cpu = "a \"CPU\"", .compiler = "cc", .time = "now",
                              .command_json = "[\"spmvbench\"]", .threads = 2 };
    bench_record_matrix m = bench_record_matrix_empty();
    bench_record_result r = bench_record_result_empty();

    m.input = input;
    m.type = "f64";
    m.offset = "i32";
    m.rows = m.cols = m.nnz = 5;
    m.results = 1;
    m.complete = true;
    m.csr_bytes = 100;
    m.row_lengths = "[[1, 1, 5]]";
    m.spy = "{\"rows\": 1, \"cols\": 1, \"shades\": [\"9\"]}";
    bench_records_add_matrix(&records, &m, index);
    r.matrix = *index;
    r.method = "csr5";
    r.target = "zen4";
    r.set = "csr5.omega=4 csr5.sigma=8";
    r.failure = "a \"quoted\"\nfailure";
    r.correct = true;
    r.samples = 7;
    r.seconds = 1.5e-6;
    r.error_over_bound = INFINITY;
    bench_records_add_result(&records, &r);
    return records;
}

/* A value longer than any buffer that a writer may have. */
#define LONG_VALUE "0123456789012345678901234567890123456789012345678901234567890123456789" \
                   "0123456789012345678901234567890123456789012345678901234567890123456789"
static const bench_record_illegal illegal = { "csr5", "csr5.omega=" LONG_VALUE, "zen4", "f64",
                                              "illegal", "page:7: omega is \"3\"" };

static const bench_ending ending = { true, "done", 1.5 };

/* Writes a file with a run, a group and an end. */
static bool save_all(const char *name, bench_save_mode mode, const char *input, spmv_error *error)
{
    size_t index;
    bench_records records = some_records(input, &index);
    bench_save *save = bench_save_open(path_of(name), mode, error);

    bench_records_add_illegal(&records, &illegal);
    if (save) {
        bench_save_run(save, &records);
        bench_save_group(save, &records, index);
        bench_save_end(save, &ending);
    }
    bench_records_free(&records);
    return save && bench_save_close(save, error);
}

static void test_round_trip(void)
{
    spmv_error error = { SPMV_OK, "" };
    bench_records r;
    const bool good = save_all("a.jsonl", BENCH_SAVE_NEW, "caf\xe9.mtx", &error);

    ok(good && bench_records_read(path_of("a.jsonl"), &r, &error),
       "what is written is read: %s", error.text);
    ok(r.matrix_count == 1 && r.result_count == 1 && r.matrix[0].complete && r.ended &&
           strcmp(r.result[0].set, "csr5.omega=4 csr5.sigma=8") == 0 &&
           strcmp(r.result[0].failure, "a \"quoted\"\nfailure") == 0 &&
           r.result[0].seconds == 1.5e-6 && isnan(r.result[0].ratio) &&
           r.result[0].error_over_bound > 1e99 && strcmp(r.cpu, "a \"CPU\"") == 0 &&
           strcmp(r.matrix[0].row_lengths, "[[1, 1, 5]]") == 0 &&
           strcmp(r.matrix[0].spy, "{\"rows\": 1, \"cols\": 1, \"shades\": [\"9\"]}") == 0,
       "and it is the same");
    ok(r.illegal_count == 1 && strcmp(r.illegal[0].set, illegal.set) == 0 &&
           strcmp(r.illegal[0].reason, illegal.reason) == 0 &&
           strcmp(r.illegal[0].target, "zen4") == 0, "so is what cannot race");
    bench_records_free(&r);
    ok(save_all("a.csv", BENCH_SAVE_NEW, "a,b.mtx", &error) &&
           strstr(read_text("a.csv"), "\n\"a,b.mtx\",\"f64\",\"i32\",5,5,5,\"csr5\",\"zen4\",") &&
           strstr(read_text("a.csv"), ",\"a \"\"quoted\"\"\\x0afailure\",7,1.5e-06,,"),
       "CSV quotes texts, and leaves unknown numbers empty");
    const char *text = read_text("a.csv"), *line = strchr(text, '\n') + 1;
    size_t heads = 1, cells = 1;
    for (const char *c = text; *c != '\n'; c++)
        heads += *c == ',';
    bool quoted = false;
    for (const char *c = line; *c; c++) {
        quoted ^= *c == '"';
        cells += *c == ',' && !quoted;
    }
    ok(heads == cells, "a row of CSV has a cell for each head: %zu and %zu", heads, cells);
}

static void test_refusals(void)
{
    spmv_error error = { SPMV_OK, "" };

    ok(!bench_save_open(path_of("a.txt"), BENCH_SAVE_NEW, &error) &&
           strstr(error.text, "takes FILE.jsonl or FILE.csv, not"),
       "another ending: %s", error.text);
    ok(!bench_save_open(path_of("none/a.jsonl"), BENCH_SAVE_NEW, &error) &&
           strstr(error.text, "No such file"), "a folder that is not there: %s", error.text);
    ok(!bench_save_open(path_of("a.jsonl"), BENCH_SAVE_NEW, &error) &&
           strstr(error.text, "is there already: --resume ") && strstr(error.text, "continues it"),
       "a file that has something: %s", error.text);
    ok(!bench_save_open(path_of("new.jsonl"), BENCH_SAVE_RESUME, &error) &&
           strstr(error.text, "--save"), "nothing to resume: %s", error.text);
    write_text("notes.csv", "my notes\n");
    ok(!bench_save_open(path_of("notes.csv"), BENCH_SAVE_AGAIN, &error) &&
           strcmp(read_text("notes.csv"), "my notes\n") == 0,
       "a CSV of somebody else is not begun anew: %s", error.text);
    ok(save_all("a.csv", BENCH_SAVE_AGAIN, "c.mtx", &error) &&
           strstr(read_text("a.csv"), "\"c.mtx\"") && !strstr(read_text("a.csv"), "\"a,b.mtx\""),
       "a CSV of spmvbench is: %s", error.text);
    bench_save *first = bench_save_open(path_of("two.jsonl"), BENCH_SAVE_NEW, &error);
    ok(first && !bench_save_open(path_of("two.jsonl"), BENCH_SAVE_NEW, &error) &&
           strstr(error.text, "another spmvbench writes"), "two writers: %s", error.text);
    ok(bench_save_close(first, &error) && access(path_of("two.jsonl"), F_OK) != 0,
       "a file that got no text is not left");
}

static void test_resume(void)
{
    spmv_error error = { SPMV_OK, "" };
    char before[1 << 14];
    bench_records r;

    snprintf(before, sizeof before, "%s", read_text("a.jsonl"));
    FILE *file = fopen(path_of("a.jsonl"), "a");
    fputs("{\"record\": \"matrix\", \"half", file);
    fclose(file);
    bench_save *save = bench_save_open(path_of("a.jsonl"), BENCH_SAVE_RESUME, &error);
    ok(save && strstr(read_text("a.jsonl"), "\"half") && bench_save_is(save, path_of("a.jsonl")),
       "opening changes nothing");
    bench_save_end(save, &ending);
    ok(bench_save_close(save, &error) &&
           strncmp(read_text("a.jsonl"), before, strlen(before)) == 0 &&
           !strstr(read_text("a.jsonl"), "\"half") &&
           bench_records_read(path_of("a.jsonl"), &r, &error),
       "what is appended stands behind the last whole line: %s", error.text);
    bench_records_free(&r);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void test_full_disk(void)
{
    spmv_error error = { SPMV_OK, "" };
    char before[1 << 14];
    size_t index;
    bench_records records = some_records("full.mtx", &index), r;
    bench_save *save = bench_save_open(path_of("full.jsonl"), BENCH_SAVE_NEW, &error);

    signal(SIGXFSZ, SIG_IGN);
    bench_save_run(save, &records);
    snprintf(before, sizeof before, "%s", read_text("full.jsonl"));
    fflush(stdout);
    limit_files(strlen(before) + 300);
    bench_save_group(save, &records, index);
    const bool same = strcmp(read_text("full.jsonl"), before) == 0;
    limit_files(RLIM_INFINITY);
    ok(same, "a group that does not fit leaves the file as it was");
    bench_save_end(save, &ending);
    ok(bench_save_close(save, &error) &&
           bench_records_read(path_of("full.jsonl"), &r, &error) &&
           r.matrix_count == 1 && r.result_count == 1 && r.ended,
       "and is written once there is room: %s", error.text);
    bench_records_free(&r);

    save = bench_save_open(path_of("fuller.jsonl"), BENCH_SAVE_NEW, &error);
    bench_save_run(save, &records);
    fflush(stdout);
    limit_files(strlen(before) + 300);
    bench_save_group(save, &records, index);
    const bool closed = bench_save_close(save, &error);
    limit_files(RLIM_INFINITY);
    ok(!closed && strstr(error.text, "File too large") &&
           strstr(error.text, "lacks the last races") &&
           strcmp(read_text("fuller.jsonl"), before) == 0,
       "if there is none to the end, that is told: %s", error.text);
    bench_records_free(&records);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    test_round_trip();
    test_refusals();
    test_resume();
    test_full_disk();
    char command[160];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0 || tap_done();
}
