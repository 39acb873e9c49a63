/* table.h: a table of text whose columns line up.
 *
 * Cells are added row after row from the left; the first row is the heading. Columns are as wide as
 * their widest cell; the first `words` of them are set to the left, as words are, and the others to
 * the right, where numbers line up.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stddef.h>
#include <stdio.h>

typedef struct bench_table bench_table;

bench_table *bench_table_create(size_t columns, size_t words);   /* NULL: out of memory */
void bench_table_destroy(bench_table *table);                    /* NULL is fine */

/* Without memory the cell is lost, and printing says so. */
void bench_table_add(bench_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void bench_table_print(const bench_table *table, FILE *out);

#endif
