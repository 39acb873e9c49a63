/* about.c: see about.h. */
#include "bench/output/about.h"

const char *const bench_completion_shells[] = { "bash", NULL };

bool bench_about_is_asked(const bench_about *about)
{
    return about->help || about->version || about->completion;
}

void bench_about_print(const bench_about *about, const sg_program *program)
{
    if (about->help)
        sg_program_help(program, stdout);
    else if (about->version)
        printf("spmvbench %s\n", program->version);
    else
        sg_completion_print(program, stdout);
}
