/* options.h: the command line. One table of options makes the parser and --help; a man page and
 * completions can be made from it too. */
#ifndef SG_OPTIONS_H
#define SG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "generator/base/names.h"

/* What a run does. Powers of two, so that an option can name the modes it belongs to. */
typedef enum sg_mode {
    SG_MODE_EMIT = 1,
    SG_MODE_CHECK = 2,
    SG_MODE_EXPLAIN = 4,
    SG_MODE_LIST_TARGETS = 8,
    SG_MODE_LIST_METHODS = 16,
    SG_MODE_HELP = 32,
    SG_MODE_VERSION = 64,
    SG_MODE_VERIFY = 128
} sg_mode;

typedef struct sg_options {
    sg_mode mode;
    sg_names targets, methods, types, offsets, set, checks, explains;
    const char *output, *data, *depfile;     /* NULL: not given */
    int jobs;                                /* 0: not given */
    bool force, figures, line_directives, program_files, verbose;
} sg_options;

typedef enum sg_option_kind {
    SG_OPTION_MODE,              /* selects modes and takes no value */
    SG_OPTION_FLAG,              /* bool */
    SG_OPTION_TEXT,              /* const char *, once */
    SG_OPTION_NUMBER,            /* int from 1, once */
    SG_OPTION_LIST,              /* sg_names, may repeat */
    SG_OPTION_LAST_LIST          /* the same; of equal values the last one stays */
} sg_option_kind;

typedef struct sg_option {
    const char *name;            /* without the dashes */
    char letter;                 /* '\0': none */
    const char *value;           /* what --help calls its value; NULL: takes none */
    sg_option_kind kind;
    unsigned modes;              /* the modes it may be used in */
    sg_mode selects;             /* the mode that it asks for; 0: none */
    const char *const *choices;  /* NULL-terminated allowed values, or NULL */
    size_t offset;               /* into sg_options */
    const char *help;
} sg_option;

/* Every option, in the order of --help. */
const sg_option *sg_option_table(size_t *count);

/* NULL, and *out filled; or a sentence that says what is wrong with the command line. */
const char *sg_options_parse(sg_arena *arena, int argc, char *const *argv, sg_options *out);

void sg_options_help(FILE *out);

#endif
