/* options.h: a command line, parsed by a table of options that also prints the help.
 *
 * Options are --NAME, --NAME VALUE and --NAME=VALUE; an option with a letter is also -n, -n VALUE
 * and -nVALUE. All other words, "-" among them, and all words behind "--" are operands. Values
 * point into argv: nothing is copied. Pure functions over constant tables. */
#ifndef SG_COMMON_OPTIONS_H
#define SG_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/spmv.h"

/* Type of an option's field. FLAG and NONE take no value, the others need one. */
typedef enum sg_option_kind {
    SG_OPTION_NONE,              /* no field: `uses` counts the option */
    SG_OPTION_FLAG,              /* bool */
    SG_OPTION_TEXT,              /* const char * */
    SG_OPTION_INTEGER,           /* int64_t from `min` to `max` */
    SG_OPTION_REAL,              /* double, finite */
    SG_OPTION_LIST               /* any list that `add` appends to, at most `max` times */
} sg_option_kind;

/* Where completion finds the values of an option: in a column of a table that the program prints.
 * The table stands below a line that begins with the word `heading`, and ends before a line that is
 * empty or indented otherwise. */
typedef struct sg_option_listing {
    const char *options;         /* with which the program prints the table: "--list" */
    const char *heading;
    int column;                  /* from 1 */
    const char *more;            /* values that the table lacks, with spaces between; NULL: none */
} sg_option_listing;

typedef struct sg_option {
    const char *name;            /* without the dashes */
    const char *value;           /* the value's name in the help; NULL: takes no value. FILE, FILE.x
                                    and DIR, alone or between '|', are completed as files */
    sg_option_kind kind;
    size_t offset;               /* of the field, in the program's struct of options */
    const char *help;            /* lines are separated by '\n' */
    const char *section;         /* in the help stands above this option; NULL: none */
    char letter;                 /* '\0': none */
    bool stops;                  /* words behind it are not read: --help, --version */
    int64_t min, max;            /* SG_OPTION_INTEGER; SG_OPTION_LIST, where max 0 is no limit */
    const char *const *choices;  /* allowed values, NULL-terminated; NULL: any text */
    void (*add)(void *options, void *list, const char *value);    /* SG_OPTION_LIST */
    const sg_option_listing *listing;    /* for completion; NULL: none */

    /* For programs whose options belong to modes; the parser does not read them. */
    unsigned modes;              /* bits of the modes that the option may be used in */
    unsigned selects;            /* the mode that the option selects; 0: none */
} sg_option;

typedef struct sg_option_table {
    const sg_option *options;    /* in the order of the help */
    size_t count;                /* at most SG_OPTION_MAX */
    int help_column;             /* where the help's texts begin */
    bool last_wins;              /* of two values the last counts; false: that is an error */

    /* Handles an operand; `ended`: the operand stands behind "--". Returns false and a sentence in
     * error to reject the operand. NULL: the parser rejects operands as unknown options. */
    bool (*operand)(void *options, const char *word, bool ended, spmv_error *error);
} sg_option_table;

enum { SG_OPTION_MAX = 64 };

/* Stores values in the fields of `options`; fields of options that are not given keep their values.
 * Returns false and a sentence in error on an error. uses[i] becomes the
 * number of times that table->options[i] was given; uses may be NULL. */
bool sg_option_table_parse(const sg_option_table *table, int argc, char *const *argv,
                           void *options, unsigned *uses, spmv_error *error);

/* Prints the options with their help, one below the other. */
void sg_option_table_help(const sg_option_table *table, FILE *out);

#endif
