/* table_source.h: reads the C file that a table names, which has the helpers of its words.
 *
 *     #include "helpers.h"
 *
 *     #ifdef REAL_IS_F32
 *
 *     // The sum of all lanes.
 *     static inline float v_sum(__m256 a)
 *     {
 *         ...
 *     }
 *
 *     #endif
 *
 * Each definition is the helper of the word that it is named after. It is emitted with the comment
 * directly before it, and needs the helpers above it that its text names. A definition in #ifdef
 * REAL_IS_TYPE is for one value type. A C file may include others beside it, and then has their
 * helpers too; other includes serve its own compilation, and are not emitted. */
#ifndef SG_TABLE_SOURCE_H
#define SG_TABLE_SOURCE_H

#include "generator/words/dialect.h"

enum { SG_MOST_SOURCES = 8 };    /* that may include each other */

typedef struct sg_table_source {
    const sg_word *words;        /* for the value type, in the order of their definitions */
    size_t word_count;
    sg_input pages[SG_MOST_SOURCES];   /* the file, and those that it includes */
    size_t page_count;
} sg_table_source;

/* file: "targets/isa/avx2.c". type: the value type of the words. named_at: the line of the table
 * that names the file. Returns false, with diagnostics, on any mistake, also in definitions for
 * other types. */
bool sg_table_source_read(sg_arena *arena, sg_diags *diags, const char *root, const char *file,
                          const char *type, sg_loc named_at, sg_table_source *out);

#endif
