/* parse_again.h: nothing is written that does not compile. */
#ifndef SG_PARSE_AGAIN_H
#define SG_PARSE_AGAIN_H

#include "generator/assemble/emission.h"

/* Parses the texts of all sources, and the table of modules if there is one, in their own
 * languages. Returns false, with diagnostics at their lines, on an error. */
bool sg_parse_again(sg_diags *diags, const sg_emission *emission);

#endif
