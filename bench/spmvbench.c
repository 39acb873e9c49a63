/* spmvbench.c: finds the command that a command line names, and runs it. */
#include <string.h>

#include "bench/commands/command.h"

const bench_command *const bench_commands[] = {
    &bench_command_run,
    &bench_command_compare,
    &bench_command_inspect,
    &bench_command_report,
};
const size_t bench_command_count = sizeof bench_commands / sizeof bench_commands[0];

int main(int argc, char **argv)
{
    for (size_t i = 0; i < bench_command_count && argc > 1; i++)
        if (strcmp(argv[1], bench_commands[i]->name) == 0)
            return bench_commands[i]->run(argc - 1, argv + 1);
    return bench_command_run.run(argc, argv);
}
