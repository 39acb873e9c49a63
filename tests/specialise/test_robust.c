/* test_robust.c: the output depends on nothing but the input; bad templates give messages, never a
 * crash, a hang or output. */
#define _GNU_SOURCE
#include "../tap.h"
#include "case.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TEST_FOLDER
#define TEST_FOLDER "tests/specialise"
#endif

enum { THREADS = 4, ROUNDS = 3, CUTS = 40, MUTATIONS = 120 };

static const char values[] = "WIDTH=4 DEPTH=3 FLAG=0 BIG=100000 MINUS=-5 TAPS=5 SYMMETRIC=0 "
                             "sample=f64 cap=64";
static const char *const templates[] = { "fold.c", "prune.c", "unroll.c", "words.c", "layout.c",
                                         "fir/filter.c" };
enum { TEMPLATES = sizeof templates / sizeof templates[0] };

static char root[4096];          /* absolute */

static char *specialise(const char *the_root, const char *name, bool *succeeded)
{
    char description[256];
    snprintf(description, sizeof description, "templates/%s plain %s", name, values);
    return test_case_text(the_root, description, succeeded);
}

/* ---- folders and threads --------------------------------------------------------------------- */

static void check_folders(void)
{
    char *home = getcwd(NULL, 0);

    for (size_t i = 0; i < TEMPLATES; i++) {
        bool here = false, there = false, relative = false;
        char *first = specialise(root, templates[i], &here);
        const bool moved = chdir(root) == 0 && chdir("templates") == 0;
        char *second = specialise(root, templates[i], &there);
        char *third = specialise("../../root", templates[i], &relative);
        ok(moved && here && there && relative, "%s: specialised from three folders", templates[i]);
        ok(first && second && third && !strcmp(first, second) && !strcmp(first, third),
           "%s: the same bytes from a working folder and a root of another name", templates[i]);
        ok(first && !strstr(first, root), "%s: no path of this machine in it", templates[i]);
        free(first);
        free(second);
        free(third);
        if (chdir(home))
            diag("cannot return to %s", home);
    }
    free(home);
}

typedef struct worker {
    pthread_t thread;
    char *text[TEMPLATES];
} worker;

static void *work(void *data)
{
    worker *w = data;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < TEMPLATES; i++) {
            bool succeeded = false;
            free(w->text[i]);
            w->text[i] = specialise(root, templates[i], &succeeded);
        }
    }
    return NULL;
}

static void check_threads(void)
{
    worker workers[THREADS] = { 0 };
    bool same = true;

    for (int t = 0; t < THREADS; t++)
        if (pthread_create(&workers[t].thread, NULL, work, &workers[t]))
            workers[t].thread = pthread_self();
    for (int t = 0; t < THREADS; t++)
        if (!pthread_equal(workers[t].thread, pthread_self()))
            pthread_join(workers[t].thread, NULL);
    for (size_t i = 0; i < TEMPLATES; i++) {
        bool succeeded = false;
        char *alone = specialise(root, templates[i], &succeeded);
        for (int t = 0; t < THREADS; t++)
            same = same && alone && workers[t].text[i] && !strcmp(alone, workers[t].text[i]);
        free(alone);
    }
    ok(same, "%d threads at once give what one gives", THREADS);
    for (int t = 0; t < THREADS; t++)
        for (size_t i = 0; i < TEMPLATES; i++)
            free(workers[t].text[i]);
}

/* ---- damaged templates ----------------------------------------------------------------------- */

static char *read_template(const char *name)
{
    char path[5000];
    char *text = NULL;
    size_t size = 0;

    snprintf(path, sizeof path, "%s/templates/%s", root, name);
    FILE *file = fopen(path, "r");
    if (file && getdelim(&text, &size, '\0', file) < 0)
        text[0] = '\0';
    if (file)
        fclose(file);
    return text ? text : strdup("");
}

