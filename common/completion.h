/* completion.h: parts of the completion for each shell. Private to common/. */
#ifndef SG_COMMON_COMPLETION_H
#define SG_COMMON_COMPLETION_H

#include "common/program.h"

void sg_bash_completion_print(const sg_program *program, FILE *out);
void sg_zsh_completion_print(const sg_program *program, FILE *out);
void sg_fish_completion_print(const sg_program *program, FILE *out);

/* Whether completion can offer values of the option. */
bool sg_completion_has_values(const sg_option *option);

/* Prints the name of the shell function that completes a program's or a command's options. */
void sg_completion_print_function(const sg_program *program, FILE *out);

/* Prints the part of an option's help up to the first semicolon, on one line. A backslash stands
 * before each character of `escaped`; `apostrophe` replaces an apostrophe. */
void sg_completion_print_help(const sg_option *option, const char *escaped, const char *apostrophe,
                              FILE *out);

/* Prints a command that filters the values out of a table, according to sg_option_listing; the
 * shell's variables heading and column select it. */
void sg_completion_print_filter(FILE *out);

#endif
