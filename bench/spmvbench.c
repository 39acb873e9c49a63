/* spmvbench.c: finds the command that a command line names, and runs it. */
#include <string.h>
#include <unistd.h>

#include "bench/commands/command.h"
#include "bench/output/message.h"
#include "common/did_you_mean.h"

const bench_command *const bench_commands[] = {
    &bench_command_run,
    &bench_command_compare,
    &bench_command_inspect,
    &bench_command_report,
    &bench_command_tune,
};
const size_t bench_command_count = sizeof bench_commands / sizeof bench_commands[0];

/* Whether a word is no file but nearly a command's name; if so, prints a message. */
static bool is_mistyped(const char *word)
{
    enum { MOST_COMMANDS = 16 };
    const char *names[MOST_COMMANDS];
    char hint[64];
    size_t count = 0;

    if (strpbrk(word, "-./:*?[") || access(word, F_OK) == 0)
        return false;
    for (; count < bench_command_count && count < MOST_COMMANDS; count++)
        names[count] = bench_commands[count]->name;
    sg_did_you_mean(hint, sizeof hint, word, names, count);
    if (hint[0])
        bench_message("no command and no file is called '%s'%s", word, hint);
    return hint[0] != '\0';
}

/* Whether a word is the command that papers/run replaced, and no file; if so, prints a message. */
static bool is_removed(const char *word)
{
    if (strcmp(word, "experiment") != 0 || access(word, F_OK) == 0)
        return false;
    bench_message("papers/run, in the sources of spmvgen, makes the papers' figures now, from what "
                  "spmvbench --save measures");
    return true;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < bench_command_count && argc > 1; i++)
        if (strcmp(argv[1], bench_commands[i]->name) == 0)
            return bench_commands[i]->run(argc - 1, argv + 1);
    if (argc > 1 && (is_removed(argv[1]) || is_mistyped(argv[1])))
        return BENCH_USAGE;
    return bench_command_run.run(argc, argv);
}
