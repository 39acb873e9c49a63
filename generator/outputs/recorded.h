/* recorded.h: what earlier runs recorded about a folder. */
#ifndef SG_RECORDED_H
#define SG_RECORDED_H

#include "generator/outputs/folder_job.h"

/* Reads the manifest and the journal of a planned folder. Sets *all to this run's selections and
 * those of the methods that the folder keeps, or *count to 0 if it keeps none. Returns false, with
 * diagnostics, if the folder is not for what was planned. */
bool sg_folder_job_inspect(sg_output_run *run, sg_folder_job *job, const sg_selection **all,
                           size_t *count);

/* Finds out whether the folder is current, with the plans of all its selections. */
void sg_folder_job_compare(sg_output_run *run, sg_folder_job *job);

#endif
