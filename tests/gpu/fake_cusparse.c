/* fake_cusparse.c: cuSPARSE of fake_cuda.h: products with CSR, COO, sliced ELL and BSR, in the
 * formats of cuSPARSE's documentation. bench/gpu/format.c must agree with them. */
#include <cusparse.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"

struct cusparseContext {
    int unused;
};

struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};

struct cusparseSpMatDescr {
    const char *format;
    int64_t rows, cols, nnz;
    int64_t stored, edge;
    const void *first, *columns, *values;
    cusparseIndexType_t first_type, column_type;
    cudaDataType type;
    const void *active;          /* buffer of its preprocessing */
};

typedef struct cusparseSpMatDescr matrix;

/* ---- management ---------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    *handle = calloc(1, sizeof **handle);
    fake_count(1);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    free(handle);
    fake_count(-1);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
    return handle && stream ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
    return handle && mode == CUSPARSE_POINTER_MODE_HOST ? CUSPARSE_STATUS_SUCCESS
                                                        : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    *version = CUSPARSE_VERSION;
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return status == CUSPARSE_STATUS_NOT_SUPPORTED ? "CUSPARSE_STATUS_NOT_SUPPORTED" : "another";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return status == CUSPARSE_STATUS_NOT_SUPPORTED ? "operation not supported" : "a fault";
}

/* ---- what is multiplied -------------------------------------------------------------------- */

static cusparseStatus_t create(cusparseSpMatDescr_t *out, const matrix *facts)
{
    if (!facts->first || !facts->columns || !facts->values || facts->rows < 0 || facts->cols < 0)
        return CUSPARSE_STATUS_INVALID_VALUE;
    *out = malloc(sizeof **out);
    **out = *facts;
    fake_count(1);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols,
                                   int64_t nnz, void *first, void *columns, void *values,
                                   cusparseIndexType_t first_type, cusparseIndexType_t column_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    (void)base;
    return create(out, &(matrix){ "CSR", rows, cols, nnz, nnz, 1, first, columns, values,
                                  first_type, column_type, type, NULL });
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols,
                                   int64_t nnz, void *row, void *columns, void *values,
                                   cusparseIndexType_t index, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    (void)base;
    return create(out, &(matrix){ "COO", rows, cols, nnz, nnz, 1, row, columns, values, index,
                                  index, type, NULL });
}

#ifdef HAVE_CUSPARSE_SELL
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols,
                                         int64_t nnz, int64_t stored, int64_t edge, void *first,
                                         void *columns, void *values,
                                         cusparseIndexType_t first_type,
                                         cusparseIndexType_t column_type, cusparseIndexBase_t base,
                                         cudaDataType type)
{
    (void)base;
    return create(out, &(matrix){ "SELL", rows, cols, nnz, stored, edge, first, columns, values,
                                  first_type, column_type, type, NULL });
}
#endif

#ifdef HAVE_CUSPARSE_BSR
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols,
                                   int64_t blocks, int64_t edge, int64_t edge_of_columns,
                                   void *first, void *columns, void *values,
                                   cusparseIndexType_t first_type, cusparseIndexType_t column_type,
                                   cusparseIndexBase_t base, cudaDataType type,
                                   cusparseOrder_t order)
{
    (void)base;
    if (edge != edge_of_columns || order != CUSPARSE_ORDER_ROW)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    return create(out, &(matrix){ "BSR", rows, cols, blocks, blocks * edge * edge, edge, first,
                                  columns, values, first_type, column_type, type, NULL });
}
#endif

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t descriptor)
{
    free((void *)descriptor);
    fake_count(-1);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *out, int64_t size, void *values,
                                     cudaDataType type)
{
    *out = malloc(sizeof **out);
    **out = (struct cusparseDnVecDescr){ size, values, type };
    fake_count(1);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t descriptor)
{
    free((void *)descriptor);
    fake_count(-1);
    return CUSPARSE_STATUS_SUCCESS;
}

/* ---- products ------------------------------------------------------------------------------ */

