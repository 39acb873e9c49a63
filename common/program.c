/* program.c: the help of a program. See program.h. */
#include "common/program.h"

#include <string.h>

const char *sg_program_word(const sg_program *program)
{
    const char *space = strrchr(program->name, ' ');

    return space ? space + 1 : program->name;
}

static void print_commands(const sg_program *program, FILE *out)
{
    fprintf(out, "\nCommands, as in %s %s --help:\n", program->name,
            sg_program_word(program->commands[0]));
    for (size_t i = 0; program->commands[i]; i++)
        fprintf(out, "  %-10s %s\n", sg_program_word(program->commands[i]),
                program->commands[i]->purpose);
}

static void print_entries(const char *title, const sg_program_entry *entries, FILE *out)
{
    int width = 0;

    for (const sg_program_entry *entry = entries; entry->name; entry++)
        if ((int)strlen(entry->name) > width)
            width = (int)strlen(entry->name);
    fprintf(out, "%s:\n", title);
    for (const sg_program_entry *entry = entries; entry->name; entry++)
        fprintf(out, "  %-*s  %s\n", width, entry->name, entry->text);
}

void sg_program_help(const sg_program *program, FILE *out)
{
    fprintf(out, "Usage: %s %s\n%s\n\n", program->name, program->usage, program->description);
    sg_option_table_help(program->table, out);
    if (program->commands)
        print_commands(program, out);
    fprintf(out, "\n%s", program->notes);
    if (program->examples)
        fprintf(out, "\nExamples:\n%s\n", program->examples);
    if (program->environment)
        print_entries("Environment", program->environment, out);
    print_entries("Exit codes", program->exit_codes, out);
}
