/* pipeline.h: what spmvgen does with targets, from their pages to files. */
#ifndef SG_PIPELINE_H
#define SG_PIPELINE_H

#include "generator/outputs/folder_job.h"
#include "generator/verify/verify.h"

/* The input of the passes. */
typedef struct sg_pipeline {
    sg_arena *arena;
    sg_diags *diags;
    const sg_catalog *catalog;
    const sg_selection *selections;
    size_t selection_count;
    int jobs;                    /* threads */
    bool verbose;
    sg_text *report;             /* for stdout */
} sg_pipeline;

/* The names of the passes in order, for --dump; NULL-terminated. */
extern const char *const sg_pass_names[];

/* Each of these returns false, or less than SG_VERIFIED, with diagnostics, on any error.
 *
 * Emits all selections before it writes anything, then writes all files or none. Unless options
 * say force, it replaces an existing file only if the file is as an earlier run left it. The next
 * run completes a run that was killed while it replaced files (journal.h). Reports the files that
 * it wrote and removed; nothing if all are up to date. */
bool sg_pipeline_write(const sg_pipeline *p, const sg_write_options *options);

/* Emits the selections in memory and compiles each program (verify.h). */
sg_verified sg_pipeline_verify(const sg_pipeline *p);

/* Compares a folder with what its manifest's selections give now. page: the target's page, if the
 * folder has one target, which the manifest may not name; NULL: the manifest's. Returns false if
 * they differ. */
bool sg_pipeline_check(const sg_pipeline *p, const char *dir, const char *page);

/* Runs the passes up to `pass` for a folder of all selections, and reports what stands then. */
bool sg_pipeline_dump(const sg_pipeline *p, const char *pass);

#endif
