/* text_table.h: rows of cells, printed in aligned columns. */
#ifndef SG_TEXT_TABLE_H
#define SG_TEXT_TABLE_H

#include "generator/base/text.h"

typedef struct sg_text_table {
    sg_arena *arena;
    size_t columns, rows;
    const char **cells;          /* rows * columns of them */
} sg_text_table;

sg_text_table sg_text_table_in(sg_arena *arena, size_t columns);

/* Adds a row of `columns` cells: sg_text_table_row(&t, (const char *[]){ "a", "b" }). */
void sg_text_table_row(sg_text_table *table, const char *const *cells);

/* Prints each row on its own line behind the prefix, without trailing spaces. */
void sg_text_table_print(const sg_text_table *table, sg_text *out, const char *prefix);

#endif
