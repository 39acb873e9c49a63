/* options.h: the command line of spmvgen. */
#ifndef SG_OPTIONS_H
#define SG_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/program.h"
#include "generator/base/name_set.h"

/* The task of a run. Powers of two, so that an option can list the modes that it belongs to. */
typedef enum sg_mode {
    SG_MODE_EMIT = 1,
    SG_MODE_CHECK = 2,
    SG_MODE_EXPLAIN = 4,
    SG_MODE_LIST_TARGETS = 8,
    SG_MODE_LIST_METHODS = 16,
    SG_MODE_HELP = 32,
    SG_MODE_VERSION = 64,
    SG_MODE_VERIFY = 128,
    SG_MODE_COMPLETION = 1024,
    SG_MODE_TUNABLE = 2048,
    SG_MODE_DUMP = 4096
} sg_mode;

typedef struct sg_options {
    sg_mode mode;
    sg_name_set targets, methods, types, offsets, set, checks, explains;
    const char *output, *data, *depfile, *dump, *shell;     /* NULL: not given */
    const char *bundle, *prefix;
    int64_t jobs;                            /* 0: not given */
    bool force, figures, is_static, line_directives, one_vector, program_files, verbose;
} sg_options;

/* Fills *out and returns NULL, or returns a sentence on the error of the command line. */
const char *sg_options_parse(sg_arena *arena, int argc, char *const *argv, sg_options *out);

/* spmvgen's table of options, and what surrounds it in help and man page. */
const sg_program *sg_options_program(void);

#endif
