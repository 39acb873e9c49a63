/* folder_job.h: the state of folders while a run updates them (write_outputs.h). */
#ifndef SG_FOLDER_JOB_H
#define SG_FOLDER_JOB_H

#include "generator/assemble/emission.h"
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
    size_t write_count, write_capacity;
} sg_output_run;

#endif