typedef struct product {
    const matrix *a;
    const void *x;
    void *y;
    double alpha, beta;
    const char *algorithm;       /* as FAKE_CUDA names it */
} product;

static int64_t at(const void *index, cusparseIndexType_t type, int64_t i)
{
    return type == CUSPARSE_INDEX_64I ? ((const int64_t *)index)[i] : ((const int32_t *)index)[i];
}

static double get(const void *values, cudaDataType type, int64_t i)
{
    return type == CUDA_R_32F ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

static void put(void *values, cudaDataType type, int64_t i, double value)
{
    if (type == CUDA_R_32F)
        ((float *)values)[i] = (float)value;
    else
        ((double *)values)[i] = value;
}

/* Adds the product of a stored value to the sum of its row. */
static void add(const product *p, double *sum, int64_t row, int64_t col, int64_t i)
{
    if (col >= 0)
        sum[row] += get(p->a->values, p->a->type, i) * get(p->x, p->a->type, col);
}

static void add_all(const product *p, double *sum)
{
    const matrix *a = p->a;
    const int64_t edge = a->edge;

    if (strcmp(a->format, "COO") == 0) {
        for (int64_t i = 0; i < a->nnz; i++)
            add(p, sum, at(a->first, a->first_type, i), at(a->columns, a->column_type, i), i);
        return;
    }
    const int64_t lists = strcmp(a->format, "SELL") == 0 ? (a->rows + edge - 1) / edge : a->rows;
    for (int64_t r = 0; r < lists; r++) {
        const int64_t begin = at(a->first, a->first_type, r);
        for (int64_t i = begin; i < at(a->first, a->first_type, r + 1); i++) {
            const int64_t col = at(a->columns, a->column_type, i);
            if (strcmp(a->format, "CSR") == 0)
                add(p, sum, r, col, i);
            else if (strcmp(a->format, "SELL") == 0)
                add(p, sum, r * edge + (i - begin) % edge, col, i);
            else
                for (int64_t k = 0; k < edge * edge; k++)
                    add(p, sum, r * edge + k / edge, col * edge + k % edge, i * edge * edge + k);
        }
    }
}

static const char *name_of(cusparseSpMVAlg_t algorithm)
{
    static const char *const names[] = { "DEFAULT", "COO_ALG1", "CSR_ALG1", "CSR_ALG2", "COO_ALG2",
                                         "SELL_ALG1", "BSR_ALG1" };
    return names[algorithm];
}

static void multiply(const void *arguments)
{
    const product *p = arguments;
    const int64_t edge = p->a->edge;
    const int64_t room = (p->a->rows + 1) * (strcmp(p->a->format, "BSR") == 0 ? edge : 1) + edge;
    double *sum;

    if (fake_asks("broken", p->algorithm))
        fake_break();
    const int microseconds = fake_microseconds(p->algorithm, FAKE_CUSPARSE_US);
    if (!fake_multiply(p->y, microseconds) || fake_is_broken())
        return;
    sum = calloc((size_t)room, sizeof *sum);
    add_all(p, sum);
    if (fake_asks("wrong", p->algorithm))
        sum[0] += 1;
    const int64_t rows = strcmp(p->a->format, "BSR") == 0 ? p->a->rows * edge : p->a->rows;
    for (int64_t r = 0; r < rows; r++)
        put(p->y, p->a->type, r, p->alpha * sum[r] +
            (p->beta != 0 ? p->beta * get(p->y, p->a->type, r) : 0));
    free(sum);
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, size_t *bytes)
{
    const int64_t edge = strcmp(a->format, "BSR") == 0 ? a->edge : 1;

    (void)handle;
    (void)operation;
    if (fake_asks("refused", name_of(algorithm)) || a->type != type)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    *bytes = 512;
    return strncmp(name_of(algorithm), a->format, strlen(a->format)) == 0 && alpha && beta &&
                   x->size == a->cols * edge && y->size == a->rows * edge
               ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

#ifdef HAVE_CUSPARSE_PREPROCESS
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void *alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, void *buffer)
{
    (void)handle, (void)operation, (void)alpha, (void)x, (void)beta, (void)y, (void)type;
    (void)algorithm;
    ((matrix *)(void *)a)->active = buffer;
    return CUSPARSE_STATUS_SUCCESS;
}
#endif

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void *alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t algorithm, void *buffer)
{
    const product p = {
        a, x->values, y->values, get(alpha, type, 0), get(beta, type, 0), name_of(algorithm)
    };

    if (!handle || operation != CUSPARSE_OPERATION_NON_TRANSPOSE || !buffer)
        return CUSPARSE_STATUS_INVALID_VALUE;
#ifdef HAVE_CUSPARSE_PREPROCESS
    if (a->active != buffer)
        return CUSPARSE_STATUS_INVALID_VALUE;
#endif
    fake_submit(multiply, &p, sizeof p);
    return CUSPARSE_STATUS_SUCCESS;
}

