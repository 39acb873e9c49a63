/* outputs_depfile.h: the depfile of a run: all files of its folders depend on all its inputs. */
#ifndef SG_OUTPUTS_DEPFILE_H
#define SG_OUTPUTS_DEPFILE_H

#include "generator/outputs/folder_job.h"

/* The rule for make, in the arena of the run, which has at least one folder. NULL, with a
 * diagnostic: a file's name has a line break. */
const char *sg_outputs_depfile(const sg_output_run *run);

#endif
