/* command.h: the commands of spmvbench: `spmvbench NAME ...`. A command line that begins with
 * another word than a command's name belongs to `run`. */
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

#include "common/program.h"

/* Exit codes of every command. */
enum { BENCH_DONE = 0, BENCH_FAILED = 1, BENCH_USAGE = 2 };

typedef struct bench_command {
    const char *name;            /* "compare" */
    const sg_program *(*program)(void);  /* its options, help and man page */

    /* argv[0] is the command's name. Returns an exit code. */
    int (*run)(int argc, char *const *argv);
} bench_command;

extern const bench_command bench_command_run, bench_command_compare, bench_command_inspect,
                           bench_command_report, bench_command_tune;

/* All commands, fewer than BENCH_MAX_COMMANDS; `run` is the first. */
enum { BENCH_MAX_COMMANDS = 8 };
extern const bench_command *const bench_commands[];
extern const size_t bench_command_count;

#endif
