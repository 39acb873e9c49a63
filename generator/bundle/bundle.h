/* bundle.h: the files of a bundle: a header and a source that an application adds to its own.
 *
 * The source has the modules of all targets and methods, and the files of the runtime that choose
 * among them and run them; runtime/bundle/ has its public header and functions. */
#ifndef SG_BUNDLE_H
#define SG_BUNDLE_H

#include "generator/assemble/emission.h"

/* Makes the outputs of an emission whose modules are specialised and whose selections are a
 * bundle's, and adds what it read to the inputs. Returns false, with diagnostics, on any error. */
bool sg_bundle_make(sg_arena *arena, sg_diags *diags, sg_emission *emission);

#endif