#ifdef HAVE_CUSPARSE_SPMVOP
struct cusparseSpMVOpDescr {
    const matrix *a;
    const char *name;
};

struct cusparseSpMVOpPlan {
    struct cusparseSpMVOpDescr of;
};

static const char *name_of_operation(cusparseSpMVOpAlg_t algorithm)
{
    return algorithm == CUSPARSE_SPMVOP_ALG2 ? "SPMVOP_ALG2" : "SPMVOP_ALG1";
}

cusparseStatus_t cusparseSpMVOp_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                           cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                           cusparseDnVecDescr_t y, cusparseDnVecDescr_t z,
                                           cudaDataType type, cusparseSpMVOpAlg_t algorithm,
                                           size_t *bytes)
{
    *bytes = 256;
    return fake_asks("refused", name_of_operation(algorithm)) ? CUSPARSE_STATUS_NOT_SUPPORTED
         : handle && operation == CUSPARSE_OPERATION_NON_TRANSPOSE && a->type == type &&
                   strcmp(a->format, "CSR") == 0 && x->size == a->cols && y->size == a->rows &&
                   z->size == a->rows
               ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSpMVOp_createDescr(cusparseHandle_t handle, cusparseSpMVOpDescr_t *out,
                                            cusparseOperation_t operation,
                                            cusparseConstSpMatDescr_t a,
                                            cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                            cusparseDnVecDescr_t z, cudaDataType type,
                                            cusparseSpMVOpAlg_t algorithm, void *buffer)
{
    (void)handle, (void)operation, (void)x, (void)y, (void)z, (void)type;
    *out = malloc(sizeof **out);
    **out = (struct cusparseSpMVOpDescr){ a, name_of_operation(algorithm) };
    fake_count(1);
    return buffer ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSpMVOp_destroyDescr(cusparseSpMVOpDescr_t descriptor)
{
    free(descriptor);
    fake_count(-1);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMVOp_createPlan(cusparseHandle_t handle,
                                           cusparseSpMVOpDescr_t descriptor,
                                           cusparseSpMVOpPlan_t *out, const void *code,
                                           size_t bytes)
{
    *out = malloc(sizeof **out);
    (*out)->of = *descriptor;
    fake_count(1);
    return handle && !code && bytes == 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSpMVOp_destroyPlan(cusparseSpMVOpPlan_t plan)
{
    free(plan);
    fake_count(-1);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMVOp(cusparseHandle_t handle, cusparseSpMVOpPlan_t plan,
                                const void *alpha, const void *beta, cusparseConstDnVecDescr_t x,
                                cusparseConstDnVecDescr_t y, cusparseDnVecDescr_t z)
{
    const cudaDataType type = plan->of.a->type;
    const product p = { plan->of.a, x->values, z->values, get(alpha, type, 0), get(beta, type, 0),
                        plan->of.name };

    if (!handle || y != z)
        return CUSPARSE_STATUS_INVALID_VALUE;
    fake_submit(multiply, &p, sizeof p);
    return CUSPARSE_STATUS_SUCCESS;
}
#endif
