/* kernel_resources.c: see kernel_resources.h. */
#include "generator/verify/kernel_resources.h"

#include <inttypes.h>
#include <string.h>

#include "generator/base/text_table.h"

enum { METHOD, KERNEL, TYPES, FIRST_METRIC, MOST_CELLS = FIRST_METRIC + SG_METRICS + 1 };

typedef struct row {
    const sg_kernel_resources *resources;    /* of the first kernel that the row stands for */
    sg_text types;
} row;

static bool has_occupancy(const sg_kernel_resources *resources)
{
    return resources->occupancy.most > 0;
}

static bool is_of_group(const sg_kernel_resources *a, const sg_kernel_resources *b)
{
    const sg_variant *x = a->module->variant, *y = b->module->variant;

    return x->method == y->method && x->value == y->value;
}

static bool is_equal(const sg_kernel_resources *a, const sg_kernel_resources *b)
{
    for (size_t i = 0; i < SG_METRICS; i++)
        if (a->metrics.value[i] != b->metrics.value[i])
            return false;
    return !strcmp(a->kernel, b->kernel);
}

/* Rows of one kernel stand together, in the order of the text. */
static size_t add_row(sg_arena *arena, row *rows, size_t count,
                      const sg_kernel_resources *resources)
{
    const sg_variant *variant = resources->module->variant;
    size_t at = count;

    for (size_t i = 0; i < count; i++) {
        if (is_equal(rows[i].resources, resources)) {
            sg_text_printf(&rows[i].types, ", %s", variant->offset->name);
            return count;
        }
        if (!strcmp(rows[i].resources->kernel, resources->kernel))
            at = i + 1;
    }
    memmove(rows + at + 1, rows + at, (count - at) * sizeof *rows);
    rows[at] = (row){ resources, sg_text_in(arena) };
    sg_text_printf(&rows[at].types, "%s %s", variant->value->name, variant->offset->name);
    return count + 1;
}

static void put_titles(const sg_compiler *compiler, const sg_kernel_resources *resources,
                       sg_text_table *table)
{
    const char *cells[MOST_CELLS] = { "METHOD", "KERNEL", "TYPES" };
    size_t used = FIRST_METRIC;

    for (size_t i = 0; i < SG_METRICS; i++)
        if (compiler->metrics[i].line && i != SG_WAVES)
            cells[used++] = compiler->metrics[i].title;
    if (has_occupancy(resources)) {
        cells[used++] = "waves";
        cells[used++] = "limited by";
    }
    *table = sg_text_table_in(table->arena, used);
    sg_text_table_row(table, cells);
}

static void put_row(const row *r, bool is_first, sg_text_table *table)
{
    const sg_kernel_resources *resources = r->resources;
    const char *cells[MOST_CELLS] = { is_first ? resources->module->variant->method->name : "",
                                      resources->kernel, r->types.data };
    size_t used = FIRST_METRIC;

    for (size_t i = 0; i < SG_METRICS; i++)
        if (resources->metrics.known[i] && i != SG_WAVES)
            cells[used++] = sg_arena_printf(table->arena, "%" PRId64, resources->metrics.value[i]);
    if (has_occupancy(resources)) {
        cells[used++] = sg_arena_printf(table->arena, "%" PRId64 " of %" PRId64,
                                        resources->occupancy.waves, resources->occupancy.most);
        cells[used++] = resources->occupancy.limit;
    }
    sg_text_table_row(table, cells);
}

void sg_kernel_resources_print(sg_arena *arena, const sg_compiler *compiler,
                               const sg_kernel_resources *resources, size_t count, sg_text *out)
{
    row *rows = sg_arena_alloc(arena, (count + 1) * sizeof *rows);
    sg_text_table table = sg_text_table_in(arena, 0);

    if (!count)
        return;
    put_titles(compiler, resources, &table);
    for (size_t begin = 0, end; begin < count; begin = end) {
        size_t used = 0;
        for (end = begin; end < count && is_of_group(&resources[begin], &resources[end]); end++)
            used = add_row(arena, rows, used, &resources[end]);
        for (size_t i = 0; i < used; i++)
            put_row(&rows[i], i == 0, &table);
    }
    sg_text_table_print(&table, out, "  ");
}
