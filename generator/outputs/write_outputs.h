/* write_outputs.h: writes the files of emissions into their folders. */
#ifndef SG_WRITE_OUTPUTS_H
#define SG_WRITE_OUTPUTS_H

#include "generator/base/text.h"
#include "generator/outputs/folder_job.h"

/* Locks the folders of all jobs, until sg_unlock_folders(run->locks, run->lock_count). */
void sg_lock_outputs(sg_output_run *run);

/* Writes all files of jobs that are not current, or none, and appends to report what it did.
 * Returns false, with diagnostics, on any error. */
bool sg_write_outputs(sg_output_run *run, sg_text *report);

#endif
