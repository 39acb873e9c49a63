/* compiler.h: the C compiler that makes a shared object of emitted files: the words of CC, without
 * it cc, with the words of CFLAGS behind its own options. */
#ifndef BENCH_COMPILER_H
#define BENCH_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "bench/sweep/module_cache.h"
#include "runtime/spmv.h"

enum { BENCH_COMPILER_WORDS = 64 };

typedef struct bench_compiler {
    char *text;                  /* that the words point into */
    char *word[BENCH_COMPILER_WORDS], *flag[BENCH_COMPILER_WORDS];   /* NULL ends them */
    uint64_t key;                /* of the compiler and all options */
} bench_compiler;

/* False, with a sentence in error, if there is no compiler. */
bool bench_compiler_find(bench_compiler *out, spmv_error *error);
void bench_compiler_forget(bench_compiler *compiler);    /* all zero is fine */

/* Starts the compilation of a folder's C files into `output`; what the compiler prints goes to the
 * file `printed`. Returns the program's id, or -1 with errno. */
pid_t bench_compiler_start(const bench_compiler *compiler, const char *folder, const char *output,
                           const char *printed);

/* The reason in a compiler's output why it failed; to be freed. *is_other_cpu: the files are for
 * another CPU than the compiler's. */
char *bench_compiler_reason(const bench_compiler *compiler, const char *output, int status,
                            bool *is_other_cpu);

#endif
