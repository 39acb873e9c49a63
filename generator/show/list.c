/* list.c: the tables of --list-targets and --list-methods. Reads the data root, changes nothing. */
#include "generator/show/list.h"
#include "generator/page/target_load.h"
#include "generator/words/dialect.h"

#include "generator/base/text_table.h"

/* The forms of a template (docs/reference/dialects.md). */
static const char *const forms[] = { "simd", "simt" };

bool sg_list_targets(sg_arena *arena, sg_diags *diags, const char *root, sg_text *out)
{
    const size_t errors = sg_diags_error_count(diags);
    sg_text_table table = sg_text_table_in(arena, 4);
    size_t count = 0;
    const char *const *names = sg_target_list(arena, diags, root, &count);

    sg_text_table_row(&table, (const char *[]){ "TARGET", "BACKEND", "ISA", "DEVICE" });
    for (size_t i = 0; i < count; i++) {
        const sg_target *target = sg_target_load(arena, diags, root, names[i]);
        if (!target)
            continue;
        const char *backend = sg_target_string(target, "backend");
        const char *note = sg_dialect_exists(root, backend) ? "" : " (cannot be emitted yet)";
        const char *device = sg_arena_printf(arena, "%s%s", sg_target_string(target, "description"),
                                             note);
        sg_text_table_row(&table, (const char *[]){ names[i], backend,
                                                    sg_target_string(target, "isa"), device });
    }
    sg_text_table_print(&table, out, "");
    return sg_diags_error_count(diags) == errors;
}

void sg_list_methods(sg_arena *arena, const sg_catalog *catalog, sg_text *out)
{
    sg_text_table table = sg_text_table_in(arena, 4);

    sg_text_table_row(&table, (const char *[]){ "METHOD", "FORMS", "TITLE", "SOURCE" });
    for (size_t i = 0; i < catalog->method_count; i++) {
        const sg_method *method = catalog->methods[i];
        sg_text found = sg_text_in(arena);
        for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++)
            if (sg_method_has_form(method, catalog->root, forms[f]))
                sg_text_printf(&found, "%s%s", found.length ? "," : "", forms[f]);
        const char *shown = found.length ? found.data : "none yet";
        sg_text_table_row(&table, (const char *[]){ method->name, shown, method->title,
                                                 method->source });
    }
    sg_text_table_print(&table, out, "");
}
