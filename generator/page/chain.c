/* chain.c: see chain.h. */
#include "generator/page/chain.h"

void sg_chain_assign(sg_chain *chain, const sg_assignment *assignment)
{
    chain->assignments = sg_arena_more(chain->arena, chain->assignments, chain->assignment_count,
                                       sizeof *chain->assignments);
    chain->assignments[chain->assignment_count++] = *assignment;
}
