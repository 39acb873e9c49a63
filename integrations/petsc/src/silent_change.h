/* silent_change.h: functions of SeqAIJ that change a matrix without counting the change. */
#ifndef AIJSPMV_SILENT_CHANGE_H
#define AIJSPMV_SILENT_CHANGE_H

#include "integrations/petsc/src/plugin.h"

/* Makes the functions of A count their changes, and the reverse. */
PetscErrorCode aijspmv_silent_change_count(Mat A);
PetscErrorCode aijspmv_silent_change_restore(Mat A);

#endif
