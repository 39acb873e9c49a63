/* subprocess.c: see subprocess.h. Several threads may run one each at once. */
#include "generator/verify/subprocess.h"

#include <errno.h>
#include <string.h>

#include "generator/base/name_set.h"
#include "generator/base/temporary.h"

enum { LARGEST_OUTPUT = 64 << 20, SHOWN_BYTES = 2000 };

/* ---- the program ----------------------------------------------------------------------------- */

static char **words_of(sg_arena *arena, const char *const *command, const char *file,
                       const char *dir)
{
    const size_t count = sg_list_length(command);
    char **words = sg_arena_alloc(arena, (count + 1) * sizeof *words);

    for (size_t i = 0; i < count; i++)
        words[i] = sg_arena_strdup(arena, sg_compiler_word(
            arena, sg_compiler_word(arena, command[i], "$FILE", file), "$DIR", dir));
    return words;
}

/* Appends a file's bytes to log, with line feeds in place of zero bytes. */
static bool append_file(sg_arena *arena, const char *path, sg_text *log)
{
    const char *text;
    size_t size = 0;

    if (sg_read_file(arena, path, LARGEST_OUTPUT, &text, &size))
        return false;
    const size_t begin = log->length;
    sg_text_append_bytes(log, text, size);
    for (size_t i = begin; i < log->length; i++)
        if (!log->data[i])
            log->data[i] = '\n';
    sg_text_append(log, "\n");
    return true;
}

static sg_compiled run_in(sg_arena *arena, sg_diags *diags, const sg_compiler *compiler,
                          const sg_parse_file *unit, const char *dir, sg_text *log)
{
    const sg_loc at = { unit->name, 0, 0 };
    const char *file = sg_path_join(arena, dir, unit->name);
    const char *printed = sg_path_join(arena, dir, "printed");
    const char *text = sg_arena_printf(arena, "%s%s", compiler->prefix, unit->text);
    char **words = words_of(arena, compiler->command, file, dir);

    if (!sg_temporary_put(file, text, strlen(text))) {
        sg_diag(diags, SG_ERROR, at, "%s cannot be written: %s", file, strerror(errno));
        return SG_NO_COMPILER;
    }
    const int status = sg_temporary_run(words, printed);
    if (status < 0 || status == 127) {
        sg_diag(diags, SG_ERROR, (sg_loc){ compiler->page.file, 0, 0 },
                "the program '%s' cannot be run: %s; %s", words[0],
                status < 0 ? strerror(errno) : "exit code 127", compiler->install);
        return SG_NO_COMPILER;
    }
    append_file(arena, printed, log);
    if (status ||
        (*compiler->output && !append_file(arena, sg_path_join(arena, dir, compiler->output),
                                           log))) {
        const char *what = sg_arena_printf(arena, "%s ends with exit code %d%s", compiler->title,
                                           status, status ? "" : " and without its output");
        sg_diag_log(diags, at, what, log->data,
                    log->length < SHOWN_BYTES ? log->length : SHOWN_BYTES);
        return SG_NOT_COMPILED;
    }
    return SG_COMPILED;
}

sg_compiled sg_subprocess_compile(sg_arena *arena, sg_diags *diags, const sg_compiler *compiler,
                                  const sg_parse_file *unit, sg_text *log)
{
    const char *dir = sg_temporary_folder(arena);

    if (!dir) {
        sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "no folder for %s can be made in TMPDIR, else /tmp"
                ": %s", compiler->title, strerror(errno));
        return SG_NO_COMPILER;
    }
    const sg_compiled done = run_in(arena, diags, compiler, unit, dir, log);
    sg_temporary_remove(arena, dir);
    return done;
}
