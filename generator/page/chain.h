/* chain.h: the facts and parameters that a page and the pages that it inherits state.
 *
 * A chain is a page and its ancestors; the page itself has depth 0. */
#ifndef SG_CHAIN_H
#define SG_CHAIN_H

#include "generator/page/target.h"

enum {
    SG_PAGE_DEPTH = 8,           /* pages of a chain */
    SG_COMMAND_LINE_DEPTH = -1   /* of --set, which wins over the page itself (override.h) */
};

/* The value that a fact has so far. */
typedef struct sg_fact_state {
    bool is_set;
    int depth;                   /* of the page that set it, or SG_COMMAND_LINE_DEPTH */
    sg_value value;
    sg_loc origin;
} sg_fact_state;

typedef struct sg_chain {
    sg_arena *arena;
    sg_diags *diags;
    const char *root;
    const sg_facts *facts;
    bool makes_suggestion;       /* the page runs for a message about another one (suggest.h) */
    sg_fact_state *states;       /* one per fact, in the order of facts */
    sg_assignment *assignments;
    size_t assignment_count;
    sg_input pages[SG_PAGE_DEPTH];
    const char *paths[SG_PAGE_DEPTH];
    size_t page_count;
} sg_chain;

/* Adds an assignment, whose texts must last. */
void sg_chain_assign(sg_chain *chain, const sg_assignment *assignment);

#endif
