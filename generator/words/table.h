/* table.h: one file of targets/dialects or targets/isa, read for one value type (dialect.h puts two
 * of them together), or of targets/compilers (compiler_table.h). It holds no values of Lua. */
#ifndef SG_TABLE_H
#define SG_TABLE_H

#include "generator/words/compiler_table.h"
#include "generator/base/lowering.h"

typedef enum sg_table_kind {
    SG_DIALECT_TABLE = 1,
    SG_ISA_TABLE = 2,
    SG_COMPILER_TABLE = 4
} sg_table_kind;

/* Texts are "" and lists empty, never NULL, if the file does not state them. */
typedef struct sg_table {
    const char *name, *form, *extension, *preamble, *postamble, *usable, *build_options;
    const char *condition, *begin_functions, *end_functions;
    const char *host_dialect, *host_isa;
    sg_bundle_entry bundle;
    const char *parse_language, *parse_prefix;
    const char *const *parse_args;
    const char *const *cpu_flags, *const *extensions;
    bool prelude_bodies, rounds_once;
    const sg_least *least;       /* ends with a NULL fact */
    const sg_fixed *fixed;       /* sorted by name */
    size_t fixed_count;
    const sg_word *words;        /* sorted by name */
    size_t word_count;
    const char *source;          /* the C file of helpers: "targets/isa/avx2.c" */
    sg_compiler compiler;        /* without its name and page, which the table has */
    sg_input page;
    const sg_input *more;        /* its C files, and the tables that it inherits with theirs */
    size_t more_count;
} sg_table;

/* The path, such as "targets/dialects/NAME.lua"; NULL if no file can have the name. */
const char *sg_table_file(sg_arena *arena, sg_table_kind kind, const char *name);

/* True if the file exists. Otherwise adds an error with the nearest name, at the place that names
 * the file. */
bool sg_table_exists(sg_diags *diags, const char *root, sg_table_kind kind, const char *name,
                     sg_loc named_at);

/* The words of both, sorted; of two words with the same name, only the heir's. */
const sg_word *sg_table_merge_words(sg_arena *arena, const sg_table *heir, const sg_table *base,
                                    size_t *count);

#endif
