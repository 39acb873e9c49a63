/* program.c: the help of a program. See program.h. */
#include "common/program.h"

void sg_program_help(const sg_program *program, FILE *out)
{
    fprintf(out, "Usage: %s %s\n%s\n\n", program->name, program->usage, program->description);
    sg_option_table_help(program->table, out);
    fprintf(out, "\n%s", program->notes);
    if (program->examples)
        fprintf(out, "Examples:\n%s", program->examples);
    fputs("Exit codes:\n", out);
    for (const sg_program_entry *code = program->exit_codes; code->name; code++)
        fprintf(out, "  %s  %s\n", code->name, code->text);
}
