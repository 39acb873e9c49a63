/* table.c: see table.h. */
#include "bench/output/table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

typedef char cell[96];

struct bench_table {
    size_t columns, words, count, space;
    cell *cells;
    bool lost;
};

bench_table *bench_table_create(size_t columns, size_t words)
{
    bench_table *table = calloc(1, sizeof *table);

    if (table) {
        table->columns = columns;
        table->words = words;
    }
    return table;
}

void bench_table_destroy(bench_table *table)
{
    if (!table)
        return;
    free(table->cells);
    free(table);
}

void bench_table_add(bench_table *table, const char *format, ...)
{
    va_list args;
    cell text;

    if (!table)
        return;
    if (table->count == table->space) {
        const size_t space = table->space * 2 + 64;
        cell *grown = realloc(table->cells, space * sizeof *grown);
        if (!grown) {
            table->lost = true;
            return;
        }
        table->cells = grown;
        table->space = space;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sg_make_printable(table->cells[table->count++], sizeof(cell), text);
}

static size_t column_width(const bench_table *table, size_t column)
{
    size_t width = 0;

    for (size_t i = column; i < table->count; i += table->columns) {
        const size_t length = strlen(table->cells[i]);
        if (length > width)
            width = length;
    }
    return width;
}

void bench_table_print(const bench_table *table, FILE *out)
{
    if (!table || table->lost)
        fputs("(part of this table was lost: out of memory)\n", out);
    for (size_t i = 0; table && i < table->count; i++) {
        const size_t column = i % table->columns;
        const bool last = column + 1 == table->columns || i + 1 == table->count;
        const int width = (int)column_width(table, column);
        fprintf(out, "%*s%s", column < table->words ? -width : width, table->cells[i],
                last ? "\n" : "  ");
    }
}
