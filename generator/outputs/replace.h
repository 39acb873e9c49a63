/* replace.h: decides which files of a folder a run may replace or remove. */
#ifndef SG_REPLACE_H
#define SG_REPLACE_H

#include "generator/outputs/folder_job.h"

/* True if spmvgen wrote the text, in the last run that succeeded or in one killed since. */
bool sg_folder_job_owns(const sg_folder_job *job, const char *file, const char *text,
                        size_t length);

/* True if all outputs may be written; otherwise adds diagnostics. Sets `stays` of each folder. */
bool sg_may_replace_outputs(const sg_output_run *run);

#endif
