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

static void print_option(const char *name, const sg_option *option, FILE *out)
{
    const sg_value_files files = sg_value_files_of(option->value);

    fprintf(out, "complete -c %s", name);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    fprintf(out, " -l %s", option->name);
    if (files.files && !files.suffix_count)
        fputs(" -r -F", out);
    else if (option->value)
        fputs(" -x", out);
    if (option->choices || option->listing || files.suffix_count || files.folders)
        print_values(name, option, out);
    fputs(" -d '", out);
    sg_completion_print_help(option, "\\", "\\'", out);
    fputs("'\n", out);
}

void sg_fish_completion_print(const sg_program *program, FILE *out)
{
    const sg_value_files operand = sg_value_files_of(program->operand);
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
    for (size_t i = 0; i < operand.suffix_count; i++)
        fprintf(out, "complete -c %s -a '(__fish_complete_suffix %s)'\n", name, operand.suffix[i]);
    for (size_t i = 0; i < program->table->count; i++)
        print_option(name, &program->table->options[i], out);
}
