/* completion.c: see completion.h and program.h. */
#include "common/completion.h"

#include <string.h>

#include "common/value_files.h"

const char *const sg_completion_shells[] = { "bash", "zsh", "fish", NULL };

void sg_completion_print(const sg_program *program, const char *shell, FILE *out)
{
    static void (*const print[])(const sg_program *, FILE *) = {
        sg_bash_completion_print, sg_zsh_completion_print, sg_fish_completion_print
    };

    for (size_t i = 0; sg_completion_shells[i]; i++)
        if (!strcmp(sg_completion_shells[i], shell))
            print[i](program, out);
}

bool sg_completion_has_values(const sg_option *option)
{
    const sg_value_files files = sg_value_files_of(option->value);

    return option->choices || option->listing || files.files || files.folders;
}

void sg_completion_print_function(const sg_program *program, FILE *out)
{
    fputc('_', out);
    for (const char *c = program->name; *c; c++)
        fputc(*c == ' ' ? '_' : *c, out);
}

void sg_completion_print_help(const sg_option *option, const char *escaped, const char *apostrophe,
                              FILE *out)
{
    for (const char *c = option->help; *c && *c != ';'; c++) {
        if (strchr(escaped, *c))
            fputc('\\', out);
        if (*c == '\'')
            fputs(apostrophe, out);
        else
            fputc(*c == '\n' ? ' ' : *c, out);
    }
}

void sg_completion_print_filter(FILE *out)
{
    fputs("awk -v heading=\"$heading\" -v column=\"$column\" '\n"
          "        below && (!NF || (below > 1 && /^ / != indented)) { exit }\n"
          "        below && $column ~ /^[A-Za-z0-9_.:+-]+$/ && !seen[$column]++ { print $column }\n"
          "        below { below = 2; indented = /^ / }\n"
          "        $1 == heading { below = 1 }'", out);
}
