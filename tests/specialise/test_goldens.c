/* test_goldens.c: every file of golden/ has a command in its first line and the command's output
 * below it: NAME.c the specialised text, NAME.txt the diagnostics of a run that fails.
 * UPDATE_GOLDENS=1 rewrites the files; a new case is a file that has only the first line. */
#define _GNU_SOURCE
#include "../tap.h"
#include "case.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TEST_FOLDER
#define TEST_FOLDER "tests/specialise"
#endif

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static bool write_whole(const char *path, const char *first_line, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "%s\n%s", first_line, text);
    return fclose(file) == 0;
}

/* Shows the first line that differs. */
static void show_difference(const char *expected, const char *found)
{
    int line = 2;
    while (*expected && *expected == *found) {
        line += *expected == '\n';
        expected++;
        found++;
    }
    diag("from line %d on, expected: %.100s", line, expected);
    diag("found: %.100s", found);
}

static void check(const char *name)
{
    char path[1024];
    char *golden;
    char *body;
    const bool must_succeed = strcmp(strrchr(name, '.'), ".c") == 0;

    snprintf(path, sizeof path, "%s/golden/%s", TEST_FOLDER, name);
    golden = read_whole(path);
    if (!ok(golden && !strncmp(golden, "// ", 3), "%s: its first line names the command", name)) {
        free(golden);
        return;
    }
    body = golden + strcspn(golden, "\n");
    if (*body)
        *body++ = '\0';

    bool succeeded = false;
    char *result = test_case_text(TEST_FOLDER "/root", golden + 3, &succeeded);
    if (ok(result, "%s: the command is understood", name)) {
        ok(succeeded == must_succeed, "%s: the run %s", name, must_succeed ? "succeeds" : "fails");
        if (getenv("UPDATE_GOLDENS"))
            ok(write_whole(path, golden, result), "%s: written", name);
        else if (!ok(!strcmp(body, result), "%s: the result is the golden one", name))
            show_difference(body, result);
        if (!succeeded && must_succeed)
            diag("%s", result);
    }
    free(result);
    free(golden);
}

static int is_golden(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end && (!strcmp(end, ".c") || !strcmp(end, ".txt"));
}

int main(void)
{
    struct dirent **entries = NULL;
    const int count = scandir(TEST_FOLDER "/golden", &entries, is_golden, alphasort);

    ok(count > 0, "there are goldens");
    for (int i = 0; i < count; i++) {
        check(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return tap_done();
}
