/* subprocess.c: see subprocess.h. Several threads may run programs at once, but only one may await
 * any program. */
#define _POSIX_C_SOURCE 200809L
#include "common/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

enum { LARGEST_OUTPUT = 1 << 20 };

pid_t sg_subprocess_start(char *const *words, const char *output)
{
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    int error = posix_spawn_file_actions_init(&actions);

    /* A parent may have left it ignored; exit codes of programs would then be lost. */
    signal(SIGCHLD, SIG_DFL);
    if (!error) {
        if (!(error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) &&
            !(error = posix_spawn_file_actions_addopen(&actions, 1, output,
                                                       O_WRONLY | O_CREAT | O_TRUNC, 0600)) &&
            !(error = posix_spawn_file_actions_adddup2(&actions, 1, 2)))
            error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    errno = error;
    return error ? -1 : child;
}

pid_t sg_subprocess_wait(pid_t child, int *status)
{
    const pid_t ended = waitpid(child, status, 0);

    if (ended > 0)
        *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
    return ended;
}

char *sg_subprocess_output(const char *output)
{
    FILE *file = fopen(output, "rb");
    char *text = file ? malloc(LARGEST_OUTPUT + 1) : NULL;

    if (text) {
        const size_t length = fread(text, 1, LARGEST_OUTPUT, file);
        char *fit = realloc(text, length + 1);
        text = fit ? fit : text;
        text[length] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}
