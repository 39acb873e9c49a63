/* write_outputs.h: brings folders up to date: plan, compare, emit, write. */
#ifndef SG_WRITE_OUTPUTS_H
#define SG_WRITE_OUTPUTS_H

#include "generator/base/text.h"
#include "generator/emit/folder_job.h"

/* All selections are emitted before anything is written, and all files are written or none. A file
 * that is there already is replaced only when it is as an earlier run left it, unless force is set.
 * A run that was killed while it replaced files is made good by the next one (journal.h).
 * Appends to report what was done: nothing, where all is up to date. False, with diagnostics, on
 * any error. */
bool sg_write_outputs(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                      const sg_selection *selections, size_t count, const sg_write_options *options,
                      sg_text *report);

#endif
