/* bash_completion.c: completion for bash 4 and later. See program.h. */
#include "common/program.h"
#include "common/value_files.h"

/* Whether completion can offer values of the option. */
static bool has_values(const sg_option *option)
{
    const sg_value_files files = sg_value_files_of(option->value);

    return option->choices || option->listing || files.files || files.folders;
}

/* Prints the name of the function that completes command lines of a program or of a command. */
static void print_function_name(const sg_program *program, FILE *out)
{
    fputc('_', out);
    for (const char *c = program->name; *c; c++)
        fputc(*c == ' ' ? '_' : *c, out);
}

/* Prints a command that filters the values out of a table, according to sg_option_listing; the
 * variables heading and column of the shell have its members. */
static void print_filter(FILE *out)
{
    fputs("awk -v heading=\"$heading\" -v column=\"$column\" '\n"
          "        below && (!NF || (below > 1 && /^ / != indented)) { exit }\n"
          "        below && $column ~ /^[A-Za-z0-9_.:+-]+$/ && !seen[$column]++ { print $column }\n"
          "        below { below = 2; indented = /^ / }\n"
          "        $1 == heading { below = 1 }'", out);
}

/* The functions use variables of their caller: program, word. bash splits --NAME=VALUE at the
 * equals sign. */
static void print_functions(const char *name, FILE *out)
{
    fprintf(out,
            "# Adds those of the words that begin with the word to complete.\n"
            "_%s_words()\n"
            "{\n"
            "    local found\n"
            "    mapfile -t found < <(compgen -W \"$*\" -- \"$word\")\n"
            "    COMPREPLY+=(\"${found[@]}\")\n"
            "}\n\n"
            "# Adds folders, and files that end with one of the suffixes.\n"
            "_%s_files()\n"
            "{\n"
            "    local file suffix\n"
            "    compopt -o filenames 2>/dev/null\n"
            "    while IFS= read -r file; do\n"
            "        if [[ -d $file ]]; then\n"
            "            COMPREPLY+=(\"$file\")\n"
            "            continue\n"
            "        fi\n"
            "        for suffix; do\n"
            "            [[ $file != *\"$suffix\" ]] || COMPREPLY+=(\"$file\")\n"
            "        done\n"
            "    done < <(compgen -f -- \"$word\")\n"
            "}\n\n"
            "# Prints a column of a table that the program prints with these options.\n"
            "_%s_listed()\n"
            "{\n"
            "    local heading=$1 column=$2\n"
            "    shift 2\n"
            "    \"$program\" \"$@\" 2>/dev/null | ", name, name, name);
    print_filter(out);
    fputs("\n}\n\n", out);
}

static void print_files(const char *name, const char *value, const char *indent, FILE *out)
{
    const sg_value_files files = sg_value_files_of(value);

    if (!files.files && !files.folders)
        return;
    fprintf(out, "%s_%s_files", indent, name);
    for (size_t i = 0; i < files.suffix_count; i++)
        fprintf(out, " %s", files.suffix[i]);
    fputs(files.files && !files.suffix_count ? " ''\n" : "\n", out);
}

static void print_names(const sg_option *option, const char *between, FILE *out)
{
    if (option->letter)
        fprintf(out, "-%c%s", option->letter, between);
    fprintf(out, "--%s", option->name);
}

static void print_values(const char *name, const sg_option *option, FILE *out)
{
    const sg_option_listing *listing = option->listing;

    fputs("    ", out);
    print_names(option, " | ", out);
    fputs(")\n", out);
    if (option->choices) {
        fprintf(out, "        _%s_words", name);
        for (size_t i = 0; option->choices[i]; i++)
            fprintf(out, " %s", option->choices[i]);
        fputc('\n', out);
    }
    if (listing && listing->more)
        fprintf(out, "        _%s_words %s\n", name, listing->more);
    if (listing)
        fprintf(out, "        _%s_words \"$(_%s_listed %s %d %s)\"\n", name, name,
                listing->heading, listing->column, listing->options);
    print_files(name, option->value, "        ", out);
    fputs("        return ;;\n", out);
}

/* Options whose values cannot be offered. */
static void print_free_values(const sg_option_table *table, FILE *out)
{
    bool first = true;

    for (size_t i = 0; i < table->count; i++) {
        const sg_option *option = &table->options[i];
        if (!option->value || has_values(option))
            continue;
        fputs(first ? "    " : " | \\\n    ", out);
        print_names(option, " | ", out);
        first = false;
    }
    if (!first)
        fputs(")\n        return ;;\n", out);
}

/* The function that completes command lines of a program or of one of its commands. name: the
 * program's. */
static void print_function(const char *name, const sg_program *program, FILE *out)
{
    const sg_option_table *table = program->table;

    print_function_name(program, out);
    fputs("()\n"
          "{\n"
          "    local program=${1/#\\~/$HOME} word=${COMP_WORDS[COMP_CWORD]}\n"
          "    local option=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n", out);
    for (size_t i = 0; program->commands && program->commands[i]; i++) {
        const sg_program *command = program->commands[i];
        fprintf(out, "    if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == %s ]]; then\n        ",
                sg_program_word(command));
        print_function_name(command, out);
        fputs(" \"$@\"\n        return\n    fi\n", out);
    }
    fputs("    if [[ $word == = ]]; then\n"
          "        word=\n"
          "    elif [[ $option == = ]]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    case $option in\n", out);
    for (size_t i = 0; i < table->count; i++)
        if (table->options[i].value && has_values(&table->options[i]))
            print_values(name, &table->options[i], out);
    print_free_values(table, out);
    fprintf(out,
            "    esac\n"
            "    if [[ $word == -* ]]; then\n"
            "        _%s_words", name);
    for (size_t i = 0; i < table->count; i++) {
        fputs(" \\\n            ", out);
        print_names(&table->options[i], " ", out);
    }
    fputs("\n        return\n    fi\n", out);
    if (program->commands)
        fprintf(out, "    ((COMP_CWORD > 1)) || _%s_words", name);
    for (size_t i = 0; program->commands && program->commands[i]; i++)
        fprintf(out, " %s", sg_program_word(program->commands[i]));
    fputs(program->commands ? "\n" : "", out);
    print_files(name, program->operand, "    ", out);
    fputs("}\n\n", out);
}

void sg_completion_print(const sg_program *program, FILE *out)
{
    fprintf(out, "# Completion of %s for bash; made by %s --completion bash.\n\n", program->name,
            program->name);
    print_functions(program->name, out);
    for (size_t i = 0; program->commands && program->commands[i]; i++)
        print_function(program->name, program->commands[i], out);
    print_function(program->name, program, out);
    fprintf(out, "complete -F _%s %s\n", program->name, program->name);
}
