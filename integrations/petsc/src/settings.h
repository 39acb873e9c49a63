/* settings.h: how a matrix's plans are made, from PETSc's options. */
#ifndef AIJSPMV_SETTINGS_H
#define AIJSPMV_SETTINGS_H

#include "integrations/petsc/src/plugin.h"

/* Texts are empty where libspmv shall decide. */
typedef struct aijspmv_settings {
    char method[64];
    char target[64];
    char settings[256];              /* the method's settings, "name=value,..." */
    PetscInt expected_runs;
    PetscInt threads;
    PetscInt least_nonzeros;         /* PETSc multiplies blocks with fewer, and blocks of mostly */
    PetscReal least_row_nonzeros;    /* empty rows with fewer in a filled row on average, unless a
                                        method is named */
    PetscInt inspect;                /* AIJSPMV_AT_... */
    PetscInt dense;                  /* AIJSPMV_DENSE_... */
    PetscBool measure;
    PetscBool is_block;              /* a block of a parallel matrix, which prints for it */
} aijspmv_settings;

enum { AIJSPMV_AT_FIRST_PRODUCT, AIJSPMV_AT_ASSEMBLY };

/* What computes products with dense matrices: libspmv where it is faster, which are methods with
 * kernels for several vectors and rows that are not short; libspmv always; or PETSc. */
enum { AIJSPMV_DENSE_KERNELS, AIJSPMV_DENSE_ALWAYS, AIJSPMV_DENSE_NEVER };

/* Reads the options of A, by its prefix. `settings` holds the defaults. */
PetscErrorCode aijspmv_settings_read(Mat A, aijspmv_settings *settings);

void aijspmv_settings_default(aijspmv_settings *settings);

#endif
