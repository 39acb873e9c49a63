/* zsh_completion.c: completion for zsh. See completion.h.
 *
 * _arguments gets one specification for each option. The values of an option come from a function
 * of its own. */
#include "common/completion.h"

#include "common/value_files.h"

static void print_files(const char *value, FILE *out)
{
    const sg_value_files files = sg_value_files_of(value);

    if (!files.files && !files.folders)
        return;
    fputs(files.files ? "    _files" : "    _files -/", out);
    for (size_t i = 0; i < files.suffix_count; i++)
        fprintf(out, "%s*%s%s", i ? "|" : " -g '(", files.suffix[i],
                i + 1 == files.suffix_count ? ")'" : "");
    fputc('\n', out);
}

/* name: the program's. */
static void print_value_function(const char *name, const sg_program *program,
                                 const sg_option *option, FILE *out)
{
    const sg_option_listing *listing = option->listing;

    sg_completion_print_function(program, out);
    fprintf(out, "_value_%s()\n{\n", option->name);
    if (option->choices) {
        fputs("    compadd --", out);
        for (size_t i = 0; option->choices[i]; i++)
            fprintf(out, " %s", option->choices[i]);
        fputc('\n', out);
    }
    if (listing && listing->more)
        fprintf(out, "    compadd -- %s\n", listing->more);
    if (listing)
        fprintf(out, "    compadd -- ${(f)\"$(_%s_listed %s %d %s)\"}\n", name, listing->heading,
                listing->column, listing->options);
    print_files(option->value, out);
    fputs("}\n\n", out);
}

/* Prints the specification of an option for _arguments. */
static void print_option(const sg_program *program, const sg_option *option, FILE *out)
{
    const bool repeats = program->table->last_wins || option->kind == SG_OPTION_LIST;
    const char *equals = option->value ? "=" : "";

    fputs(" \\\n        ", out);
    if (repeats)
        fputs("'*'", out);
    else if (option->letter)
        fprintf(out, "'(-%c --%s)'", option->letter, option->name);
    if (option->letter)
        fprintf(out, "{-%c%s,--%s%s}", option->letter, option->value ? "+" : "", option->name,
                equals);
    else
        fprintf(out, "--%s%s", option->name, equals);
    fputs("'[", out);
    sg_completion_print_help(option, "[]:\\", "'\\''", out);
    fputc(']', out);
    if (option->value && sg_completion_has_values(option)) {
        fprintf(out, ":%s: ", option->value);
        sg_completion_print_function(program, out);
        fprintf(out, "_value_%s", option->name);
    } else if (option->value)
        fprintf(out, ":%s: ", option->value);
    fputc('\'', out);
}

/* Leads a command line to the function of its command. */
static void print_dispatch(const sg_program *program, FILE *out)
{
    for (size_t i = 0; program->commands && program->commands[i]; i++) {
        fprintf(out, "    if ((CURRENT > 2)) && [[ $words[2] == %s ]]; then\n"
                "        shift words\n        ((CURRENT--))\n        ",
                sg_program_word(program->commands[i]));
        sg_completion_print_function(program->commands[i], out);
        fputs("\n        return\n    fi\n", out);
    }
}

static void print_operand(const sg_program *program, FILE *out)
{
    sg_completion_print_function(program, out);
    fputs("_operand()\n{\n", out);
    if (program->commands)
        fputs("    ((CURRENT > 2)) || compadd --", out);
    for (size_t i = 0; program->commands && program->commands[i]; i++)
        fprintf(out, " %s", sg_program_word(program->commands[i]));
    fputs(program->commands ? "\n" : "", out);
    print_files(program->operand, out);
    fputs("}\n\n", out);
}

/* The functions of a program or of one of its commands. name: the program's. */
static void print_functions(const char *name, const sg_program *program, FILE *out)
{
    const sg_option_table *table = program->table;

    for (size_t i = 0; i < table->count; i++)
        if (table->options[i].value && sg_completion_has_values(&table->options[i]))
            print_value_function(name, program, &table->options[i], out);
    if (program->operand)
        print_operand(program, out);
    sg_completion_print_function(program, out);
    fputs("()\n{\n", out);
    print_dispatch(program, out);
    fputs("    _arguments -S", out);
    for (size_t i = 0; i < table->count; i++)
        print_option(program, &table->options[i], out);
    if (program->operand) {
        fprintf(out, " \\\n        '*:%s: ", program->operand);
        sg_completion_print_function(program, out);
        fputs("_operand'", out);
    }
    fputs("\n}\n\n", out);
}

void sg_zsh_completion_print(const sg_program *program, FILE *out)
{
    const char *name = program->name;

    fprintf(out,
            "#compdef %s\n"
            "# Completion of %s for zsh; made by %s --completion zsh.\n\n"
            "# Prints a column of a table that the program prints with these options.\n"
            "_%s_listed()\n"
            "{\n"
            "    local program=${words[1]/#\\~/$HOME} heading=$1 column=$2\n"
            "    shift 2\n"
            "    \"$program\" \"$@\" 2>/dev/null | ", name, name, name, name);
    sg_completion_print_filter(out);
    fputs("\n}\n\n", out);
    for (size_t i = 0; program->commands && program->commands[i]; i++)
        print_functions(name, program->commands[i], out);
    print_functions(name, program, out);
    fprintf(out,
            "# The file is either a function that compinit loads, or sourced.\n"
            "if [[ ${funcstack[1]} == _%s ]]; then\n"
            "    _%s \"$@\"\n"
            "else\n"
            "    compdef _%s %s\n"
            "fi\n", name, name, name, name);
}
