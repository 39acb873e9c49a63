/* suggest.c: see suggest.h. Runs every page of targets/, which takes milliseconds, and only for an
 * error message. */
#include "generator/page/suggest.h"

#include <string.h>
#include <strings.h>

#include "common/did_you_mean.h"
#include "generator/page/page.h"
#include "generator/base/data_files.h"
#include "generator/base/text.h"

#define FACT_ALIASES "aliases"

/* Shorter aliases, such as "t4", are near to almost any name. */
enum { NEAR_BYTES = 4 };

/* Names of pages, then the aliases that are long enough to be suggested. */
typedef struct candidates {
    sg_arena *arena;
    const char **name, **page;
    size_t count;
} candidates;

static void add(candidates *all, const char *name, const char *page)
{
    const size_t larger = all->count + 1;

    all->name = sg_arena_grow(all->arena, all->name, all->count, larger, sizeof *all->name);
    all->page = sg_arena_grow(all->arena, all->page, all->count, larger, sizeof *all->page);
    all->name[all->count] = name;
    all->page[all->count++] = page;
}

/* The fact `aliases` of a page, words between spaces; "" if the page is broken. */
static const char *aliases_of(sg_arena *arena, const char *root, const sg_facts *facts,
                              const char *page)
{
    const sg_fact_decl *decl = sg_facts_find(facts, FACT_ALIASES);
    const char *shown = sg_arena_printf(arena, "targets/%s.lua", page);
    sg_diags *silent = sg_diags_create(root);
    sg_chain chain = {
        .arena = arena, .diags = silent, .root = root, .facts = facts, .makes_suggestion = true
    };
    const bool good = decl && sg_chain_load(&chain, sg_path_join(arena, root, shown), shown);
    const sg_fact_state *state = good ? &chain.states[decl - facts->decls] : NULL;
    const char *aliases = state && state->is_set ? state->value.string : "";

    sg_diags_destroy(silent);
    return aliases;
}

/* Adds the aliases of a page; true if one of them is `name`. */
static bool add_aliases(candidates *all, const char *aliases, const char *page, const char *name)
{
    while (*(aliases += strspn(aliases, " "))) {
        const size_t length = strcspn(aliases, " ");
        const char *alias = sg_arena_strndup(all->arena, aliases, length);
        if (!strcasecmp(alias, name))
            return true;
        if (length >= NEAR_BYTES)
            add(all, alias, page);
        aliases += length;
    }
    return false;
}

static const char *suggest_near(const candidates *all, const char *name)
{
    const char *near = sg_nearest(name, all->name, all->count);

    for (size_t i = 0; near && i < all->count; i++) {
        const char *page = all->page[i];
        if (all->name[i] == near)
            return near == page
                ? sg_arena_printf(all->arena, "; did you mean '%s'?", page)
                : sg_arena_printf(all->arena, "; did you mean '%s', the page for %s?", page, near);
    }
    return "";
}

const char *sg_suggest_page(sg_arena *arena, const char *root, const sg_facts *facts,
                            const char *name)
{
    candidates all = { .arena = arena };
    size_t count = 0;
    const char *const *pages =
        sg_data_file_names(arena, sg_path_join(arena, root, "targets"), &count);

    for (size_t i = 0; i < count; i++)
        add(&all, pages[i], pages[i]);
    for (size_t i = 0; i < count; i++)
        if (add_aliases(&all, aliases_of(arena, root, facts, pages[i]), pages[i], name))
            return sg_arena_printf(arena, "; the page for it is '%s'", pages[i]);
    return suggest_near(&all, name);
}
