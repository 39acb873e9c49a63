/* table_load.h: reads a table from its file. */
#ifndef SG_TABLE_LOAD_H
#define SG_TABLE_LOAD_H

#include "generator/words/table.h"

/* Returns false, with diagnostics, on any error, also if the file is missing. */
bool sg_table_load(sg_arena *arena, sg_diags *diags, const char *root, sg_table_kind kind,
                   const char *name, const char *type, sg_table *out);

#endif
