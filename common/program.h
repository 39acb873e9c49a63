/* program.h: what users read about a program: its help, of which help2man makes the man page, and
 * completion for bash. Both come from one sg_program and its table of options. Pure functions over
 * constant data. */
#ifndef SG_COMMON_PROGRAM_H
#define SG_COMMON_PROGRAM_H

#include <stdio.h>

#include "common/options.h"

/* A row of a list: an exit code, an environment variable. Lists end with a name that is NULL. */
typedef struct sg_program_entry {
    const char *name;
    const char *text;            /* no capital, no full stop */
} sg_program_entry;

typedef struct sg_program {
    const char *name;
    const char *version;
    const char *purpose;         /* behind the name; no capital, no full stop */
    const char *usage;           /* "[FILE] [OPTION]..." */
    const char *operand;         /* the operand's name, as sg_option.value; NULL: takes none */
    const char *description;     /* sentences, in lines */

    /* Notes on the output; each line ends with '\n'. "": none. A line without indentation belongs
     * to a paragraph; one that ends with a colon begins a paragraph. A line "  NAME  TEXT" begins
     * the explanation of a word; lines indented further continue it. */
    const char *notes;
    const char *examples;        /* lines "  $ COMMAND", as help2man takes them; NULL: none */
    const sg_option_table *table;
    const sg_program_entry *environment;         /* variables that it reads; NULL: none */
    const sg_program_entry *exit_codes;

    /* The programs of its commands, NULL-terminated; NULL: it has none. A command line whose first
     * word is the last word of a command's name, as in "spmvbench compare", belongs to it. Commands
     * have no commands. */
    const struct sg_program *const *commands;
} sg_program;

/* The last word of the name. */
const char *sg_program_word(const sg_program *program);

void sg_program_help(const sg_program *program, FILE *out);

/* Prints completion for bash 4 and later. */
void sg_completion_print(const sg_program *program, FILE *out);

#endif
