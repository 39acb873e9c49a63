/* program.h: the text of a program, which its module holds in parts. */
#ifndef SPMV_PROGRAM_H
#define SPMV_PROGRAM_H

#include "runtime/spmv_module.h"

/* The first fault of the program. NULL: none. */
const char *spmv_program_fault(const spmv_program *program);

/* All parts of the program as one string, for the caller to free. NULL: no memory. */
char *spmv_program_text(const spmv_program *program);

#endif
