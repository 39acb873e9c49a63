/* inherited.c: names of the parent's conversions and products for the plug-in's types. */
#include "integrations/petsc/src/inherited.h"

typedef PetscErrorCode product_function(Mat);

static aijspmv_product_hook *product_hook;

/* The types that the parent is converted to and from. Subtypes of AIJ are not among them: PETSc
 * keeps them in the data of AIJ. */
static const char *const conversions[][10] = {
    [AIJSPMV_SEQ] = {"seqbaij", "seqsbaij", "seqdense", "seqsell", "is", "hypre", "elemental",
                     "scalapack"},
    [AIJSPMV_MPI] = {"mpibaij", "mpisbaij", "mpidense", "mpisell", "is", "hypre", "elemental",
                     "scalapack"}};
static const char *const parent_type[] = {[AIJSPMV_SEQ] = MATSEQAIJ, [AIJSPMV_MPI] = MATMPIAIJ};
static const char *const own_type[] = {[AIJSPMV_SEQ] = MATSEQAIJSPMV,
                                       [AIJSPMV_MPI] = MATMPIAIJSPMV};
static const char *const own_conversions[][2] = {
    [AIJSPMV_SEQ] = {"MatConvert_seqaij_seqaijspmv_C", "MatConvert_seqaijspmv_seqaij_C"},
    [AIJSPMV_MPI] = {"MatConvert_mpiaij_mpiaijspmv_C", "MatConvert_mpiaijspmv_mpiaij_C"}};
static const char any_product[] = "MatProductSetFromOptions_anytype_C";

/* The type of A as PETSc's products know it. */
static PetscErrorCode type_for_products(Mat A, const char **type)
{
    PetscBool is_own;

    PetscFunctionBegin;
    PetscCall(MatGetType(A, type));
    for (int kind = AIJSPMV_SEQ; kind <= AIJSPMV_MPI; kind++) {
        PetscCall(PetscStrcmp(*type, own_type[kind], &is_own));
        if (is_own)
            *type = parent_type[kind];
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Finds the product of the factors' parents. PETSc calls this for products of types that it knows
 * no function for. If there is none, PETSc goes on as for types that it does not know. */
static PetscErrorCode set_product(Mat C)
{
    Mat factor[3] = {NULL, NULL, NULL};
    char name[256] = "MatProductSetFromOptions";
    product_function *f = NULL;

    PetscFunctionBegin;
    PetscCall(MatProductGetMats(C, &factor[0], &factor[1], &factor[2]));
    for (int i = 0; i < 3 && factor[i]; i++) {
        const char *type;

        PetscCall(type_for_products(factor[i], &type));
        PetscCall(PetscStrlcat(name, "_", sizeof name));
        PetscCall(PetscStrlcat(name, type, sizeof name));
    }
    PetscCall(PetscStrlcat(name, "_C", sizeof name));
    for (int i = 0; i < 3 && factor[i] && !f; i++)
        PetscCall(PetscObjectQueryFunction((PetscObject)factor[i], name, &f));
    for (int i = 0; i < 3 && factor[i] && !f; i++) {
        PetscCall(PetscObjectQueryFunction((PetscObject)factor[i], any_product, &f));
        if (f == set_product)
            f = NULL;
    }
    if (f)
        PetscCall(f(C));
    if (f && product_hook)
        PetscCall(product_hook(C));
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Converts a matrix of another type by way of AIJ, for which PETSc has a function. */
static PetscErrorCode convert_by_way_of_aij(Mat A, MatType type, MatReuse reuse, Mat *out)
{
    Mat B = A;

    PetscFunctionBegin;
    PetscCall(MatConvert(A, MATAIJ, reuse == MAT_INPLACE_MATRIX ? reuse : MAT_INITIAL_MATRIX, &B));
    PetscCall(MatConvert(B, type, MAT_INPLACE_MATRIX, &B));
    if (reuse == MAT_REUSE_MATRIX)
        PetscCall(MatHeaderReplace(*out, &B));
    else
        *out = B;
    PetscFunctionReturn(PETSC_SUCCESS);
}

/* Composes the parent's conversions under the own type's name, or removes them. */
static PetscErrorCode compose_conversions(Mat A, aijspmv_kind kind, bool remove)
{
    PetscFunctionBegin;
    for (int i = 0; conversions[kind][i]; i++) {
        char from[128], to[128];
        aijspmv_function *f = NULL;

        PetscCall(PetscSNPrintf(from, sizeof from, "MatConvert_%s_%s_C", parent_type[kind],
                                conversions[kind][i]));
        PetscCall(PetscSNPrintf(to, sizeof to, "MatConvert_%s_%s_C", own_type[kind],
                                conversions[kind][i]));
        if (!remove)
            PetscCall(PetscObjectQueryFunction((PetscObject)A, from, &f));
        if (f || remove)
            PetscCall(PetscObjectComposeFunction((PetscObject)A, to, f));
        PetscCall(PetscSNPrintf(to, sizeof to, "MatConvert_%s_%s_C", conversions[kind][i],
                                own_type[kind]));
        PetscCall(PetscObjectComposeFunction((PetscObject)A, to,
                                             remove ? NULL : convert_by_way_of_aij));
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}

void aijspmv_inherited_hook_products(aijspmv_product_hook *hook)
{
    product_hook = hook;
}

PetscErrorCode aijspmv_inherited_add(Mat A, aijspmv_kind kind, aijspmv_convert_function *to,
                                     aijspmv_convert_function *from)
{
    PetscFunctionBegin;
    PetscCall(compose_conversions(A, kind, false));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, any_product, set_product));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, own_conversions[kind][0], to));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, own_conversions[kind][1], from));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_inherited_remove(Mat A, aijspmv_kind kind)
{
    PetscFunctionBegin;
    PetscCall(compose_conversions(A, kind, true));
    PetscCall(PetscObjectComposeFunction((PetscObject)A, any_product, NULL));
    for (int i = 0; i < 2; i++)
        PetscCall(PetscObjectComposeFunction((PetscObject)A, own_conversions[kind][i], NULL));
    PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode aijspmv_conversion_begin(Mat A, MatReuse reuse, Mat out, Mat *B)
{
    PetscFunctionBegin;
    *B = A;
    if (reuse == MAT_INITIAL_MATRIX) {
        PetscCall(MatDuplicate(A, MAT_COPY_VALUES, B));
    } else if (reuse == MAT_REUSE_MATRIX) {
        PetscCall(MatCopy(A, out, SAME_NONZERO_PATTERN));
        *B = NULL;
    }
    PetscFunctionReturn(PETSC_SUCCESS);
}
