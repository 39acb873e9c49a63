/* plugin.h: what the files of the plug-in share: names, differences between versions of PETSc, and
 * errors.
 *
 * The plug-in uses PETSc's public headers alone. A matrix of its types is PETSc's AIJ matrix with
 * some operations replaced (MatSetOperation); the plug-in's data hang on the matrix as a composed
 * PetscContainer.
 *
 * Threads: as PETSc's objects, a matrix belongs to one thread at a time.
 */
#ifndef AIJSPMV_PLUGIN_H
#define AIJSPMV_PLUGIN_H

#include <petscmat.h>
#include <stdbool.h>

#include "integrations/petsc/petscspmv.h"
#include "runtime/spmv.h"

#if defined(PETSC_USE_COMPLEX)
#error "libpetscspmv needs a PETSc with real scalars: libspmv has no complex kernels"
#elif defined(PETSC_USE_REAL_DOUBLE)
#define AIJSPMV_VALUE_TYPE SPMV_F64
#elif defined(PETSC_USE_REAL_SINGLE)
#define AIJSPMV_VALUE_TYPE SPMV_F32
#else
#error "libpetscspmv needs a PETSc with PetscScalar double or float"
#endif

#if !PETSC_VERSION_GE(3, 18, 0)
#error "libpetscspmv needs PETSc 3.18 or later"
#endif
#if !PETSC_VERSION_GE(3, 19, 0)
#define PETSC_SUCCESS 0
#endif
#if PETSC_VERSION_GE(3, 22, 0)
#define aijspmv_options_viewer PetscOptionsCreateViewer
#else
#define aijspmv_options_viewer PetscOptionsGetViewer
#endif

/* PETSc documents and exports these functions, but declares them in a private header. A
 * matrix's state counts the changes of its values. */
PETSC_EXTERN PetscErrorCode PetscObjectStateGet(PetscObject, PetscObjectState *);
PETSC_EXTERN PetscErrorCode PetscObjectStateSet(PetscObject, PetscObjectState);

/* The two types. */
typedef enum aijspmv_kind { AIJSPMV_SEQ, AIJSPMV_MPI } aijspmv_kind;

typedef void aijspmv_function(void);     /* any function, as MatSetOperation takes it */

/* Fails with libspmv's message. `error` is an spmv_error. */
#define AIJSPMV_CALL(call, error)                                                                  \
    PetscCheck((call) == SPMV_OK, PETSC_COMM_SELF,                                                 \
               (error).status == SPMV_OUT_OF_MEMORY ? PETSC_ERR_MEM : PETSC_ERR_LIB,               \
               "libspmv: %s", (error).text)

extern PetscLogEvent aijspmv_event_inspect, aijspmv_event_update, aijspmv_event_mult;

#endif
