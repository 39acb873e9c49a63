/* table_merge.c: merges a table with its C file and with the table that it inherits. */
#include <stdlib.h>
#include <string.h>

#include "generator/base/data_files.h"
#include "generator/base/hash.h"
#include "generator/words/table_reader.h"
#include "generator/words/table_source.h"
#include "generator/base/text.h"

static void add_pages(sg_table_reader *r, const sg_input *pages, size_t count)
{
    sg_input *more = sg_arena_grow(r->arena, r->out->more, r->out->more_count,
                                  r->out->more_count + count, sizeof *more);

    for (size_t i = 0; i < count; i++)
        more[r->out->more_count++] = pages[i];
    r->out->more = more;
}

/* ---- C files beside a table ------------------------------------------------------------------ */

/* "avx2.c" gives "targets/isa/avx2.c". */
void sg_table_read_source(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    const char *name = sg_table_text(r, L, path);

    if (!sg_is_data_file_name(name) || sg_ends_with(name, ".lua"))
        sg_table_fail(r, path, "expected the name of a C file beside the table, found \"%s\"",
                      name);
    *(const char **)field = sg_path_join(r->arena, sg_path_dir(r->arena, r->file), name);
}

/* The text between the lines of the include guard; NULL if there are none. */
static const char *guarded_text(sg_arena *arena, const char *text)
{
    const char *begin = strstr(text, "\n#define "), *end = NULL;

    begin = begin ? strchr(begin + 1, '\n') : NULL;
    for (const char *at = begin; at && (at = strstr(at, "\n#endif")) != NULL; at++)
        end = at;
    while (begin && end && end > begin && end[-1] == '\n')
        end--;
    return begin && end ? sg_arena_strndup(arena, begin + 1, (size_t)(end - begin)) : NULL;
}

void sg_table_read_preamble_header(sg_table_reader *r, lua_State *L, const char *path, void *field)
{
    const char *text, *file;
    size_t length;

    sg_table_read_source(r, L, path, &file);
    if (r->failed)
        return;
    const int error = sg_read_file(r->arena, sg_path_join(r->arena, r->root, file),
                                   SG_LARGEST_INPUT, &text, &length);
    if (error) {
        sg_table_fail(r, path, "cannot read %s: %s", file, sg_read_error(error));
        return;
    }
    const sg_input page = { file, sg_hash_bytes(text, length) };
    add_pages(r, &page, 1);
    text = guarded_text(r->arena, text);
    if (!text)
        sg_table_fail(r, path, "expected a header in an include guard; %s has none", file);
    else
        *(const char **)field = sg_arena_printf(r->arena, "%s%s", *(const char **)field, text);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(((const sg_word *)a)->name, ((const sg_word *)b)->name);
}

void sg_table_add_source(sg_table_reader *r)
{
    sg_table *out = r->out;
    sg_table_source source;

    if (!sg_table_source_read(r->arena, r->diags, r->root, out->source, r->type,
                              sg_table_place(r, "source"), &source)) {
        r->failed = true;
        return;
    }
    sg_word *words = sg_arena_grow(r->arena, out->words, out->word_count,
                                   out->word_count + source.word_count + 1, sizeof *words);
    for (size_t i = 0; i < source.word_count; i++) {
        for (size_t k = 0; k < out->word_count; k++)
            if (!strcmp(words[k].name, source.words[i].name)) {
                r->failed = true;
                sg_diag(r->diags, SG_ERROR, words[k].loc, "'%s' has a text here and a helper in %s",
                        words[k].name, out->source);
                sg_diag(r->diags, SG_NOTE, source.words[i].loc, "the helper is here");
            }
        words[out->word_count + i] = source.words[i];
        words[out->word_count + i].of_isa = r->kind == SG_ISA_TABLE;
    }
    out->words = words;
    out->word_count += source.word_count;
    if (out->word_count)
        qsort(words, out->word_count, sizeof *words, compare_words);
    add_pages(r, source.pages, source.page_count);
}

/* ---- inheritance ----------------------------------------------------------------------------- */

/* The heir's values win. */
static const sg_fixed *merge_fixed(sg_arena *arena, const sg_table *heir, const sg_table *base,
                                   size_t *count)
{
    sg_fixed *fixed = sg_arena_grow(arena, heir->fixed, heir->fixed_count,
                                    heir->fixed_count + base->fixed_count + 1, sizeof *fixed);

    *count = heir->fixed_count;
    for (size_t b = 0; b < base->fixed_count; b++) {
        size_t h = 0;
        while (h < heir->fixed_count && strcmp(fixed[h].name, base->fixed[b].name) != 0)
            h++;
        if (h == heir->fixed_count)
            fixed[(*count)++] = base->fixed[b];
    }
    return fixed;
}

const sg_word *sg_table_merge_words(sg_arena *arena, const sg_table *heir, const sg_table *base,
                                    size_t *count)
{
    sg_word *words =
        sg_arena_alloc(arena, (heir->word_count + base->word_count + 1) * sizeof *words);
    size_t used = 0, h = 0, b = 0;

    while (h < heir->word_count || b < base->word_count) {
        const int order = h == heir->word_count ? 1 : b == base->word_count ? -1
                          : strcmp(heir->words[h].name, base->words[b].name);
        words[used++] = order <= 0 ? heir->words[h] : base->words[b];
        h += order <= 0;
        b += order >= 0;
    }
    *count = used;
    return words;
}

void sg_table_join_base(sg_table_reader *r)
{
    const sg_table *base = r->base;
    sg_table *out = r->out;

    out->words = sg_table_merge_words(r->arena, out, base, &out->word_count);
    out->fixed = merge_fixed(r->arena, out, base, &out->fixed_count);
    out->preamble = sg_arena_printf(r->arena, "%s%s", base->preamble, out->preamble);
    out->postamble = sg_arena_printf(r->arena, "%s%s", out->postamble, base->postamble);
    add_pages(r, &base->page, 1);
    add_pages(r, base->more, base->more_count);
}
