/* journal.c: reads the files of DIR/.spmvgen/, and makes their text. Writes nothing. */
#include "generator/outputs/journal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "build_hash.h"
#include "generator/base/hash.h"
#include "generator/base/text.h"

#define IGNORE ".gitignore"
#define GENERATOR "generator"
#define ANNOUNCED "announced"

enum { LARGEST_JOURNAL = 16 << 20, HASH_DIGITS = 16 };

/* ---- reading ------------------------------------------------------------------------------- */

static const char *path_of(sg_arena *arena, const char *dir, const char *file)
{
    return sg_path_join(arena, sg_path_join(arena, dir, SG_JOURNAL_DIR), file);
}

static const char *read_file(sg_arena *arena, const char *dir, const char *file)
{
    const char *text = "";
    size_t length;

    sg_read_file(arena, path_of(arena, dir, file), LARGEST_JOURNAL, &text, &length);
    return text;
}

/* Reads lines "HASH NAME" and skips all others. */
static void read_announced(sg_arena *arena, const char *text, sg_journal *out)
{
    size_t lines = 1;

    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    sg_input *files = sg_arena_alloc(arena, lines * sizeof *files);
    for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        if (strspn(line, "0123456789abcdef") != HASH_DIGITS || line[HASH_DIGITS] != ' ')
            continue;
        const char *name = line + HASH_DIGITS + 1;
        name = sg_arena_strndup(arena, name, (size_t)(end - name));
        if (sg_is_plain_name(name))
            files[out->announced_count++] = (sg_input){ name, strtoull(line, NULL, 16) };
    }
    out->announced = files;
}

void sg_journal_read(sg_arena *arena, const char *dir, sg_journal *out)
{
    const char *const *names = NULL;
    size_t count = 0;

    *out = (sg_journal){ .generator = read_file(arena, dir, GENERATOR), .is_settled = true };
    sg_list_dir(arena, sg_path_join(arena, dir, SG_JOURNAL_DIR), &names, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], IGNORE) && strcmp(names[i], GENERATOR))
            out->is_settled = false;
    read_announced(arena, read_file(arena, dir, ANNOUNCED), out);
}

static const char *generator_text(sg_arena *arena, uint64_t manifest_hash)
{
    return sg_arena_printf(arena, "sources %s\nmanifest %016" PRIx64 "\n", SG_BUILD_HASH,
                           manifest_hash);
}

bool sg_journal_is_seen(sg_arena *arena, const sg_journal *journal, uint64_t manifest_hash)
{
    return journal->is_settled && !strcmp(journal->generator, generator_text(arena, manifest_hash));
}

bool sg_journal_matches(const sg_journal *journal, const char *file, const char *text,
                        size_t length)
{
    const uint64_t hash = journal->announced_count ? sg_hash_bytes(text, length) : 0;

    for (size_t i = 0; i < journal->announced_count; i++)
        if (journal->announced[i].hash == hash && !strcmp(journal->announced[i].file, file))
            return true;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static sg_write write_of(sg_arena *arena, const char *dir, const char *file, const char *text)
{
    return (sg_write){ .path = path_of(arena, dir, file), .text = text,
                       .length = text ? strlen(text) : 0 };
}

void sg_journal_announce(sg_arena *arena, const char *dir, const sg_input *files, size_t count,
                         sg_write out[SG_JOURNAL_WRITES])
{
    sg_text text = sg_text_in(arena);

    for (size_t i = 0; i < count; i++)
        sg_text_printf(&text, "%016" PRIx64 " %s\n", files[i].hash, files[i].file);
    out[0] = write_of(arena, dir, IGNORE, "*\n");
    out[1] = write_of(arena, dir, ANNOUNCED, text.data);
}

void sg_journal_finish(sg_arena *arena, const char *dir, uint64_t manifest_hash,
                       sg_write out[SG_JOURNAL_FINISH_WRITES])
{
    out[0] = write_of(arena, dir, IGNORE, "*\n");
    out[1] = write_of(arena, dir, GENERATOR, generator_text(arena, manifest_hash));
    out[2] = write_of(arena, dir, ANNOUNCED, NULL);
}
