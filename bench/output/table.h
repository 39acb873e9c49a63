/* table.h: a table of text with aligned columns.
 *
 * Cells are added row by row, from the left; the first row is the heading. A column is as wide as
 * its widest cell. The first `words` columns are aligned to the left, as words, the others to the
 * right, as numbers.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stddef.h>
#include <stdio.h>

typedef struct bench_table bench_table;

bench_table *bench_table_create(size_t columns, size_t words);   /* NULL: out of memory */
void bench_table_destroy(bench_table *table);                    /* NULL is fine */

/* Unprintable letters are escaped (common/utf8.h). If memory runs out, the cell is lost, and
 * printing reports that. */
void bench_table_add(bench_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void bench_table_print(const bench_table *table, FILE *out);

#endif
