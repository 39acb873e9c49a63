/* folder_job.h: the state of folders while a run updates them, and the steps of that. */
#ifndef SG_FOLDER_JOB_H
#define SG_FOLDER_JOB_H

#include "generator/assemble/emission.h"
#include "generator/base/text.h"
#include "generator/outputs/folder_lock.h"
#include "generator/outputs/journal.h"
#include "generator/outputs/write_files.h"

typedef struct sg_write_options {
    const char *output;          /* the folder of all targets; NULL: generated/NAME for each */
    const char *depfile;         /* NULL: none */
    bool force;                  /* replace files that changed since an earlier run */
} sg_write_options;

/* One folder that a run updates. */
typedef struct sg_folder_job {
    const char *dir;
    sg_folder requested, folder; /* this run's plans; these and the kept methods */
    bool names_methods;          /* other methods in the folder are kept */
    sg_manifest before;
    sg_journal journal;
    bool has_before, is_current;
    sg_emission emission;
    bool *stays;                 /* by output: changed by hand, so it is kept */
    const sg_input *stale;       /* files of earlier runs, to remove */
    size_t stale_count;
    size_t first_write, write_count;
} sg_folder_job;

typedef struct sg_output_run {
    sg_arena *arena;
    sg_diags *diags;
    const sg_catalog *catalog;
    const sg_write_options *options;
    bool verbose;
    sg_folder_job *jobs;
    size_t count;
    sg_locked_folder *locks;
    size_t lock_count;
    sg_write *writes;
    size_t write_count;
} sg_output_run;

/* Locks the folders of all jobs, until sg_unlock_folders(run->locks, run->lock_count). */
void sg_lock_outputs(sg_output_run *run);

/* Reads the manifest and the journal of a planned folder. Sets *all to this run's selections and
 * those of the methods that the folder keeps, or *count to 0 if it keeps none. Returns false, with
 * diagnostics, if the folder is not for what was planned. */
bool sg_folder_job_inspect(sg_output_run *run, sg_folder_job *job, const sg_selection **all,
                           size_t *count);

/* Finds out whether the folder is current, with the plans of all its selections. */
void sg_folder_job_compare(sg_output_run *run, sg_folder_job *job);

/* True if spmvgen wrote the text, in the last run that succeeded or in one killed since. */
bool sg_folder_job_owns(const sg_folder_job *job, const char *file, const char *text,
                        size_t length);

/* True if all outputs may be written; otherwise adds diagnostics. Sets `stays` of each folder. */
bool sg_may_replace_outputs(const sg_output_run *run);

/* The rule for make, in the arena of the run, which has at least one folder: all files of its
 * folders depend on all its inputs. NULL, with a diagnostic: a file's name has a line break. */
const char *sg_outputs_depfile(const sg_output_run *run);

/* Writes all files of jobs that are not current, or none, and appends to report what it did.
 * Returns false, with diagnostics, on any error. */
bool sg_write_outputs(sg_output_run *run, sg_text *report);

#endif
