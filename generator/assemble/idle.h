/* idle.h: values of pages and of --set that have no effect on what is emitted. */
#ifndef SG_IDLE_H
#define SG_IDLE_H

#include "generator/assemble/emission.h"

/* Warns of stated values without effect: a user would tune them in vain. */
void sg_warn_of_idle_values(sg_diags *diags, const sg_emission *emission);

#endif
