/* subprocess.c: see subprocess.h. Several threads may run one each at once. */
#define _POSIX_C_SOURCE 200809L
#include "generator/verify/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST_OUTPUT = 64 << 20, SHOWN_BYTES = 2000 };

extern char **environ;

/* ---- the folder ------------------------------------------------------------------------------ */

static const char *make_folder(sg_arena *arena)
{
    const char *parent = getenv("TMPDIR");
    char *dir = sg_arena_printf(arena, "%s/spmvgen-XXXXXX", parent && *parent ? parent : "/tmp");

    return mkdtemp(dir);
}

static void remove_folder(sg_arena *arena, const char *dir)
{
    const char *const *names = NULL;
    size_t count = 0;

    if (!sg_list_dir(arena, dir, &names, &count))
        for (size_t i = 0; i < count; i++)
            unlink(sg_path_join(arena, dir, names[i]));
    rmdir(dir);
}

static bool put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    const bool good = file && fputs(text, file) >= 0;

    return (!file || !fclose(file)) && good;
}

/* ---- the program ----------------------------------------------------------------------------- */

static const char *put_in(sg_arena *arena, const char *word, const char *mark, const char *value)
{
    const char *at = strstr(word, mark);

    return at ? sg_arena_printf(arena, "%.*s%s%s", (int)(at - word), word, value, at + strlen(mark))
              : word;
}

static char **words_of(sg_arena *arena, const char *const *command, const char *file,
                       const char *dir)
{
    size_t count = 0;

    while (command[count])
        count++;
    char **words = sg_arena_alloc(arena, (count + 1) * sizeof *words);
    for (size_t i = 0; i < count; i++)
        words[i] = sg_arena_strdup(arena, put_in(arena, put_in(arena, command[i], "$FILE", file),
                                                 "$DIR", dir));
    return words;
}

/* Runs a program with its output in the file `printed`. Returns its exit status, or -1 with errno
 * if it did not run. */
static int run(char **words, const char *printed)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status, error = posix_spawn_file_actions_init(&actions);

    if (error) {
        errno = error;
        return -1;
    }
    if (!(error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) &&
        !(error = posix_spawn_file_actions_addopen(&actions, 1, printed,
                                                   O_WRONLY | O_CREAT | O_TRUNC, 0600)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, 1, 2)))
        error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        errno = error;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Appends a file's bytes to log, with line feeds in place of zero bytes. */
static bool append_file(sg_arena *arena, const char *path, sg_text *log)
{
    const char *text;
    size_t size = 0;

    if (sg_read_file(arena, path, LARGEST_OUTPUT, &text, &size))
        return false;
    const size_t begin = log->length;
    sg_text_append_bytes(log, text, size);
    for (size_t i = begin; i < log->length; i++)
        if (!log->data[i])
            log->data[i] = '\n';
    sg_text_append(log, "\n");
    return true;
}

static sg_compiled run_in(sg_arena *arena, sg_diags *diags, const sg_compiler *compiler,
                          const sg_parse_file *unit, const char *dir, sg_text *log)
{
    const sg_loc at = { unit->name, 0, 0 };
    const char *file = sg_path_join(arena, dir, unit->name);
    const char *printed = sg_path_join(arena, dir, "printed");
    char **words = words_of(arena, compiler->command, file, dir);

    if (!put_file(file, sg_arena_printf(arena, "%s%s", compiler->prefix, unit->text))) {
        sg_diag(diags, SG_ERROR, at, "%s cannot be written: %s", file, strerror(errno));
        return SG_NO_COMPILER;
    }
    const int status = run(words, printed);
    if (status < 0 || status == 127) {
        sg_diag(diags, SG_ERROR, (sg_loc){ compiler->page.file, 0, 0 },
                "the program '%s' cannot be run: %s; %s", words[0],
                status < 0 ? strerror(errno) : "exit code 127", compiler->install);
        return SG_NO_COMPILER;
    }
    append_file(arena, printed, log);
    if (status ||
        (*compiler->output && !append_file(arena, sg_path_join(arena, dir, compiler->output),
                                           log))) {
        const char *what = sg_arena_printf(arena, "%s ends with exit code %d%s", compiler->title,
                                           status, status ? "" : " and without its output");
        sg_diag_log(diags, at, what, log->data,
                    log->length < SHOWN_BYTES ? log->length : SHOWN_BYTES);
        return SG_NOT_COMPILED;
    }
    return SG_COMPILED;
}

sg_compiled sg_subprocess_compile(sg_arena *arena, sg_diags *diags, const sg_compiler *compiler,
                                  const sg_parse_file *unit, sg_text *log)
{
    const char *dir = make_folder(arena);

    if (!dir) {
        sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "no folder for %s can be made in TMPDIR, else /tmp"
                ": %s", compiler->title, strerror(errno));
        return SG_NO_COMPILER;
    }
    const sg_compiled done = run_in(arena, diags, compiler, unit, dir, log);
    remove_folder(arena, dir);
    return done;
}
