/* resume.c: see resume.h. */
#define _POSIX_C_SOURCE 200809L  /* open_memstream */
#include "bench/commands/resume.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/records/shell_words.h"
#include "bench/sweep/name_list.h"
#include "common/fail.h"
#include "common/json.h"

char *bench_resume_command(int argc, char *const *argv)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    fputs("[\"spmvbench\", \"run\"", out);
    for (int i = 1; i < argc; i++) {
        fputs(", ", out);
        sg_json_quote(sg_json_to_file, out, argv[i]);
    }
    fputc(']', out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- comparing commands ---------------------------------------------------------------------- */

/* Options that change no result: files, what is shown, and how long it may take. */
static const char *const free_options[] = { "--save", "--resume", "--report", "--budget" };

/* The words of an option if it is listed: 2 for "--save FILE", 1 for "--save=FILE", else 0. */
static size_t listed_words(const char *const *names, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(word, names[i], length) == 0 && (!word[length] || word[length] == '='))
            return word[length] ? 1 : 2;
    }
    return 0;
}

/* The words of an option that may differ. */
static size_t free_words(const char *word)
{
    if (strcmp(word, "--details") == 0)
        return 1;
    return listed_words(free_options, sizeof free_options / sizeof free_options[0], word);
}

static const char *word_at(const json_t *words, size_t index)
{
    return json_string_value(json_array_get(words, index));
}

/* The index of the next word that must be the same, or the number of words. */
static size_t next_word(const json_t *words, size_t index)
{
    while (index < json_array_size(words) && free_words(word_at(words, index)) > 0)
        index += free_words(word_at(words, index));
    return index < json_array_size(words) ? index : json_array_size(words);
}

/* Whether the words are the same but for free options; if not, *ours and *theirs are the first that
 * differ, NULL at an end. */
static bool same_words(const json_t *our_words, const json_t *their_words, const char **ours,
                       const char **theirs)
{
    size_t i = next_word(our_words, 0), k = next_word(their_words, 0);

    do {
        *ours = word_at(our_words, i);
        *theirs = word_at(their_words, k);
        if (!*ours || !*theirs)
            return *ours == *theirs;
        i = next_word(our_words, i + 1);
        k = next_word(their_words, k + 1);
    } while (strcmp(*ours, *theirs) == 0);
    return false;
}

static bool check_command(const char *path, const bench_records *run, const bench_records *file,
                          spmv_error *error)
{
    json_t *ours = json_loads(run->command_json, 0, NULL);
    json_t *theirs = json_loads(file->command_json, 0, NULL);
    const char *our_word = NULL, *their_word = NULL;
    bool same = ours && theirs && same_words(ours, theirs, &our_word, &their_word);

    if (!same)
        sg_fail(error, "--resume: '%s' is of another command line; the first difference is '%s' "
                "there and '%s' here; its line: %s", path, their_word ? their_word : "nothing",
                our_word ? our_word : "nothing", file->command);
    json_decref(ours);
    json_decref(theirs);
    return same;
}

/* ---- code ------------------------------------------------------------------------------------ */

/* A file decides what is measured. What code runs its user decides: shared objects are loaded; a
 * page of one's own, and a fact of --set, write into C that is compiled and run. */
static const char *const code_options[] = { "--modules", "--peer", "--target", "--set" };

enum { CODE_OPTIONS = sizeof code_options / sizeof code_options[0] };

static size_t code_words(const char *word)
{
    return listed_words(code_options, CODE_OPTIONS, word);
}

/* The values of these options. */
typedef bench_names code_values[CODE_OPTIONS];

static void find_values(const bench_options *options, code_values values)
{
    values[0] = options->modules;
    values[1] = options->peers;
    values[2] = (bench_names){ .name = { options->target }, .count = options->target != NULL };
    values[3] = options->sets;
}

/* Parameters of methods, "METHOD.PARAM=", are numbers and fixed names. */
static bool is_code(size_t option, const char *value)
{
    const char *dot = strchr(value, '.'), *equals = strchr(value, '=');

    return option < 2 || (option == 2 ? bench_has_page_file(value) : !dot || dot > equals);
}

static bool has_value(const bench_names *names, const char *value)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], value) == 0)
            return true;
    return false;
}

char *bench_resume_code(const bench_options *options)
{
    code_values values;
    char *text = strdup("");

    find_values(options, values);
    for (size_t i = 0; i < CODE_OPTIONS; i++)
        for (size_t k = 0; k < values[i].count && text; k++)
            if (is_code(i, values[i].name[k])) {
                text = bench_shell_words_add(text, code_options[i]);
                text = text ? bench_shell_words_add(text, values[i].name[k]) : NULL;
            }
    return text;
}

