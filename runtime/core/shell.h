/* shell.h: the functions by which libspmv (library/) and bundles (bundle/) each complete the core,
 * which knows neither; core/threads/team.h and core/layout.h have the others. A program has one
 * shell and the linker joins both, so a call costs no pointer. */
#ifndef SPMV_SHELL_H
#define SPMV_SHELL_H

#include "runtime/core/plan.h"
#include "runtime/core/request.h"

/* ---- choosing ------------------------------------------------------------------------------ */

/* How far a misspelt name is from a known one; negative: too far for a suggestion. */
int spmv_name_distance(const char *typed, const char *name);

/* ---- building ------------------------------------------------------------------------------ */

/* Writes a value for each setting of the module: from options.settings, else the initial value. */
spmv_status spmv_settings_read(const spmv_module *module, const char *text,
                               int64_t value[SPMV_MAX_SETTINGS], spmv_error *err);

/* Memory for arrays of the layout, and for copies of borrowed ones. */
void *spmv_plan_alloc(const spmv_core *plan, size_t bytes);
void spmv_plan_release(const spmv_core *plan, void *memory);

/* Builds a plan whose module and layout are chosen, by spmv_core_build. */
spmv_status spmv_plan_fill(const spmv_request *request, spmv_core *plan, spmv_error *err);

/* Runs the module's build steps. */
spmv_status spmv_plan_run_build(spmv_core *plan, const spmv_job *job, const spmv_step *step,
                                int32_t count);

/* ---- after the build ----------------------------------------------------------------------- */

/* Brings new values of the layout to the plan's device, if it has one. */
spmv_status spmv_plan_send_values(const spmv_core *plan, spmv_error *err);

/* One multiplication of checked operands. */
spmv_status spmv_plan_launch(const spmv_core *plan, const spmv_job *job);

#endif
