/* tunable.h: lists the values of parameters that are worth a try on a target. */
#ifndef SG_TUNABLE_H
#define SG_TUNABLE_H

#include "generator/method/catalog.h"
#include "generator/base/text.h"

/* Adds a line for each parameter and value type that have such values: METHOD.TYPE.PARAM=VALUE,...
 * as spmvbench --set takes it, the page's own value first. Returns false, with diagnostics, if the
 * page's values are wrong. */
bool sg_list_tunable(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                     const sg_target *target, sg_text *out);

/* The values of a parameter that are worth a try: "8, 12, 24"; "": there are none. */
const char *sg_tune_text(sg_arena *arena, const sg_param *param);

#endif
