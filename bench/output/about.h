/* about.h: what every command can tell about itself: --help and --version. */
#ifndef BENCH_ABOUT_H
#define BENCH_ABOUT_H

#include "common/program.h"

/* A member of a command's options. */
typedef struct bench_about {
    bool help, version;
    const char *completion;      /* the shell; NULL: not given */
} bench_about;

/* The last rows of a command's table of options. `member` is the bench_about of the struct. */
#define BENCH_ABOUT_OPTIONS(type, member)                                                       \
    { .name = "help", .kind = SG_OPTION_FLAG, .offset = offsetof(type, member.help),            \
      .help = "print this and stop" },                                                          \
    { .name = "version", .kind = SG_OPTION_FLAG, .offset = offsetof(type, member.version),      \
      .help = "print the version and stop" }

/* One more row, for the command that completes all others' command lines, too. */
#define BENCH_COMPLETION_OPTION(type, member)                                                   \
    { .name = "completion", .value = "SHELL", .kind = SG_OPTION_TEXT,                           \
      .offset = offsetof(type, member.completion), .choices = bench_completion_shells,          \
      .help = "print completion of this command line for bash and stop" }

extern const char *const bench_completion_shells[];

/* Whether the command line asks for any of them. */
bool bench_about_is_asked(const bench_about *about);

/* Prints what it asks for. */
void bench_about_print(const bench_about *about, const sg_program *program);

#endif
