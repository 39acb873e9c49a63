/* table.h: the table of a folder's modules, by rank, and its header. */
#ifndef SG_TABLE_OF_MODULES_H
#define SG_TABLE_OF_MODULES_H

#include "generator/assemble/emission.h"

/* Makes the emission's table and table_header. */
void sg_table_make(sg_arena *arena, sg_emission *emission);

#endif
