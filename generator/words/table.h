/* table.h: one file of targets/dialects or targets/isa, read for one value type (dialect.h puts two
 * of them together), or of targets/compilers (compiler_table.h). Nothing of Lua is left in it. */
#ifndef SG_TABLE_H
#define SG_TABLE_H

#include "generator/words/compiler_table.h"
#include "generator/words/lowering.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sg_table_kind {
    SG_DIALECT_TABLE = 1,
    SG_ISA_TABLE = 2,
    SG_COMPILER_TABLE = 4
} sg_table_kind;

/* Texts are "" and lists empty, never NULL, where the file does not give them. */
typedef struct sg_table {
    const char *name, *form, *extension, *preamble, *postamble, *usable, *build_options;
    const char *host_dialect, *host_isa;
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
    sg_compiler compiler;        /* but for its name and page, which are below and above */
    sg_input page;
    const sg_input *more;         /* its C files, and the tables that it inherits with theirs */
    size_t more_count;
} sg_table;

/* Such as "targets/dialects/NAME.lua"; NULL when the name can be no file's. */
const char *sg_table_file(sg_arena *arena, sg_table_kind kind, const char *name);

/* Is there such a file? Otherwise an error, at the place that names it where there is one, with the
 * nearest name. */
bool sg_table_exists(sg_diags *diags, const char *root, sg_table_kind kind, const char *name,
                     sg_loc named_at);

/* The words of both, sorted; of two with one name the heir's. */
const sg_word *sg_table_merge_words(sg_arena *arena, const sg_table *heir, const sg_table *base,
                                    size_t *count);

#ifdef __cplusplus
}
#endif
#endif
