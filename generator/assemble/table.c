/* table.c: see passes.h. Pure functions; all memory is the arena's. */
#include "generator/assemble/passes.h"

#include <stdlib.h>
#include <string.h>

#include "generator/assemble/banner.h"

static int compare_modules(const void *a, const void *b)
{
    const sg_module *x = *(const sg_module *const *)a, *y = *(const sg_module *const *)b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? 1 : -1;
    return strcmp(x->variant->symbol, y->variant->symbol);
}

/* The highest rank first: the first usable module of a method and types is the best. */
static const sg_module **by_rank(sg_arena *arena, const sg_emission *e)
{
    const sg_module **modules = sg_arena_alloc(arena, e->module_count * sizeof *modules);

    for (size_t i = 0; i < e->module_count; i++)
        modules[i] = &e->modules[i];
    qsort(modules, e->module_count, sizeof *modules, compare_modules);
    return modules;
}

static const char *command_lines(sg_arena *arena, const sg_folder *folder)
{
    static const char indent[] = " *     ";
    const bool is_of_several = sg_folder_table_of(arena, folder, folder->plans[0].target) != NULL;
    sg_text text = sg_text_in(arena);

    for (const char *const *command = folder->commands; *command; command++) {
        const bool is_long = strlen(indent) + strlen(*command) > SG_COLUMNS;
        if (text.length)
            sg_text_printf(&text, "\n%s", indent);
        sg_text_append(&text, is_of_several && is_long
                                  ? sg_command_lines(arena, *command, indent)
                                  : sg_in_comment(arena, *command));
    }
    return text.data;
}

/* A list of modules. */
typedef struct module_table {
    const char *name;            /* "spmv_modules__zen4" */
    const char *title;           /* the targets */
    const sg_module **modules;
    size_t count;
    bool is_whole;               /* of all modules of the folder */
} module_table;

static void table_banner(sg_text *out, const sg_folder *folder, const module_table *table,
                         const char *file, const char *what)
{
    sg_banner_open(out, file, sg_arena_printf(out->arena, "%s for %s", what, table->title),
                   command_lines(out->arena, folder));
}

/* The include guard is the table's name, not in capitals, and _H. */
static void table_header(sg_text *out, const sg_folder *folder, const module_table *table,
                         const char *file)
{
    table_banner(out, folder, table, file, "the modules");
    sg_text_printf(out,
                   " * %s has all modules, the highest rank first, then NULL: the first\n"
                   " * usable() one of a method and of types is the best. spmv_module.h says how "
                   "to run\n"
                   " * one.\n"
                   " */\n"
                   "#ifndef %s_H\n"
                   "#define %s_H\n"
                   "\n"
                   "#include \"spmv_module.h\"\n"
                   "\n"
                   "#ifdef __cplusplus\n"
                   "extern \"C\" {\n"
                   "#endif\n"
                   "\n", table->name, table->name, table->name);
    for (size_t i = 0; i < table->count; i++)
        sg_text_printf(out, "extern const spmv_module %s;\n", table->modules[i]->variant->symbol);
    sg_text_printf(out,
                   "\n"
                   "extern const spmv_module *const %s[];\n"
                   "\n"
                   "#ifdef __cplusplus\n"
                   "}\n"
                   "#endif\n"
                   "#endif\n", table->name);
}

static void table_entries(sg_text *out, const module_table *table, const char *name)
{
    sg_text_printf(out, "const spmv_module *const %s[] = {\n", name);
    for (size_t i = 0; i < table->count; i++)
        sg_text_printf(out, "    &%s,\n", table->modules[i]->variant->symbol);
    sg_text_append(out, "    NULL,\n};\n");
}

static void table_source(sg_text *out, const sg_folder *folder, const module_table *table,
                         const char *file, const char *header)
{
    table_banner(out, folder, table, file, "the table of modules");
    if (table->is_whole)
        sg_text_append(out,
                       " * Compile with SPMV_MODULE_TABLE_EXPORT defined for a shared object of "
                       "modules:\n"
                       " * spmv_device_load_modules looks for the name spmv_module_table.\n");
    sg_text_printf(out,
                   " */\n"
                   "#include \"%s\"\n"
                   "\n", header);
    table_entries(out, table, table->name);
    if (!table->is_whole)
        return;
    sg_text_append(out,
                   "\n"
                   "#ifdef SPMV_MODULE_TABLE_EXPORT\n"
                   "#if defined(__GNUC__)\n"
                   "__attribute__((visibility(\"default\")))\n"
                   "#endif\n"
                   "extern const spmv_module *const spmv_module_table[];\n");
    table_entries(out, table, "spmv_module_table");
    sg_text_append(out, "#endif\n");
}

static void add_files(sg_arena *arena, sg_emission *e, const module_table *table)
{
    const char *header = sg_arena_printf(arena, "%s.h", table->name);
    const char *source = sg_arena_printf(arena, "%s.c", table->name);
    sg_text header_text = sg_text_in(arena), source_text = sg_text_in(arena);

    table_header(&header_text, &e->folder, table, header);
    table_source(&source_text, &e->folder, table, source, header);
    e->tables[e->table_count++] = sg_output_make(source, source_text.data, source_text.length);
    e->tables[e->table_count++] = sg_output_make(header, header_text.data, header_text.length);
}

/* Of the modules, those of one target. */
static void add_own(sg_arena *arena, sg_emission *e, const sg_target *target,
                    const sg_module **modules, const char *name)
{
    module_table table = { .name = name, .title = target->name };

    table.modules = sg_arena_alloc(arena, e->module_count * sizeof *table.modules);
    for (size_t i = 0; i < e->module_count; i++)
        if (!strcmp(modules[i]->plan->target->c_name, target->c_name))
            table.modules[table.count++] = modules[i];
    add_files(arena, e, &table);
}

void sg_make_tables(sg_arena *arena, sg_emission *e)
{
    const sg_folder *folder = &e->folder;
    const module_table whole = { .name = folder->table, .title = folder->title,
                                 .modules = by_rank(arena, e), .count = e->module_count,
                                 .is_whole = true };

    e->tables = sg_arena_alloc(arena, 2 * (folder->plan_count + 1) * sizeof *e->tables);
    add_files(arena, e, &whole);
    for (size_t p = 0; p < folder->plan_count; p++) {
        const sg_target *target = folder->plans[p].target;
        const char *name = sg_folder_table_of(arena, folder, target);
        bool again = !name;
        for (size_t k = 0; k < p; k++)
            again = again || !strcmp(folder->plans[k].target->c_name, target->c_name);
        if (!again)
            add_own(arena, e, target, whole.modules, name);
    }
}
