/* override.h: values of the command line, --set KEY=VALUE, which win over every page's.
 *
 *     csr5.sigma=24                METHOD.PARAM, for all value types
 *     csr5.f64.sigma=24            METHOD.TYPE.PARAM
 *     local_memory=0x8000          FACT
 *     csr5.gather=insert           a string, with or without quotes around it
 *
 * A value is one integer, decimal or hexadecimal, true, false, or else a string; a fact that is a
 * string takes the text as it stands. Nothing is computed and no Lua runs. Of one key the last
 * value counts; METHOD.TYPE.PARAM wins over METHOD.PARAM, as on a page. */
#ifndef SG_OVERRIDE_H
#define SG_OVERRIDE_H

#include "generator/base/name_set.h"
#include "generator/page/chain.h"

/* Overrides values of a loaded chain. Returns false, with diagnostics, on any error, but leaves it
 * to sg_method_check_assignments to check that METHOD and PARAM exist. *canonical: the values in
 * their shortest form, one per key, sorted. */
bool sg_override_chain(sg_chain *chain, const sg_name_set *values, sg_name_set *canonical);

#endif
