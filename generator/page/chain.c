/* chain.c: see chain.h. */
#include "generator/page/chain.h"

void sg_chain_assign(sg_chain *chain, const sg_assignment *assignment)
{
    if (chain->assignment_count == chain->assignment_capacity) {
        const size_t larger = chain->assignment_capacity ? chain->assignment_capacity * 2 : 32;
        chain->assignments = sg_arena_grow(chain->arena, chain->assignments,
                                           chain->assignment_count, larger,
                                           sizeof *chain->assignments);
        chain->assignment_capacity = larger;
    }
    chain->assignments[chain->assignment_count++] = *assignment;
}
