/* compiler.c: loads a compiler's table and fills in its arguments. */
#include "generator/verify/compiler.h"

#include <string.h>

#include "generator/words/table_load.h"
#include "generator/base/name_set.h"
#include "generator/base/text.h"
#include "generator/base/value_types.h"

const char *sg_compiler_word(sg_arena *arena, const char *word, const char *mark, const char *text)
{
    const char *at = strstr(word, mark);

    return at ? sg_arena_printf(arena, "%.*s%s%s", (int)(at - word), word, text, at + strlen(mark))
              : word;
}

/* The words with the device's name for $DEVICE and the program's options for $OPTIONS. */
static const char *const *fill_in(sg_arena *arena, const char *const *words, const char *device,
                                  const char *options)
{
    if (!words)
        return NULL;
    const size_t count = sg_list_length(words);
    const char **out = sg_arena_alloc(arena, (count + 1) * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = sg_compiler_word(arena, sg_compiler_word(arena, words[i], "$DEVICE", device),
                                  "$OPTIONS", options);
    return out;
}

bool sg_compiler_load(sg_arena *arena, sg_diags *diags, const char *root, const sg_target *target,
                      const char *options, const sg_compiler **out)
{
    const sg_fact *fact = sg_target_fact(target, "compiler");
    const sg_fact *device = sg_target_fact(target, "compiler_device");
    const char *backend = sg_target_string(target, "backend");
    sg_table table;

    *out = NULL;
    if (!fact)
        return true;
    if (!sg_table_exists(diags, root, SG_COMPILER_TABLE, fact->value.string, fact->origin) ||
        !sg_table_load(arena, diags, root, SG_COMPILER_TABLE, fact->value.string,
                       sg_value_type_names[0], &table))
        return false;

    sg_compiler *compiler = sg_arena_alloc(arena, sizeof *compiler);
    *compiler = table.compiler;
    compiler->name = table.name;
    compiler->page = table.page;
    if (!device) {
        sg_diag(diags, SG_ERROR, fact->origin, "compiler = \"%s\" needs compiler_device, which "
                "says what it calls this device", compiler->name);
        return false;
    }
    if (strcmp(compiler->language, backend)) {
        sg_diag(diags, SG_ERROR, fact->origin, "expected a compiler of %s, the page's backend, "
                "found %s, which compiles %s", backend, compiler->name, compiler->language);
        return false;
    }
    if (!compiler->clang == !compiler->command) {
        sg_diag(diags, SG_ERROR, (sg_loc){ compiler->page.file, 0, 0 },
                "expected either clang = { ... } or command = { ... }, found %s",
                compiler->clang ? "both" : "neither");
        return false;
    }
    compiler->clang = fill_in(arena, compiler->clang, device->value.string, options);
    compiler->command = fill_in(arena, compiler->command, device->value.string, options);
    *out = compiler;
    return true;
}
