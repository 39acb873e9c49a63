/* replace.h: which files of a folder a run may replace or remove. */
#ifndef SG_REPLACE_H
#define SG_REPLACE_H

#include "generator/emit/folder_job.h"

/* Is the text spmvgen's own, of the last run that succeeded or of one that was killed since? */
bool sg_folder_job_owns(const sg_folder_job *job, const char *file, const char *text,
                        size_t length);

/* May all outputs be written? Otherwise diagnostics. Sets `stays` of each folder. */
bool sg_may_replace_outputs(const sg_output_run *run);

#endif