/* Whether the words in front of the file's repeat what its words say of code, and nothing else. */
static bool check_code(const char *path, const bench_options *given, const bench_options *file,
                       spmv_error *error)
{
    code_values ours, theirs;
    bool repeated = true;

    find_values(given, ours);
    find_values(file, theirs);
    for (size_t i = 0; i < CODE_OPTIONS; i++) {
        for (size_t k = 0; k < ours[i].count; k++)
            if (!has_value(&theirs[i], ours[i].name[k]))
                return sg_fail(error, "--resume: '%s' is of another command line, without %s %s",
                               path, code_options[i], ours[i].name[k]);
        for (size_t k = 0; k < theirs[i].count; k++)
            repeated = repeated && (!is_code(i, theirs[i].name[k]) ||
                                    has_value(&ours[i], theirs[i].name[k]));
    }
    char *code = repeated ? NULL : bench_resume_code(file);
    if (!repeated)
        sg_fail(error, "--resume: '%s' names code that would run; if you trust it, repeat what "
                "names it: spmvbench --resume %s %s", path, path, code ? code : "(out of memory)");
    free(code);
    return repeated;
}

/* ---- the command line of a file -------------------------------------------------------------- */

/* The value of --resume, if all words belong to options that may differ or that name code; else
 * NULL. */
static const char *find_lone_resume(int argc, char *const *argv)
{
    static const char name[] = "--resume";
    const char *path = NULL;

    for (int i = 1; i < argc; i += (int)(free_words(argv[i]) + code_words(argv[i]))) {
        if (free_words(argv[i]) + code_words(argv[i]) == 0)
            return NULL;
        if (strcmp(argv[i], name) == 0 && i + 1 < argc)
            path = argv[i + 1];
        else if (strncmp(argv[i], name, strlen(name)) == 0 && argv[i][strlen(name)] == '=')
            path = argv[i] + strlen(name) + 1;
    }
    return path;
}

/* Sets *out to the words of argv that may differ and, behind them, those of the file that may not:
 * behind its "--" the others would be files. */
static bool read_words(const char *path, int argc, char *const *argv, bench_resumed_words *out,
                       spmv_error *error)
{
    enum { PROGRAM_AND_COMMAND = 2 };
    bench_records records;

    if (!bench_records_read(path, &records, error))
        return false;
    json_t *words = json_loads(records.command_json, 0, NULL);
    bench_records_free(&records);
    const size_t count = words ? json_array_size(words) : 0;
    out->argv = malloc((count + (size_t)argc + 1) * sizeof *out->argv);
    if (!words || !out->argv) {
        bench_resumed_words_free(out);
        json_decref(words);
        return sg_fail(error, "out of memory");
    }
    out->owned = words;
    out->argc = 0;
    out->argv[out->argc++] = argv[0];
    for (int i = 1, end; i < argc; i = end) {
        end = i + (int)(free_words(argv[i]) + code_words(argv[i]));
        for (int k = i; k < end && k < argc && free_words(argv[i]) > 0; k++)
            out->argv[out->argc++] = argv[k];
    }
    for (size_t i = next_word(words, PROGRAM_AND_COMMAND); i < count; i = next_word(words, i + 1))
        out->argv[out->argc++] = (char *)word_at(words, i);
    out->argv[out->argc] = NULL;
    return true;
}

bool bench_resume_words(int argc, char *const *argv, bench_resumed_words *out, spmv_error *error)
{
    const char *path = find_lone_resume(argc, argv);
    bench_options given, file;

    *out = (bench_resumed_words){ .argc = argc };
    /* What cannot be parsed is told by the command itself. */
    if (!path || !bench_options_parse(argc, argv, &given, error))
        return true;
    if (!read_words(path, argc, argv, out, error)) {
        bench_options_destroy(&given);
        return false;
    }
    bool good = true;
    if (bench_options_parse(out->argc, out->argv, &file, error)) {
        good = check_code(path, &given, &file, error);
        bench_options_destroy(&file);
    }
    bench_options_destroy(&given);
    if (!good)
        bench_resumed_words_free(out);
    return good;
}

void bench_resumed_words_free(bench_resumed_words *words)
{
    free(words->argv);
    json_decref(words->owned);
    *words = (bench_resumed_words){ .argv = NULL };
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Times of another machine or program do not belong into one table. */
static bool check_machine(const char *path, const bench_records *run, const bench_records *file,
                          spmv_error *error)
{
    const struct {
        const char *what, *theirs, *ours;
    } facts[] = {
        { "CPU", file->cpu, run->cpu }, { "compiler", file->compiler, run->compiler },
        { "version", file->version, run->version },
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (strcmp(facts[i].theirs, facts[i].ours) != 0)
            return sg_fail(error, "--resume: '%s' is of another %s, '%s' instead of '%s': begin a "
                           "new file with --save", path, facts[i].what, facts[i].theirs,
                           facts[i].ours);
    return file->threads == run->threads ||
           sg_fail(error, "--resume: '%s' is of %lld threads, not %lld: set --threads %lld", path,
                   (long long)file->threads, (long long)run->threads, (long long)file->threads);
}

bool bench_resume_read(const char *path, const bench_records *run, bench_records *out,
                       spmv_error *error)
{
    if (!bench_records_read(path, out, error))
        return false;
    if (check_command(path, run, out, error) &&
        check_machine(path, run, out, error))
        return true;
    bench_records_free(out);
    return false;
}

size_t bench_resume_find(const bench_records *records, const char *input, const char *type)
{
    size_t i = 0;

    while (i < records->matrix_count &&
           (!records->matrix[i].complete || strcmp(records->matrix[i].input, input) != 0 ||
            strcmp(records->matrix[i].type, type) != 0))
        i++;
    return i;
}
