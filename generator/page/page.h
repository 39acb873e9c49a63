/* page.h: runs a target page and what it inherits, and collects what they state.
 *
 * A chain is a page and its ancestors; the page itself has depth 0. Each page runs in its own
 * sandbox; `inherit` runs the ancestor before the next line, so that its facts can be read. */
#ifndef SG_PAGE_H
#define SG_PAGE_H

#include "generator/page/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SG_PAGE_DEPTH = 8,           /* pages of a chain */
    SG_COMMAND_LINE_DEPTH = -1   /* of what is nearer than the page itself (override.h) */
};

/* What a fact has been set to so far. */
typedef struct sg_slot {
    bool is_set;
    int depth;                   /* of the page that set it, or SG_COMMAND_LINE_DEPTH */
    sg_value value;
    sg_loc origin;
} sg_slot;

typedef struct sg_chain {
    sg_arena *arena;
    sg_diags *diags;
    const char *root;
    const sg_facts *facts;
    bool makes_suggestion;       /* the page runs for a message about another one (suggest.h) */
    sg_slot *slots;              /* one a fact, in the order of facts */
    sg_assignment *assignments;
    size_t assignment_count, assignment_capacity;
    sg_page pages[SG_PAGE_DEPTH];
    const char *paths[SG_PAGE_DEPTH];
    size_t page_count;
} sg_chain;

/* Runs the page at `path` (to open), called `shown` in messages, with its ancestors. The chain is
 * zero but for its first five fields. False and diagnostics on any error. */
bool sg_chain_load(sg_chain *chain, const char *path, const char *shown);

/* Adds an assignment, whose texts must last. */
void sg_chain_assign(sg_chain *chain, const sg_assignment *assignment);

/* Letters, digits, '-', '_' and '.', the first a letter or digit, at most 64. */
bool sg_is_page_name(const char *name);

/* The names of all files NAME.lua of a folder that can be pages, sorted. facts.lua is none. */
const char *const *sg_page_names(sg_arena *arena, const char *folder, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
