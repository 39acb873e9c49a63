/* fish_completion.c: completion for fish 3 and later. See completion.h. */
#include "common/completion.h"

#include "common/value_files.h"

/* Prints what -a takes: words and commands, in one pair of quotes. */
static void print_values(const char *name, const sg_option *option, FILE *out)
{
    const sg_option_listing *listing = option->listing;
    const sg_value_files files = sg_value_files_of(option->value);

    fputs(" -a '", out);
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        fprintf(out, "%s ", option->choices[i]);
    if (listing && listing->more)
        fprintf(out, "%s ", listing->more);
    if (listing)
        fprintf(out, "(__%s_listed %s %d %s) ", name, listing->heading, listing->column,
                listing->options);
    for (size_t i = 0; i < files.suffix_count; i++)
        fprintf(out, "(__fish_complete_suffix %s) ", files.suffix[i]);
    if (files.folders)
        fputs("(__fish_complete_directories (commandline -ct))", out);
    fputc('\'', out);
}

/* "complete -c PROGRAM", for command lines of the program alone or of one of its commands. */
static void print_begin(const sg_program *program, const sg_program *command, FILE *out)
{
    fprintf(out, "complete -c %s", program->name);
    if (!program->commands)
        return;
    fprintf(out, " -n '%s__fish_seen_subcommand_from", command == program ? "not " : "");
    if (command != program)
        fprintf(out, " %s", sg_program_word(command));
    for (size_t i = 0; command == program && program->commands[i]; i++)
        fprintf(out, " %s", sg_program_word(program->commands[i]));
    fputc('\'', out);
}

static void print_option(const sg_program *program, const sg_program *command,
                         const sg_option *option, FILE *out)
{
    const sg_value_files files = sg_value_files_of(option->value);

    print_begin(program, command, out);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    fprintf(out, " -l %s", option->name);
    if (files.files && !files.suffix_count)
        fputs(" -r -F", out);
    else if (option->value)
        fputs(" -x", out);
    if (option->choices || option->listing || files.suffix_count || files.folders)
        print_values(program->name, option, out);
    fputs(" -d '", out);
    sg_completion_print_help(option, "\\", "\\'", out);
    fputs("'\n", out);
}

/* The operands and options of a program or of one of its commands. */
static void print_lines(const sg_program *program, const sg_program *command, FILE *out)
{
    const sg_value_files operand = sg_value_files_of(command->operand);

    for (size_t i = 0; i < operand.suffix_count; i++) {
        print_begin(program, command, out);
        fprintf(out, " -a '(__fish_complete_suffix %s)'\n", operand.suffix[i]);
    }
    for (size_t i = 0; i < command->table->count; i++)
        print_option(program, command, &command->table->options[i], out);
}

void sg_fish_completion_print(const sg_program *program, FILE *out)
{
    const char *name = program->name;

    fprintf(out,
            "# Completion of %s for fish; made by %s --completion fish.\n\n"
            "# Prints a column of a table that the program prints with these options.\n"
            "function __%s_listed --argument-names heading column\n"
            "    set -l words (commandline -opc)\n"
            "    set -l program (string replace -r '^~' $HOME -- $words[1])\n"
            "    command $program $argv[3..-1] 2>/dev/null | ", name, name, name);
    sg_completion_print_filter(out);
    fprintf(out, "\nend\n\ncomplete -c %s -f\n", name);
    for (size_t i = 0; program->commands && program->commands[i]; i++) {
        const sg_program *command = program->commands[i];
        fprintf(out, "complete -c %s -n __fish_use_subcommand -a %s -d '%s'\n", name,
                sg_program_word(command), command->purpose);
        print_lines(program, command, out);
    }
    print_lines(program, program, out);
}
