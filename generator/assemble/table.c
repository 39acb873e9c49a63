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
    sg_text text = sg_text_in(arena);

    for (const char *const *command = folder->commands; *command; command++)
        sg_text_printf(&text, "%s%s", text.length ? "\n *     " : "",
                       sg_in_comment(arena, *command));
    return text.data;
}

static void table_banner(sg_text *out, const sg_emission *e, const char *file, const char *what)
{
    sg_banner_open(out, file, sg_arena_printf(out->arena, "%s for %s", what, e->folder.title),
                   command_lines(out->arena, &e->folder));
}

/* The include guard is the table's name, not in capitals, and _H. */
static void table_header(sg_text *out, const sg_emission *e, const sg_module *const *modules,
                         const char *file)
{
    const char *table = e->folder.table;

    table_banner(out, e, file, "the modules");
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
                   "\n", table, table, table);
    for (size_t i = 0; i < e->module_count; i++)
        sg_text_printf(out, "extern const spmv_module %s;\n", modules[i]->variant->symbol);
    sg_text_printf(out,
                   "\n"
                   "extern const spmv_module *const %s[];\n"
                   "\n"
                   "#ifdef __cplusplus\n"
                   "}\n"
                   "#endif\n"
                   "#endif\n", table);
}

static void table_entries(sg_text *out, const sg_emission *e, const sg_module *const *modules,
                          const char *name)
{
    sg_text_printf(out, "const spmv_module *const %s[] = {\n", name);
    for (size_t i = 0; i < e->module_count; i++)
        sg_text_printf(out, "    &%s,\n", modules[i]->variant->symbol);
    sg_text_append(out, "    NULL,\n};\n");
}

static void table_source(sg_text *out, const sg_emission *e, const sg_module *const *modules,
                         const char *file, const char *header)
{
    table_banner(out, e, file, "the table of modules");
    sg_text_printf(out,
                   " * Compile with SPMV_MODULE_TABLE_EXPORT defined for a shared object of "
                   "modules:\n"
                   " * spmv_device_load_modules looks for the name spmv_module_table.\n"
                   " */\n"
                   "#include \"%s\"\n"
                   "\n", header);
    table_entries(out, e, modules, e->folder.table);
    sg_text_append(out,
                   "\n"
                   "#ifdef SPMV_MODULE_TABLE_EXPORT\n"
                   "#if defined(__GNUC__)\n"
                   "__attribute__((visibility(\"default\")))\n"
                   "#endif\n"
                   "extern const spmv_module *const spmv_module_table[];\n");
    table_entries(out, e, modules, "spmv_module_table");
    sg_text_append(out, "#endif\n");
}

void sg_make_table(sg_arena *arena, sg_emission *e)
{
    const char *header_name = sg_arena_printf(arena, "%s.h", e->folder.table);
    const char *source_name = sg_arena_printf(arena, "%s.c", e->folder.table);
    const sg_module **modules = by_rank(arena, e);
    sg_text header = sg_text_in(arena), source = sg_text_in(arena);

    table_header(&header, e, modules, header_name);
    table_source(&source, e, modules, source_name, header_name);
    e->table = sg_output_make(source_name, source.data, source.length);
    e->table_header = sg_output_make(header_name, header.data, header.length);
}
