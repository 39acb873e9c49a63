/* spmvgen.c: see spmvgen.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/sweep/spmvgen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/fail.h"
#include "common/subprocess.h"

/* Beside this program: as they are installed, and in a build folder. */
static bool find_beside(char path[BENCH_CACHE_PATH])
{
    static const char *const places[] = { "spmvgen", "../generator/spmvgen" };
    char folder[BENCH_CACHE_FOLDER];
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);

    if (length <= 0)
        return false;
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, BENCH_CACHE_PATH, "%s/%s", folder, places[i]);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

bool bench_spmvgen_find(const char *folder, bench_spmvgen *out, spmv_error *error)
{
    const char *own = getenv("SPMVGEN");

    snprintf(out->printed, sizeof out->printed, "%s/spmvgen.txt", folder);
    if (own && *own)
        return bench_find_program(own, out->path) ||
               sg_fail(error, "SPMVGEN is '%.300s', which is no program: %s", own, strerror(errno));
    return find_beside(out->path) || bench_find_program("spmvgen", out->path) ||
           sg_fail(error, "the program spmvgen is needed, which is neither beside spmvbench nor in "
                   "PATH: install it (docs/how-to/install.md), or name its file in SPMVGEN");
}

/* Copies the text up to `end`, without "error: " and "the command line: ", which the caller's
 * message says. Returns the length. */
static size_t add_without(char *out, const char *text, const char *end)
{
    static const char *const words[] = { "error: ", "the command line: " };
    size_t length = 0;

    while (text < end) {
        bool skipped = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0] && !skipped; i++) {
            skipped = strncmp(text, words[i], strlen(words[i])) == 0;
            text += skipped ? strlen(words[i]) : 0;
        }
        if (!skipped)
            out[length++] = *text++;
    }
    return length;
}

char *bench_spmvgen_reason(const char *output)
{
    const char *line = output, *end, *note = strstr(output, ": note: ");
    char *reason = malloc(strlen(output) + 16);
    size_t length;

    if (!reason)
        return NULL;
    /* Warnings may precede the error. */
    for (const char *at = output; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *error = strstr(at, "error: ");
        if (error && error < at + strcspn(at, "\n")) {
            line = at;
            break;
        }
    }
    end = line + strcspn(line, "\n");
    length = add_without(reason, line, end);
    if (note && note > end) {
        const char *begin = note;
        while (begin > output && begin[-1] != '\n')
            begin--;
        note += strlen(": note: ");
        length += (size_t)sprintf(reason + length, " (%.*s: %.*s)",
                                  (int)(note - strlen(": note: ") - begin), begin,
                                  (int)strcspn(note, "\n"), note);
    }
    reason[length] = '\0';
    return reason;
}

/* Runs spmvgen. Returns its output, to be freed; NULL: an error, whose text is in error. */
static char *ask(const bench_spmvgen *spmvgen, char *const *words, spmv_error *error)
{
    int status = 0;
    const pid_t child = sg_subprocess_start(words, spmvgen->printed);

    if (child < 0) {
        sg_fail(error, "%s cannot be run: %s", spmvgen->path, strerror(errno));
        return NULL;
    }
    for (pid_t ended = 0; ended != child;)
        if ((ended = sg_subprocess_wait(-1, &status)) < 0 && errno != EINTR)
            break;
    char *output = sg_subprocess_output(spmvgen->printed);
    if (output && status == 0)
        return output;
    char *reason = output ? bench_spmvgen_reason(output) : NULL;
    if (reason && *reason)
        sg_fail(error, "%s", reason);
    else
        sg_fail(error, "%s fails with exit code %d", spmvgen->path, status);
    free(reason);
    free(output);
    return NULL;
}

char *bench_spmvgen_explain(const bench_spmvgen *spmvgen, const char *target, const char *what,
                            spmv_error *error)
{
    char *const words[] = { (char *)spmvgen->path, "--target", (char *)target, "--explain",
                            (char *)what, NULL };

    return ask(spmvgen, words, error);
}

char *bench_spmvgen_tunable(const bench_spmvgen *spmvgen, const char *target, spmv_error *error)
{
    char *const words[] = { (char *)spmvgen->path, "--target", (char *)target, "--tunable", NULL };

    return ask(spmvgen, words, error);
}
