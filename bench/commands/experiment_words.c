/* experiment_words.c: see experiment_words.h. */
#include "bench/commands/experiment_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of words that an option of these takes at word: 0 if it is none of them. */
static int option_words(const sg_option *option, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(option[i].name);
        if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, option[i].name, length) == 0 &&
            (word[2 + length] == '=' || word[2 + length] == '\0'))
            return word[2 + length] ? 1 : 2;
    }
    return 0;
}

/* Whether argv has a --set of the key that `set`, as in "csr5.sigma=4,8", begins with. */
static bool sets_key(int argc, char *const *argv, const char *set)
{
    static const char option[] = "--set";
    const size_t length = strlen(option), key = strcspn(set, "=") + 1;

    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], option, length) != 0)
            continue;
        const char *value = argv[i][length] == '=' ? argv[i] + length + 1
                            : argv[i][length] == '\0' && i + 1 < argc ? argv[i + 1] : "";
        if (strncmp(value, set, key) == 0)
            return true;
    }
    return false;
}

/* Adds the words of a text, which it cuts, but for each --set of a key that argv sets. */
static void add_cut(bench_experiment_words *w, char *text, int argc, char *const *argv)
{
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        w->word[w->count++] = word;
        if (w->count > 1 && strcmp(w->word[w->count - 2], "--set") == 0 &&
            sets_key(argc, argv, word))
            w->count -= 2;
    }
}

bool bench_experiment_words_make(const bench_experiment *e, const char *second,
                                 const sg_option *own, size_t own_count, int argc,
                                 char *const *argv, bool has_inputs, bench_experiment_words *out)
{
    static char run[] = "run";
    const char *const inputs = has_inputs ? "" : e->inputs;
    const size_t bytes = strlen(e->words) + strlen(second) + strlen(inputs) + 3;

    *out = (bench_experiment_words){ .word = calloc((size_t)argc + bytes + 2, sizeof *out->word),
                                     .own = calloc(1, bytes) };
    if (!out->word || !out->own)
        return false;
    snprintf(out->own, bytes, "%s %s %s", e->words, second, inputs);
    out->word[out->count++] = run;
    add_cut(out, out->own, argc, argv);
    for (int i = 2; i < argc; i++) {
        const int words = option_words(own, own_count, argv[i]);
        if (words == 0)
            out->word[out->count++] = argv[i];
        i += words > 1;
    }
    return true;
}

void bench_experiment_words_free(bench_experiment_words *words)
{
    free(words->word);
    free(words->own);
    *words = (bench_experiment_words){ .word = NULL };
}
