/* choice_view.h: where the choice for a matrix is to be printed. */
#ifndef AIJSPMV_CHOICE_VIEW_H
#define AIJSPMV_CHOICE_VIEW_H

#include "integrations/petsc/src/plugin.h"

/* Opens the viewer of A's option -mat_aijspmv_view, for the caller to destroy; NULL: not set. */
PetscErrorCode aijspmv_choice_viewer(Mat A, MPI_Comm comm, PetscViewer *viewer);

/* Whether a viewer of a matrix shows the choice, and whether in detail. */
PetscErrorCode aijspmv_viewer_shows_choice(PetscViewer viewer, bool *shows, bool *in_detail);

#endif
