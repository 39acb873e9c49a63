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

static void print_value_function(const char *name, const sg_option *option, FILE *out)
{
    const sg_option_listing *listing = option->listing;

    fprintf(out, "_%s_value_%s()\n{\n", name, option->name);
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
static void print_option(const char *name, const sg_option_table *table, const sg_option *option,
                         FILE *out)
{
    const bool repeats = table->last_wins || option->kind == SG_OPTION_LIST;
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
    if (option->value && sg_completion_has_values(option))
        fprintf(out, ":%s: _%s_value_%s", option->value, name, option->name);
    else if (option->value)
        fprintf(out, ":%s: ", option->value);
    fputc('\'', out);
}

void sg_zsh_completion_print(const sg_program *program, FILE *out)
{
    const sg_option_table *table = program->table;
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
    for (size_t i = 0; i < table->count; i++)
        if (table->options[i].value && sg_completion_has_values(&table->options[i]))
            print_value_function(name, &table->options[i], out);
    if (program->operand) {
        fprintf(out, "_%s_operand()\n{\n", name);
        print_files(program->operand, out);
        fputs("}\n\n", out);
    }
    fprintf(out, "_%s()\n{\n    _arguments -S", name);
    for (size_t i = 0; i < table->count; i++)
        print_option(name, table, &table->options[i], out);
    if (program->operand)
        fprintf(out, " \\\n        ':%s: _%s_operand'", program->operand, name);
    fprintf(out,
            "\n}\n\n"
            "# The file is either a function that compinit loads, or sourced.\n"
            "if [[ ${funcstack[1]} == _%s ]]; then\n"
            "    _%s \"$@\"\n"
            "else\n"
            "    compdef _%s %s\n"
            "fi\n", name, name, name, name);
}
