/* dialect.c: merges the tables of a dialect and an instruction set (dialect.h). */
#include "generator/words/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "common/did_you_mean.h"
#include "generator/base/name_set.h"
#include "generator/base/data_files.h"
#include "generator/words/table_load.h"
#include "generator/base/text.h"
#include "generator/base/value_types.h"

bool sg_dialect_exists(const char *root, const char *name)
{
    sg_arena *arena = sg_arena_create();
    const char *file = sg_table_file(arena, SG_DIALECT_TABLE, name);
    const bool found = file && sg_is_file(sg_path_join(arena, root, file));

    sg_arena_destroy(arena);
    return found;
}

const char *sg_dialect_form(sg_arena *arena, const char *root, const char *name)
{
    sg_diags *silent = sg_diags_create(root);
    sg_table language;

    /* The form is the same for every type; any will do. */
    const bool found = sg_dialect_exists(root, name) &&
                       sg_table_load(arena, silent, root, SG_DIALECT_TABLE, name,
                                     sg_value_type_names[0], &language);
    sg_diags_destroy(silent);
    return found ? language.form : NULL;
}

const char *sg_dialect_hint(char *buffer, size_t size, const char *root, const char *name)
{
    sg_arena *arena = sg_arena_create();
    size_t count = 0;
    const char *const *names =
        sg_data_file_names(arena, sg_path_join(arena, root, "targets/dialects"), &count);

    sg_did_you_mean(buffer, size, name, names, count);
    sg_arena_destroy(arena);
    return buffer;
}

bool sg_isa_exists(sg_diags *diags, const char *root, const char *name, sg_loc named_at)
{
    return sg_table_exists(diags, root, SG_ISA_TABLE, name, named_at);
}

static const sg_fixed *find_fixed(const sg_table *table, const char *name)
{
    for (size_t i = 0; i < table->fixed_count; i++)
        if (!strcmp(table->fixed[i].name, name))
            return &table->fixed[i];
    return NULL;
}

static int compare_fixed(const void *a, const void *b)
{
    return strcmp(((const sg_fixed *)a)->name, ((const sg_fixed *)b)->name);
}

/* The isa's fixed parameters, and the dialect's for parameters that the isa does not name. */
static const sg_fixed *merge_fixed(sg_arena *arena, const sg_table *isa, const sg_table *dialect,
                                   size_t *count)
{
    sg_fixed *fixed =
        sg_arena_alloc(arena, (isa->fixed_count + dialect->fixed_count + 1) * sizeof *fixed);
    size_t used = 0;

    for (size_t i = 0; i < isa->fixed_count; i++)
        if (!isa->fixed[i].is_free)
            fixed[used++] = isa->fixed[i];
    for (size_t i = 0; i < dialect->fixed_count; i++)
        if (!find_fixed(isa, dialect->fixed[i].name))
            fixed[used++] = dialect->fixed[i];
    if (used)
        qsort(fixed, used, sizeof *fixed, compare_fixed);
    *count = used;
    return fixed;
}

/* The isa's arguments come last, since the last of contradicting arguments wins in Clang. */
static const char *const *join_args(sg_arena *arena, const char *const *dialect,
                                    const char *const *isa)
{
    const size_t first = sg_list_length(dialect), second = sg_list_length(isa);
    const char **args = sg_arena_grow(arena, dialect, first, first + second + 1, sizeof *args);

    memcpy(args + first, isa, second * sizeof *args);
    return args;
}

/* The tables, then the other files that they were read from. isa: NULL for none. */
static const sg_input *list_files(sg_arena *arena, const sg_table *dialect, const sg_table *isa,
                                 size_t *count)
{
    const sg_table *const tables[] = { dialect, isa };
    size_t most = 2;

    for (size_t t = 0; t < 2 && tables[t]; t++)
        most += tables[t]->more_count;
    sg_input *files = sg_arena_alloc(arena, most * sizeof *files);
    for (size_t t = 0; t < 2 && tables[t]; t++)
        files[(*count)++] = tables[t]->page;
    for (size_t t = 0; t < 2 && tables[t]; t++)
        for (size_t i = 0; i < tables[t]->more_count; i++)
            files[(*count)++] = tables[t]->more[i];
    return files;
}

const sg_lowering *sg_lowering_load(sg_arena *arena, sg_diags *diags, const char *root,
                                    const char *dialect, const char *isa, const char *type)
{
    static const char *const no_names[] = { NULL };
    sg_table language, set = { .name = "", .preamble = "", .usable = "", .condition = "",
                               .begin_functions = "", .end_functions = "",
                               .build_options = "", .parse_args = no_names,
                               .cpu_flags = no_names, .extensions = no_names };
    const sg_lowering *host = NULL;
    const bool has_isa = *isa != '\0';

    if (!sg_table_load(arena, diags, root, SG_DIALECT_TABLE, dialect, type, &language))
        return NULL;
    if (has_isa && !sg_table_load(arena, diags, root, SG_ISA_TABLE, isa, type, &set))
        return NULL;

    if (*language.host_dialect) {
        host = sg_lowering_load(arena, diags, root, language.host_dialect, language.host_isa, type);
        if (!host)
            return NULL;
    }

    sg_lowering *out = sg_arena_alloc(arena, sizeof *out);
    size_t file_count = 0;
    const sg_input *files = list_files(arena, &language, has_isa ? &set : NULL, &file_count);
    *out = (sg_lowering){
        .dialect = language.name,
        .isa = set.name,
        .form = language.form,
        .extension = language.extension,
        .parse_language = language.parse_language,
        .parse_args = join_args(arena, language.parse_args, set.parse_args),
        .parse_prefix = language.parse_prefix,
        .preamble = sg_arena_printf(arena, "%s%s%s", language.preamble, set.preamble,
                                    set.begin_functions),
        .condition = set.condition,
        .dialect_preamble = language.preamble,
        .isa_preamble = set.preamble,
        .begin_functions = set.begin_functions,
        .end_functions = set.end_functions,
        .postamble = sg_arena_printf(arena, "%s%s", set.end_functions, language.postamble),
        .build_options = *set.build_options ? set.build_options : language.build_options,
        .host = host,
        .bundle = language.bundle,
        .usable = set.usable,
        .cpu_flags = set.cpu_flags,
        .extensions = set.extensions,
        .prelude_bodies = language.prelude_bodies,
        .rounds_once = language.rounds_once || set.rounds_once,
        .least = language.least,
        .files = files,
        .file_count = file_count,
    };
    out->fixed = merge_fixed(arena, &set, &language, &out->fixed_count);
    out->words = sg_table_merge_words(arena, &set, &language, &out->word_count);
    return out;
}

const char *const *sg_isa_cpu_flags(sg_arena *arena, sg_diags *diags, const char *root,
                                    const char *isa)
{
    sg_table set;

    /* The flags are the same for every type; any will do. */
    if (!sg_table_load(arena, diags, root, SG_ISA_TABLE, isa, sg_value_type_names[0], &set))
        return NULL;
    return set.cpu_flags;
}
