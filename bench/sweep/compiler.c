/* compiler.c: see compiler.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/sweep/compiler.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/fail.h"
#include "common/subprocess.h"
#include "runtime/file/cache.h"

enum { MOST_SOURCES = 16, LOG_BYTES = 1500 };

static const char *const fixed_flags[] = { "-std=c11", "-O3", "-fPIC", "-shared",
                                           "-DSPMV_MODULE_TABLE_EXPORT" };

enum { FIXED_FLAGS = sizeof fixed_flags / sizeof fixed_flags[0] };

/* Splits a text at spaces. */
static void split_words(char *text, char **words)
{
    char *rest = NULL;
    size_t count = 0;

    for (char *word = strtok_r(text, " \t\n", &rest); word && count + 1 < BENCH_COMPILER_WORDS;
         word = strtok_r(NULL, " \t\n", &rest))
        words[count++] = word;
    words[count] = NULL;
}

bool bench_compiler_find(bench_compiler *out, spmv_error *error)
{
    const char *cc = getenv("CC"), *flags = getenv("CFLAGS");
    char path[BENCH_CACHE_PATH];

    cc = cc && strspn(cc, " \t\n") < strlen(cc) ? cc : "cc";
    flags = flags ? flags : "";
    *out = (bench_compiler){ .text = malloc(strlen(cc) + strlen(flags) + 2) };
    if (!out->text)
        return sg_fail(error, "out of memory");
    char *second = out->text + sprintf(out->text, "%s", cc) + 1;
    strcpy(second, flags);
    split_words(out->text, out->word);
    split_words(second, out->flag);
    out->key = bench_cache_key_begin();
    for (size_t i = 0; out->word[i]; i++)
        bench_cache_key_add_program(&out->key, out->word[i]);
    for (size_t i = 0; i < FIXED_FLAGS; i++)
        out->key = spmv_cache_key_with_text(out->key, fixed_flags[i]);
    for (size_t i = 0; out->flag[i]; i++)
        out->key = spmv_cache_key_with_text(out->key, out->flag[i]);
    if (bench_find_program(out->word[0], path))
        return true;
    return sg_fail(error, "--set compiles kernels, and the C compiler '%.200s' is not there: "
                   "install one, such as gcc or clang, or name one in CC", out->word[0]);
}

void bench_compiler_forget(bench_compiler *compiler)
{
    free(compiler->text);
    compiler->text = NULL;
}

pid_t bench_compiler_start(const bench_compiler *compiler, const char *folder, const char *output,
                           const char *printed)
{
    char include[BENCH_CACHE_PATH + 2], pattern[BENCH_CACHE_PATH + 4];
    char *words[2 * BENCH_COMPILER_WORDS + MOST_SOURCES + FIXED_FLAGS + 8];
    size_t count = 0;
    glob_t sources;

    snprintf(include, sizeof include, "-I%s", folder);
    snprintf(pattern, sizeof pattern, "%s/*.c", folder);
    if (glob(pattern, 0, NULL, &sources) != 0) {
        errno = ENOENT;
        return -1;
    }
    for (size_t i = 0; compiler->word[i]; i++)
        words[count++] = compiler->word[i];
    for (size_t i = 0; i < FIXED_FLAGS; i++)
        words[count++] = (char *)fixed_flags[i];
    for (size_t i = 0; compiler->flag[i]; i++)
        words[count++] = compiler->flag[i];
    words[count++] = include;
    for (size_t i = 0; i < sources.gl_pathc && i < MOST_SOURCES; i++)
        words[count++] = sources.gl_pathv[i];
    words[count++] = "-o";
    words[count++] = (char *)output;
    words[count++] = "-lm";
    words[count] = NULL;
    const pid_t program = sg_subprocess_start(words, printed);
    globfree(&sources);
    return program;
}

/* An emitted file says by #error which CPUs it is for. */
static char *find_other_cpu(const char *output)
{
    static const char begins[] = "#error \"this file is for ";
    const char *begin = strstr(output, begins);
    const char *end = begin ? strstr(begin, ": leave it out for other CPUs") : NULL;

    begin = begin ? begin + strlen("#error \"") : NULL;
    return end ? strndup(begin, (size_t)(end - begin)) : NULL;
}

char *bench_compiler_reason(const bench_compiler *compiler, const char *output, int status,
                            bool *is_other_cpu)
{
    const char *error = strstr(output, "error: ");
    char *text = find_other_cpu(output);

    *is_other_cpu = text != NULL;
    if (text || !(text = malloc(LOG_BYTES + 512)))
        return text;
    while (error && error > output && error[-1] != '\n')
        error--;
    snprintf(text, LOG_BYTES + 512, "the compiler '%.100s' fails with exit code %d%s%.*s",
             compiler->word[0], status, *output ? ": " : "", LOG_BYTES, error ? error : output);
    for (size_t i = strlen(text); i > 0 && text[i - 1] == '\n'; i--)
        text[i - 1] = '\0';
    return text;
}
