/* subprocess.c: see subprocess.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/sweep/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

enum { LARGEST_OUTPUT = 1 << 20 };

pid_t bench_subprocess_start(char *const *words, const char *printed)
{
    posix_spawn_file_actions_t actions;
    pid_t child = -1;
    int error = posix_spawn_file_actions_init(&actions);

    if (!error) {
        if (!(error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) &&
            !(error = posix_spawn_file_actions_addopen(&actions, 1, printed,
                                                       O_WRONLY | O_CREAT | O_TRUNC, 0600)) &&
            !(error = posix_spawn_file_actions_adddup2(&actions, 1, 2)))
            error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    errno = error;
    return error ? -1 : child;
}

pid_t bench_subprocess_wait(int *status)
{
    const pid_t child = waitpid(-1, status, 0);

    if (child > 0)
        *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
    return child;
}

char *bench_subprocess_output(const char *printed)
{
    FILE *file = fopen(printed, "rb");
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

/* ---- interruption ---------------------------------------------------------------------------- */

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

enum { SIGNALS = sizeof signals / sizeof signals[0] };

static struct sigaction before[SIGNALS];
static volatile sig_atomic_t came, times;

static void note(int number)
{
    came = number;
    if (++times < 3)
        return;
    signal(number, SIG_DFL);
    raise(number);
}

void bench_subprocess_watch(bool on)
{
    struct sigaction action = { .sa_handler = note };

    sigemptyset(&action.sa_mask);
    if (on)
        came = times = 0;
    for (size_t i = 0; i < SIGNALS; i++) {
        if (!on) {
            sigaction(signals[i], &before[i], NULL);
            continue;
        }
        sigaction(signals[i], &action, &before[i]);
        /* nohup and background jobs of a shell without job control ignore signals on purpose. */
        if (before[i].sa_handler == SIG_IGN)
            sigaction(signals[i], &before[i], NULL);
    }
}

int bench_subprocess_interrupted(void)
{
    return came;
}
