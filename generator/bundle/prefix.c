/* prefix.c: see prefix.h. Pure functions; all memory is the arena's. */
#include "generator/bundle/prefix.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "generator/base/c_words.h"
#include "generator/base/name_set.h"
#include "generator/base/text.h"
#include "generator/plan/plan.h"

/* How names begin in the runtime's files. */
#define NAMES "spmv_"
#define CAPITAL_NAMES "SPMV_"

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* The prefix in small letters, as it was given, or in capitals; then '_'. */
static const char *beginning(sg_arena *arena, const char *prefix, bool in_capitals)
{
    char *text = sg_arena_strdup(arena, sg_arena_printf(arena, "%s_", prefix));

    for (char *at = text; in_capitals && *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

const char *sg_bundle_renamed(sg_arena *arena, const char *text, const char *prefix)
{
    const char *small = beginning(arena, prefix, false);
    const char *capital = beginning(arena, prefix, true);
    sg_text out = sg_text_in(arena);

    if (!strcmp(prefix, SG_DEFAULT_PREFIX))
        return text;
    const char *copied = text;
    for (const char *at = text; *at; at++) {
        const bool is_small = begins(at, NAMES);
        if ((at > text && sg_is_c_letter(at[-1])) || (!is_small && !begins(at, CAPITAL_NAMES)))
            continue;
        sg_text_append_bytes(&out, copied, (size_t)(at - copied));
        sg_text_append(&out, is_small ? small : capital);
        at += strlen(NAMES) - 1;
        copied = at + 1;
    }
    sg_text_append(&out, copied);
    return out.data;
}

static bool has_word(const char *text, const char *name)
{
    const char *at = text, *word;
    size_t length;

    while ((word = sg_next_c_word(text, &at, &length)) != NULL)
        if (length == strlen(name) && !memcmp(word, name, length))
            return true;
    return false;
}

/* Headers of all bundles declare names that begin like this, and some would be a bundle's with such
 * a prefix: omp_aligned_alloc. tests/cli/test_bundle_refusals.py reads them from the headers. */
static const char *const taken[][2] = {
    { "atomic", "stdatomic.h" }, { "cl", "CL/cl.h" }, { "fe", "fenv.h" }, { "huge", "math.h" },
    { "memory", "stdatomic.h" }, { "omp", "omp.h" },
};

static bool check_headers(sg_diags *diags, const char *prefix)
{
    const size_t length = strcspn(prefix, "_");

    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strlen(taken[i][0]) == length && !strncasecmp(taken[i][0], prefix, length)) {
            sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "--prefix is '%s', and names that begin with "
                    "%s_ are those of <%s>; choose another prefix", prefix, taken[i][0],
                    taken[i][1]);
            return false;
        }
    return true;
}

/* Whether names that begin with `from` may begin with `to`. */
static bool check(sg_arena *arena, sg_diags *diags, const char *text, const char *from,
                  const char *to, const char *prefix)
{
    const char *at = text, *word;
    sg_name_set seen = { NULL, 0 };
    size_t length;

    while ((word = sg_next_c_word(text, &at, &length)) != NULL) {
        if (!begins(word, to) || begins(word, NAMES) || begins(word, CAPITAL_NAMES))
            continue;
        const char *name = sg_arena_strndup(arena, word, length);
        if (sg_name_set_has(&seen, name))
            continue;
        sg_name_set_add(arena, &seen, name);
        const char *other = sg_arena_printf(arena, "%s%s", from, name + strlen(to));
        if (!has_word(text, other))
            continue;
        sg_diag(diags, SG_ERROR, (sg_loc){ 0 }, "--prefix is '%s', by which %s would become %s, "
                "another name of the bundle; choose another prefix", prefix, other, name);
        return false;
    }
    return true;
}

bool sg_bundle_prefix_check(sg_arena *arena, sg_diags *diags, const char *text, const char *prefix)
{
    return !strcmp(prefix, SG_DEFAULT_PREFIX) ||
           (check(arena, diags, text, NAMES, beginning(arena, prefix, false), prefix) &&
            check(arena, diags, text, CAPITAL_NAMES, beginning(arena, prefix, true), prefix) &&
            check_headers(diags, prefix));
}
