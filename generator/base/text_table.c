/* text_table.c: see text_table.h. The caller owns the cells, the arena the rows. */
#include "generator/base/text_table.h"

#include <string.h>

sg_text_table sg_text_table_in(sg_arena *arena, size_t columns)
{
    return (sg_text_table){ .arena = arena, .columns = columns };
}

void sg_text_table_row(sg_text_table *table, const char *const *cells)
{
    const size_t used = table->rows * table->columns;

    table->cells = sg_arena_grow(table->arena, table->cells, used, used + table->columns,
                                 sizeof *table->cells);
    memcpy(table->cells + used, cells, table->columns * sizeof *cells);
    table->rows++;
}

/* Counts letters, not bytes. */
static size_t width_of(const char *cell)
{
    size_t width = 0;

    for (; *cell; cell++)
        width += ((unsigned char)*cell & 0xc0) != 0x80;
    return width;
}

void sg_text_table_print(const sg_text_table *table, sg_text *out, const char *prefix)
{
    size_t *widths = sg_arena_alloc(table->arena, (table->columns + 1) * sizeof *widths);

    for (size_t i = 0; i < table->rows * table->columns; i++) {
        const size_t width = width_of(table->cells[i]);
        if (width > widths[i % table->columns])
            widths[i % table->columns] = width;
    }
    for (size_t r = 0; r < table->rows; r++) {
        size_t gap = 0;
        sg_text_append(out, prefix);
        for (size_t c = 0; c < table->columns; c++) {
            const char *cell = table->cells[r * table->columns + c];
            if (*cell)
                sg_text_printf(out, "%*s%s", (int)gap, "", cell);
            gap = (*cell ? 0 : gap) + widths[c] - width_of(cell) + (widths[c] ? 2 : 0);
        }
        sg_text_append(out, "\n");
    }
}
