/* write_outputs.h: brings folders up to date: plan, compare, emit, write. */
#ifndef SG_WRITE_OUTPUTS_H
#define SG_WRITE_OUTPUTS_H

#include "generator/base/text.h"
#include "generator/outputs/folder_job.h"

/* Emits all selections before it writes anything, then writes all files or none. Unless force is
 * set, it replaces an existing file only if the file is as an earlier run left it. The next run
 * completes a run that was killed while it replaced files (journal.h). Appends to report the files
 * that it wrote and removed; nothing if all are up to date. Returns false, with diagnostics, on any
 * error. */
bool sg_write_outputs(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                      const sg_selection *selections, size_t count, const sg_write_options *options,
                      sg_text *report);

#endif
