/* diff.c: see diff.h. POSIX's diff does the work. */
#include "generator/outputs/diff.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "generator/base/text.h"
#include "generator/base/temporary.h"

enum { LARGEST_DIFF = 64 << 20, DIFFERENT = 1 };

/* Returns whether the changes were appended; else errno is 0 or says why not. */
static bool run_diff(sg_arena *arena, const char *dir, const char *path, const char *shown,
                     const char *text, size_t length, sg_text *out)
{
    const char *emitted = sg_path_join(arena, dir, "emitted");
    const char *printed = sg_path_join(arena, dir, "printed");
    char *const words[] = {
        "diff", "-a", "-u", "-L", sg_arena_printf(arena, "%s", shown), "-L",
        sg_arena_printf(arena, "%s\t(as emitted now)", shown), "--",
        sg_arena_printf(arena, "%s", path), sg_arena_printf(arena, "%s", emitted), NULL,
    };
    const char *found;
    size_t found_length;

    errno = 0;
    if (!sg_temporary_put(emitted, text, length) ||
        sg_temporary_run(words, printed) != DIFFERENT ||
        sg_read_file(arena, printed, LARGEST_DIFF, &found, &found_length))
        return false;
    sg_text_append_bytes(out, found, found_length);
    return true;
}

void sg_diff(sg_arena *arena, sg_diags *diags, const char *path, const char *shown,
             const char *text, size_t length, sg_text *out)
{
    const char *dir = sg_temporary_folder(arena);
    const bool done = dir && run_diff(arena, dir, path, shown, text, length, out);
    const int error = errno;

    if (dir)
        sg_temporary_remove(arena, dir);
    if (done)
        return;
    sg_text_printf(out, "differs: %s\n", shown);
    sg_diag(diags, SG_WARNING, (sg_loc){ path, 0, 0 }, "the program 'diff' cannot show how it "
            "differs%s%s; it needs a folder in TMPDIR, else in /tmp (Debian: diffutils)",
            error ? ": " : "", error ? strerror(error) : "");
}
