/* state.c: reads and words the files of DIR/.spmvgen/. Writes nothing itself (write.h). */
#include "generator/emit/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "build_hash.h"
#include "generator/base/hash.h"
#include "generator/base/text.h"

#define IGNORE ".gitignore"
#define GENERATOR "generator"
#define ANNOUNCED "announced"

enum { LARGEST_STATE = 16 << 20, HASH_DIGITS = 16 };

/* ---- reading ------------------------------------------------------------------------------- */

static const char *path_of(sg_arena *arena, const char *dir, const char *file)
{
    return sg_path_join(arena, sg_path_join(arena, dir, SG_STATE_DIR), file);
}

static const char *read_file(sg_arena *arena, const char *dir, const char *file)
{
    const char *text = "";
    size_t length;

    sg_read_file(arena, path_of(arena, dir, file), LARGEST_STATE, &text, &length);
    return text;
}

/* Lines "HASH NAME"; any other line is no announcement. */
static void read_announced(sg_arena *arena, const char *text, sg_state *out)
{
    size_t lines = 1;

    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    sg_input *pages = sg_arena_alloc(arena, lines * sizeof *pages);
    for (const char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        if (strspn(line, "0123456789abcdef") != HASH_DIGITS || line[HASH_DIGITS] != ' ')
            continue;
        const char *name = line + HASH_DIGITS + 1;
        name = sg_arena_strndup(arena, name, (size_t)(end - name));
        if (sg_is_plain_name(name))
            pages[out->announced_count++] = (sg_input){ name, strtoull(line, NULL, 16) };
    }
    out->announced = pages;
}

void sg_state_read(sg_arena *arena, const char *dir, sg_state *out)
{
    const char *const *names = NULL;
    size_t count = 0;

    *out = (sg_state){ .generator = read_file(arena, dir, GENERATOR), .is_settled = true };
    sg_list_dir(arena, sg_path_join(arena, dir, SG_STATE_DIR), &names, &count);
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

bool sg_state_is_seen(sg_arena *arena, const sg_state *state, uint64_t manifest_hash)
{
    return state->is_settled && !strcmp(state->generator, generator_text(arena, manifest_hash));
}

bool sg_state_vouches(const sg_state *state, const char *file, const char *text, size_t length)
{
    const uint64_t hash = state->announced_count ? sg_hash_bytes(text, length) : 0;

    for (size_t i = 0; i < state->announced_count; i++)
        if (state->announced[i].hash == hash && !strcmp(state->announced[i].file, file))
            return true;
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static sg_write write_of(sg_arena *arena, const char *dir, const char *file, const char *text)
{
    return (sg_write){ .path = path_of(arena, dir, file), .text = text,
                       .length = text ? strlen(text) : 0 };
}

void sg_state_announce(sg_arena *arena, const char *dir, const sg_input *pages, size_t count,
                       sg_write out[SG_STATE_WRITES])
{
    sg_text text = sg_text_in(arena);

    for (size_t i = 0; i < count; i++)
        sg_text_printf(&text, "%016" PRIx64 " %s\n", pages[i].hash, pages[i].file);
    out[0] = write_of(arena, dir, IGNORE, "*\n");
    out[1] = write_of(arena, dir, ANNOUNCED, text.data);
}

void sg_state_settle(sg_arena *arena, const char *dir, uint64_t manifest_hash,
                     sg_write out[SG_STATE_SETTLE_WRITES])
{
    out[0] = write_of(arena, dir, IGNORE, "*\n");
    out[1] = write_of(arena, dir, GENERATOR, generator_text(arena, manifest_hash));
    out[2] = write_of(arena, dir, ANNOUNCED, NULL);
}
