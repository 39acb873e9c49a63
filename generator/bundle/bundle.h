/* bundle.h: the files of a bundle: a header and a source that an application adds to its own.
 *
 * The source has the modules of all targets and methods, and the files of the runtime that choose
 * among them and run them; runtime/bundle/ has its public header and functions. */
#ifndef SG_BUNDLE_H
#define SG_BUNDLE_H

#include "generator/assemble/emission.h"

/* The most files of a bundle, without the manifest. */
enum { SG_BUNDLE_FILES = 5 };

/* Makes the files from the specialised modules of a folder whose selections are a bundle's. Adds
 * what was read to *inputs. Returns false, with diagnostics, on any error. */
bool sg_bundle_make(sg_arena *arena, sg_diags *diags, const sg_folder *folder, sg_module *modules,
                    size_t module_count, sg_output *outputs, size_t *output_count,
                    const sg_input **inputs, size_t *input_count);

#endif
