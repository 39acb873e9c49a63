/* choice_view.c: see choice_view.h. */
#include "integrations/petsc/src/choice_view.h"

PetscErrorCode aijspmv_choice_viewer(Mat A, MPI_Comm comm, PetscViewer *viewer)
{
    PetscViewerFormat format;
    PetscOptions options;
    PetscBool is_set;
    const char *prefix;

    PetscFunctionBegin;
    PetscCall(PetscObjectGetOptions((PetscObject)A, &options));
    PetscCall(PetscObjectGetOptionsPrefix((PetscObject)A, &prefix));
    PetscCall(aijspmv_options_viewer(comm, options, prefix, "-mat_aijspmv_view", viewer, &format,
                                     &is_set));
    if (!is_set)
        *viewer = NULL;
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_viewer_shows_choice(PetscViewer viewer, bool *shows, bool *in_detail)
{
    PetscViewerFormat format;
    PetscBool is_ascii;

    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &is_ascii));
    PetscCall(PetscViewerGetFormat(viewer, &format));
    *in_detail = is_ascii && format == PETSC_VIEWER_ASCII_INFO_DETAIL;
    *shows = *in_detail || (is_ascii && format == PETSC_VIEWER_ASCII_INFO);
    PetscFunctionReturn(PETSC_SUCCESS);
}
