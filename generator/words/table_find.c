/* table_find.c: finds the files of tables. */
#include "common/did_you_mean.h"
#include "generator/base/data_files.h"
#include "generator/words/table.h"
#include "generator/base/text.h"

/* The folder under targets/, and the name of its files in messages. */
static const struct {
    sg_table_kind kind;
    const char *folder, *what;
} kinds[] = {
    { SG_DIALECT_TABLE, "targets/dialects", "dialect" },
    { SG_ISA_TABLE, "targets/isa", "instruction set" },
    { SG_COMPILER_TABLE, "targets/compilers", "compiler" },
};

static size_t kind_index(sg_table_kind kind)
{
    size_t i = 0;

    while (kinds[i].kind != kind)
        i++;
    return i;
}

const char *sg_table_file(sg_arena *arena, sg_table_kind kind, const char *name)
{
    if (!sg_is_data_file_name(name))
        return NULL;
    return sg_arena_printf(arena, "%s/%s.lua", kinds[kind_index(kind)].folder, name);
}

bool sg_table_exists(sg_diags *diags, const char *root, sg_table_kind kind, const char *name,
                     sg_loc named_at)
{
    sg_arena *arena = sg_arena_create();
    const char *folder = kinds[kind_index(kind)].folder;
    const char *file = sg_table_file(arena, kind, name);
    const bool found = file && sg_is_file(sg_path_join(arena, root, file));
    size_t count = 0;
    char hint[100];

    if (!found) {
        const char *const *names =
            sg_data_file_names(arena, sg_path_join(arena, root, folder), &count);
        sg_text all = sg_text_in(arena);
        for (size_t i = 0; i < count; i++)
            sg_text_printf(&all, "%s%s", i ? ", " : "", names[i]);
        sg_diag(diags, SG_ERROR, named_at, "there is no %s '%s' in %s/, which has %s%s",
                kinds[kind_index(kind)].what, name, folder, count ? all.data : "none",
                sg_did_you_mean(hint, sizeof hint, name, names, count));
    }
    sg_arena_destroy(arena);
    return found;
}
