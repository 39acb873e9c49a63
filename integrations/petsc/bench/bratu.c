/* bratu.c: Jacobians of the Bratu problem, with the stencils of PETSc's SNES tutorials ex5 and
 * ex14 and a regular partition of the grid, as theirs. */
#include "integrations/petsc/bench/bratu.h"

#include <petscdmda.h>
#include <string.h>

static const double lambda = 6;

/* Five or seven points; those on the boundary are not unknowns. */
static PetscErrorCode fill(DM da, PetscInt dimensions, PetscInt points, Mat A)
{
    const double h = 1.0 / (double)(points + 1);
    const double scale = dimensions == 3 ? h : 1;        /* h^dimensions / h^2 */
    const double diagonal = 2.0 * (double)dimensions * scale - (dimensions == 3 ? h * h * h : h * h)
        * lambda;
    DMDALocalInfo info;

    PetscFunctionBegin;
    PetscCall(DMDAGetLocalInfo(da, &info));
    for (PetscInt k = info.zs; k < info.zs + info.zm; k++)
        for (PetscInt j = info.ys; j < info.ys + info.ym; j++)
            for (PetscInt i = info.xs; i < info.xs + info.xm; i++) {
                const MatStencil row = {.k = k, .j = j, .i = i, .c = 0};
                MatStencil col[7] = {row};
                double value[7] = {diagonal};
                PetscInt n = 1;

                for (PetscInt side = -1; side <= 1; side += 2)
                    for (PetscInt d = 0; d < dimensions; d++) {
                        MatStencil next = row;
                        PetscInt *place = d == 0 ? &next.i : d == 1 ? &next.j : &next.k;

                        *place += side;
                        if (*place < 0 || *place >= points)
                            continue;
                        col[n] = next;
                        value[n++] = -scale;
                    }
                PetscCall(MatSetValuesStencil(A, 1, &row, n, col, value, INSERT_VALUES));
            }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

PetscErrorCode bratu_create(const char *name, PetscInt points, Mat *A, bool *is_bratu)
{
    const PetscInt dimensions = strcmp(name, "bratu2d") == 0 ? 2 : 3;
    DM da;

    PetscFunctionBegin;
    *is_bratu = dimensions == 2 || strcmp(name, "bratu3d") == 0;
    if (!*is_bratu)
        PetscFunctionReturn(0);
    if (dimensions == 2)
        PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                               DMDA_STENCIL_STAR, points, points, PETSC_DECIDE, PETSC_DECIDE, 1, 1,
                               NULL, NULL, &da));
    else
        PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                               DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, points, points, points,
                               PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, NULL,
                               &da));
    PetscCall(DMSetUp(da));
    PetscCall(DMSetMatType(da, MATAIJ));
    PetscCall(DMCreateMatrix(da, A));
    PetscCall(fill(da, dimensions, points, *A));
    PetscCall(DMDestroy(&da));
    PetscFunctionReturn(0);
}