/* Specialises a text as a template among the others, which it can include. */
static bool is_survived(const char *folder, const char *text, size_t length)
{
    char path[5200];
    bool succeeded = false;

    snprintf(path, sizeof path, "%s/templates/damaged.c", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fwrite(text, 1, length, file);
    if (fclose(file))
        return false;
    char *result = specialise(folder, "damaged.c", &succeeded);
    const bool sane = result && (succeeded || strstr(result, "error: "));
    free(result);
    return sane;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Cuts, copies and overwrites parts of a text, and inserts other pieces. */
static size_t mutate(char *text, size_t length, uint32_t *state)
{
    static const char *const pieces[] = {"(",
                                         ")",
                                         "{",
                                         "}",
                                         "UNROLL for (;;)",
                                         "WIDTH",
                                         "if (FLAG)",
                                         "/*",
                                         "*/",
                                         "\"",
                                         "\\\n",
                                         "#define X",
                                         "? :",
                                         "->",
                                         ";",
                                         "#include \"damaged.c\"\n",
                                         "\x01",
                                         "\x03"
                                         "9",
                                         "LENGTH(",
                                         "0x",
                                         "sizeof",
                                         "case 1:",
                                         "\xff",
                                         "FLAG ?"};
    for (uint32_t n = 1 + next_random(state) % 3; n > 0 && length > 8; n--) {
        const size_t at = next_random(state) % length;
        const size_t from = next_random(state) % length;
        size_t count = next_random(state) % 24;
        if (count > length - at)
            count = length - at;
        if (count > length - from)
            count = length - from;
        if (next_random(state) % 2) {
            const char *piece = pieces[next_random(state) % (sizeof pieces / sizeof pieces[0])];
            const size_t size = strlen(piece) < length - at ? strlen(piece) : length - at;
            memcpy(text + at, piece, size);
        } else if (next_random(state) % 2) {
            memmove(text + at, text + at + count, length - at - count);
            length -= count;
        } else {
            memmove(text + at, text + from, count);
        }
    }
    return length;
}

static bool make_damaged_root(char *folder)
{
    char command[9000];
    strcpy(folder, "/tmp/spmvgen-test-XXXXXX");
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "cp -R '%s/templates' '%s/runtime' '%s'", root, root, folder);
    return system(command) == 0;
}

static void check_damaged(void)
{
    char folder[64], command[128];

    if (!ok(make_damaged_root(folder), "a folder for damaged templates"))
        return;
    for (size_t i = 0; i < TEMPLATES; i++) {
        char *whole = read_template(templates[i]);
        const size_t length = strlen(whole);
        char *damaged = malloc(length + 1);
        uint32_t state = 12345u + (uint32_t)i;
        int survived = 0;

        for (size_t cut = 0; cut < CUTS; cut++)
            survived += is_survived(folder, whole, length * cut / CUTS);
        ok(survived == CUTS, "%s: cut off at any place, it gives output or an error", templates[i]);
        survived = 0;
        for (int m = 0; m < MUTATIONS; m++) {
            memcpy(damaged, whole, length + 1);
            const size_t size = mutate(damaged, length, &state);
            survived += is_survived(folder, damaged, size);
        }
        ok(survived == MUTATIONS, "%s: damaged in any way, it gives output or an error",
           templates[i]);
        free(damaged);
        free(whole);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command))
        diag("could not remove %s", folder);
}

static void check_depth(void)
{
    char folder[64], command[128];
    char *deep = malloc(200000), *end = deep;
    bool survived;

    if (!ok(deep && make_damaged_root(folder), "a folder for deep templates"))
        return;
    end += sprintf(end, "#include \"prelude/words.h\"\ni32 deep(i32 n)\n{\n    return n");
    for (int i = 0; i < 20000; i++)
        end += sprintf(end, " + n");
    end += sprintf(end, ";\n}\n");
    survived = is_survived(folder, deep, (size_t)(end - deep));
    ok(survived, "a sum of twenty thousand terms gives output or an error");

    end = deep + sprintf(deep, "#include \"prelude/words.h\"\ni32 deep(i32 n)\n{\n");
    for (int i = 0; i < 2000; i++)
        end += sprintf(end, "if (n)\n");
    end += sprintf(end, "n++; return n;\n}\n");
    survived = is_survived(folder, deep, (size_t)(end - deep));
    ok(survived, "two thousand nested ifs give output or an error");
    free(deep);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command))
        diag("could not remove %s", folder);
}

/* Not a golden: Clang words this error, each version a little differently. */
static void check_assertion(void)
{
    bool succeeded = true;
    char *text = test_case_text(
        root, "templates/wrong/assertion.c plain WIDTH=999 DEPTH=2 sample=f64", &succeeded);
    ok(!succeeded && text && strstr(text, "templates/wrong/assertion.c:4:") &&
           strstr(text, "a tile has at most 16 samples"),
       "a static assertion that fails is shown");
    ok(text && strstr(text, "page.lua:1:1: note: WIDTH = 999 comes from here") &&
           strstr(text, "page.lua:2:1: note: DEPTH = 2 comes from here"),
       "the page's lines of its values are shown");
    free(text);
}

int main(void)
{
    char *absolute = realpath(TEST_FOLDER "/root", NULL);
    if (!ok(absolute && strlen(absolute) < sizeof root, "the fixtures are there"))
        return tap_done();
    strcpy(root, absolute);
    free(absolute);
    check_folders();
    check_threads();
    check_damaged();
    check_depth();
    check_assertion();
    return tap_done();
}
