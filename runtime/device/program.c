/* program.c: see program.h. */
#include "runtime/device/program.h"

#include <stdbool.h>
#include <string.h>

#include "runtime/base/memory.h"

static bool is_whole(const spmv_program_part *part)
{
    for (int32_t i = 0; i < part->line_count; i++)
        if (part->lines == NULL || part->lines[i] == NULL)
            return false;
    return true;
}

const char *spmv_program_fault(const spmv_program *program)
{
    if (program->language == NULL || program->file == NULL || program->options == NULL ||
        program->match == NULL)
        return "its program lacks something";
    if (program->parts == NULL || program->part_count < 1)
        return "its program is in a file of its own; emit it without --program-files";
    if (program->kernels == NULL || program->kernel_count < 1 ||
        program->kernel_count > SPMV_MAX_KERNELS)
        return "its program has no kernels, or too many";
    for (int32_t i = 0; i < program->part_count; i++)
        if (!is_whole(&program->parts[i]))
            return "a line of its program is missing";
    for (int32_t k = 0; k < program->kernel_count; k++) {
        const spmv_kernel *kernel = &program->kernels[k];
        if (kernel->name == NULL || kernel->symbol == NULL || kernel->work_group_size < 1 ||
            kernel->local_bytes < 0 || kernel->dynamic_bytes < 0 ||
            kernel->argument_count < 0 || kernel->argument_count > SPMV_MAX_ARGUMENTS ||
            (kernel->argument_count > 0 && kernel->arguments == NULL))
            return "a kernel of its program is not described";
        for (int32_t i = 0; i < kernel->argument_count; i++)
            if (kernel->arguments[i].name == NULL ||
                (unsigned)kernel->arguments[i].kind > SPMV_ARGUMENT_F64)
                return "an argument of a kernel is not described";
    }
    return NULL;
}

/* Appends the parts to `text`, or only counts if that is NULL. Returns the number of bytes. */
static size_t copy_text(const spmv_program *program, char *text)
{
    size_t bytes = 0;

    for (int32_t i = 0; i < program->part_count; i++)
        for (int32_t k = 0; k < program->parts[i].line_count; k++) {
            const size_t length = strlen(program->parts[i].lines[k]);
            if (text != NULL)
                memcpy(text + bytes, program->parts[i].lines[k], length);
            bytes += length;
        }
    return bytes;
}

char *spmv_program_text(const spmv_program *program)
{
    const size_t bytes = copy_text(program, NULL);
    char *text = (char *)spmv_memory_alloc(bytes + 1);

    if (text != NULL)
        text[copy_text(program, text)] = '\0';
    return text;
}
