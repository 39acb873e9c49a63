/* explain.h: shows the origin of a parameter's or a fact's value. */
#ifndef SG_EXPLAIN_H
#define SG_EXPLAIN_H

#include "generator/method/catalog.h"
#include "generator/base/text.h"

/* what: METHOD.PARAM, METHOD (all its parameters) or the name of a fact. Returns false, with
 * diagnostics, if none has that name or the page's values are wrong. */
bool sg_explain(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                const sg_target *target, const char *what, sg_text *out);

#endif
