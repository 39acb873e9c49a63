/* resume.c: see resume.h. */
#define _POSIX_C_SOURCE 200809L  /* open_memstream */
#include "bench/commands/resume.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json.h"

#define fail(...) (snprintf(message, message_bytes, __VA_ARGS__), false)

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

/* The words of an option that may differ: 2 for "--save FILE", 1 for "--save=FILE", else 0. */
static size_t free_words(const char *word)
{
    if (strcmp(word, "--details") == 0)
        return 1;
    for (size_t i = 0; i < sizeof free_options / sizeof free_options[0]; i++) {
        const size_t length = strlen(free_options[i]);
        if (strncmp(word, free_options[i], length) == 0 && (!word[length] || word[length] == '='))
            return word[length] ? 1 : 2;
    }
    return 0;
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
                          char *message, size_t message_bytes)
{
    json_t *ours = json_loads(run->command_json, 0, NULL);
    json_t *theirs = json_loads(file->command_json, 0, NULL);
    const char *our_word = NULL, *their_word = NULL;
    bool same = ours && theirs && same_words(ours, theirs, &our_word, &their_word);

    if (!same)
        snprintf(message, message_bytes, "--resume: '%s' is of another command line; the first "
                 "difference is '%s' there and '%s' here; its line: %s", path,
                 their_word ? their_word : "nothing", our_word ? our_word : "nothing",
                 file->command);
    json_decref(ours);
    json_decref(theirs);
    return same;
}

/* ---- the command line of a file -------------------------------------------------------------- */

/* The value of --resume, if all words belong to options that may differ; else NULL. */
static const char *find_lone_resume(int argc, char *const *argv)
{
    static const char name[] = "--resume";
    const char *path = NULL;

    for (int i = 1; i < argc; i += (int)free_words(argv[i])) {
        if (free_words(argv[i]) == 0)
            return NULL;
        if (strcmp(argv[i], name) == 0 && i + 1 < argc)
            path = argv[i + 1];
        else if (strncmp(argv[i], name, strlen(name)) == 0 && argv[i][strlen(name)] == '=')
            path = argv[i] + strlen(name) + 1;
    }
    return path;
}

bool bench_resume_words(int argc, char *const *argv, bench_resumed_words *out, char *message,
                        size_t message_bytes)
{
    enum { PROGRAM_AND_COMMAND = 2 };
    const char *path = find_lone_resume(argc, argv);
    bench_records records;

    *out = (bench_resumed_words){ .argc = argc };
    if (!path)
        return true;
    if (!bench_records_read(path, &records, message, message_bytes))
        return false;
    json_t *words = json_loads(records.command_json, 0, NULL);
    bench_records_free(&records);
    const size_t count = words ? json_array_size(words) : 0;
    out->argv = malloc((count + (size_t)argc + 1) * sizeof *out->argv);
    if (!words || !out->argv) {
        bench_resumed_words_free(out);
        json_decref(words);
        return fail("out of memory");
    }
    out->owned = words;
    out->argc = 0;
    out->argv[out->argc++] = argv[0];
    for (size_t i = next_word(words, PROGRAM_AND_COMMAND); i < count; i = next_word(words, i + 1))
        out->argv[out->argc++] = (char *)word_at(words, i);
    /* In front: behind "--" they would be files. */
    memmove(out->argv + argc, out->argv + 1, (size_t)(out->argc - 1) * sizeof *out->argv);
    memcpy(out->argv + 1, argv + 1, (size_t)(argc - 1) * sizeof *out->argv);
    out->argc += argc - 1;
    out->argv[out->argc] = NULL;
    return true;
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
                          char *message, size_t message_bytes)
{
    const struct {
        const char *what, *theirs, *ours;
    } facts[] = {
        { "CPU", file->cpu, run->cpu }, { "compiler", file->compiler, run->compiler },
        { "version", file->version, run->version },
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (strcmp(facts[i].theirs, facts[i].ours) != 0)
            return fail("--resume: '%s' is of another %s, '%s' instead of '%s': begin a new file "
                        "with --save", path, facts[i].what, facts[i].theirs, facts[i].ours);
    return file->threads == run->threads ||
           fail("--resume: '%s' is of %lld threads, not %lld: set --threads %lld", path,
                (long long)file->threads, (long long)run->threads, (long long)file->threads);
}

bool bench_resume_read(const char *path, const bench_records *run, bench_records *out,
                       char *message, size_t message_bytes)
{
    if (!bench_records_read(path, out, message, message_bytes))
        return false;
    if (check_command(path, run, out, message, message_bytes) &&
        check_machine(path, run, out, message, message_bytes))
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
