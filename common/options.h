/* options.h: a command line, parsed by a table of options that also prints the help.
 *
 * Options are --NAME, --NAME VALUE, --NAME=VALUE and, where one has a letter, -n, -n VALUE and
 * -nVALUE. Other words, "-" among them, are operands, as are all words behind "--". Values stay in
 * argv: nothing is copied. Pure functions over constant tables. */
#ifndef SG_COMMON_OPTIONS_H
#define SG_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What an option's field holds. FLAG and NONE take no value, the others need one. */
typedef enum sg_option_kind {
    SG_OPTION_NONE,              /* no field: `uses` says whether it was given */
    SG_OPTION_FLAG,              /* bool */
    SG_OPTION_TEXT,              /* const char * */
    SG_OPTION_INTEGER,           /* int64_t from `min` to `max` */
    SG_OPTION_REAL,              /* double, finite */
    SG_OPTION_LIST               /* any list, to which `add` appends; at most `max` times */
} sg_option_kind;

typedef struct sg_option {
    const char *name;            /* without the dashes */
    const char *value;           /* what the help calls its value; NULL: takes none */
    sg_option_kind kind;
    size_t offset;               /* of the field, in the program's struct of options */
    const char *help;            /* lines are separated by '\n' */
    char letter;                 /* '\0': none */
    bool stops;                  /* words behind it are not read: --help, --version */
    int64_t min, max;            /* SG_OPTION_INTEGER; SG_OPTION_LIST, where max 0 is no limit */
    const char *const *choices;  /* allowed values, NULL-terminated; NULL: any text */
    void (*add)(void *options, void *list, const char *value);    /* SG_OPTION_LIST */

    /* For programs whose options belong to modes; the parser does not read them. */
    unsigned modes;              /* bits of the modes that the option may be used in */
    unsigned selects;            /* the mode that it asks for; 0: none */
} sg_option;

typedef struct sg_option_table {
    const sg_option *options;    /* in the order of the help */
    size_t count;                /* at most SG_OPTION_MAX */
    int help_column;             /* where the texts of the help begin */
    bool last_wins;              /* a single value given twice: the last one, not an error */

    /* Takes a word that is no option; `ended`: it stands behind "--". False, and a sentence in
     * message: it is an error. NULL: such a word is an unknown option. */
    bool (*operand)(void *options, const char *word, bool ended, char *message,
                    size_t message_bytes);
} sg_option_table;

enum { SG_OPTION_MAX = 64 };

/* True, and the fields of `options` set; those of options that were not given stay as they are.
 * False, and a sentence in message, which is cut where it does not fit. uses[i] is how often
 * table->options[i] was given; NULL: not asked for. */
bool sg_option_table_parse(const sg_option_table *table, int argc, char *const *argv,
                           void *options, unsigned *uses, char *message, size_t message_bytes);

/* The options with their texts, one below the other. */
void sg_option_table_help(const sg_option_table *table, FILE *out);

#endif
