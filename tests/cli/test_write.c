/* test_write.c: a write leaves folders as they were, whichever system call fails.
 *
 * The linker redirects the calls of write_files.c to this file (--wrap); a chosen call fails. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/text.h"
#include "generator/outputs/write_files.h"
#include "../tap.h"

static int calls_left = -1;      /* until one fails; negative: none fails */
static bool keeps_failing;       /* all later calls fail, too */

static bool must_fail(void)
{
    if (calls_left < 0)
        return false;
    if (calls_left == 0 && keeps_failing)
        return true;
    return calls_left-- == 0;
}

#define WRAPPED(result, name, parameters, arguments, error)                                        \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters                                                                \
    {                                                                                              \
        if (!must_fail())                                                                          \
            return __real_##name arguments;                                                        \
        errno = error;                                                                             \
        return -1;                                                                                 \
    }

WRAPPED(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), ENOSPC)
WRAPPED(int, rename, (const char *from, const char *to), (from, to), EIO)
WRAPPED(int, link, (const char *from, const char *to), (from, to), EPERM)
WRAPPED(int, mkdir, (const char *path, mode_t mode), (path, mode), EACCES)

/* ---- folders ------------------------------------------------------------------------------- */

/* Every file of a folder and of those below it, with its text, as one string. */
static void describe(sg_arena *arena, sg_text *out, const char *path)
{
    const char *const *names;
    size_t count, length;
    const char *text;

    if (sg_list_dir(arena, path, &names, &count))
        return;
    for (size_t i = 0; i < count; i++) {
        const char *below = sg_path_join(arena, path, names[i]);
        sg_text_printf(out, "%s\n", below);
        if (sg_is_dir(below))
            describe(arena, out, below);
        else if (!sg_read_file(arena, below, 1 << 20, &text, &length))
            sg_text_printf(out, "%s\n", text);
    }
}

static const char *state_of(sg_arena *arena, const char *path)
{
    sg_text out = sg_text_in(arena);
    describe(arena, &out, path);
    return out.data;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        tap_ok(false, __FILE__, __LINE__, "the test can write %s", path);
}

static void prepare(void)
{
    if (system("rm -rf out") || mkdir("out", 0777))
        tap_ok(false, __FILE__, __LINE__, "the test can begin with an empty folder");
    put("out/changed", "old\n");
    put("out/same", "same\n");
    put("out/last", "old last\n");
    put("out/stale", "stale\n");
    put("out/mine", "mine\n");
}

/* A replaced, an unchanged and a removed file, and a new one in a new folder. */
static bool write_some(sg_diags *diags)
{
    sg_write files[] = {
        { .path = "out/changed", .text = "new\n", .length = 4 },
        { .path = "out/same", .text = "same\n", .length = 5 },
        { .path = "out/deep/er/fresh", .text = "fresh\n", .length = 6 },
        { .path = "out/last", .text = "new last\n", .length = 9 },
        { .path = "out/stale", .text = NULL },
    };
    return sg_write_files(diags, files, sizeof files / sizeof files[0]);
}

static const char done_state[] =
    "out/changed\nnew\n\nout/deep\nout/deep/er\nout/deep/er/fresh\nfresh\n\nout/last\nnew last\n\n"
    "out/mine\nmine\n\nout/same\nsame\n\n";

static const char *messages(sg_arena *arena, const sg_diags *diags)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    sg_diags_print(diags, out);
    fclose(out);
    const char *copy = sg_arena_strndup(arena, text, size);
    free(text);
    return copy;
}

static void test_one_failure(void)
{
    int failures = 0, successes = 0, broken = 0, silent = 0;

    for (int turn = 0, reached = 1; reached; turn++) {
        sg_arena *arena = sg_arena_create();
        sg_diags *diags = sg_diags_create("");
        prepare();
        const char *before = state_of(arena, "out");
        calls_left = turn;
        const bool good = write_some(diags);
        reached = calls_left < 0;
        calls_left = -1;
        successes += good;
        failures += !good;
        broken += strcmp(good ? done_state : before, state_of(arena, "out")) != 0;
        silent += sg_diags_error_count(diags) != (good ? 0 : 1);
        sg_diags_destroy(diags);
        sg_arena_destroy(arena);
    }
    ok(failures >= 6, "%d of the calls, one at a time, make the write fail", failures);
    ok(successes >= 2, "a refused link does not, since a file can be renamed instead");
    ok(broken == 0, "all of it is done or none, and nothing else is left behind");
    ok(silent == 0, "a failure is one message, and success is none");
}

/* From some call on, every call fails: then undoing fails as well. */
static void test_failing_undo(void)
{
    static const char *const texts[] = { "\nold\n", "\nold last\n", "\nstale\n", "\nmine\n" };
    int stuck = 0, lost = 0, unreported = 0;

    keeps_failing = true;
    for (int turn = 0; turn < 40; turn++) {
        sg_arena *arena = sg_arena_create();
        sg_diags *diags = sg_diags_create("");
        prepare();
        const char *before = state_of(arena, "out");
        calls_left = turn;
        const bool good = write_some(diags);
        calls_left = -1;
        const char *after = state_of(arena, "out"), *printed = messages(arena, diags);
        const bool is_whole = !strcmp(before, after);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !good; i++)
            lost += !strstr(after, texts[i]);
        unreported += !good && !strstr(printed, is_whole ? "nothing was changed\n"
                                                         : "could not all be undone\n");
        if (!good && !is_whole) {
            stuck++;
            unreported += !strstr(printed, "note: what it was before is in out/.spmvgen-");
        }
        sg_diags_destroy(diags);
        sg_arena_destroy(arena);
    }
    keeps_failing = false;
    ok(stuck > 0, "undoing fails in %d runs", stuck);
    ok(lost == 0, "no text is lost, whichever file now holds it");
    ok(unreported == 0, "the message reports whether all was restored, and where old texts are");
}

int main(void)
{
    char folder[] = "/tmp/spmvgen-write-XXXXXX";

    if (!mkdtemp(folder) || chdir(folder)) {
        skip("no folder for temporary files");
        return tap_done();
    }
    test_one_failure();
    test_failing_undo();
    if (chdir("/") || rmdir(folder)) {
        sg_arena *arena = sg_arena_create();
        if (system(sg_arena_printf(arena, "rm -r '%s'", folder)))
            diag("%s could not be removed", folder);
        sg_arena_destroy(arena);
    }
    return tap_done();
}
