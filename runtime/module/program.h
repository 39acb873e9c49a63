/* program.h: the text of a program, which its module holds in parts. */
#ifndef SPMV_PROGRAM_H
#define SPMV_PROGRAM_H

#include "runtime/spmv_module.h"

/* What is wrong with the program; NULL when nothing is. */
const char *spmv_program_fault(const spmv_program *program);

/* All of its parts as one string, to be freed by spmv_memory_free; NULL: no memory. */
char *spmv_program_text(const spmv_program *program);

#endif
