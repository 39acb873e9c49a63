/* algorithms.c: see algorithms.h. */
#include "bench/gpu/algorithms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/format.h"
#include "bench/race/timing.h"
#include "common/fail.h"

/* ---- the algorithms ------------------------------------------------------------------------ */

typedef struct algorithm {
    const char *name;
    const char *detail;
    gpu_format format;
    int64_t edge;                /* of slices or blocks */
    double most;                 /* limit for values stored over nnz */
    int algorithm;               /* a cusparseSpMVAlg_t, or of SpMVOp a cusparseSpMVOpAlg_t */
    bool is_operation;           /* SpMVOp */
} algorithm;

/* meson.build tests at configuration which algorithms the library has. */
static const algorithm algorithms[] = {
    { "CSR_ALG1", "", GPU_CSR, 1, 1, CUSPARSE_SPMV_CSR_ALG1, false },
    { "CSR_ALG2", "", GPU_CSR, 1, 1, CUSPARSE_SPMV_CSR_ALG2, false },
    /* With 64-bit offsets some versions require 64-bit columns. */
    { "CSR_ALG1", "columns of 64 bits", GPU_WIDE, 1, 1, CUSPARSE_SPMV_CSR_ALG1, false },
    { "CSR_ALG2", "columns of 64 bits", GPU_WIDE, 1, 1, CUSPARSE_SPMV_CSR_ALG2, false },
    { "COO_ALG1", "", GPU_COO, 1, 1, CUSPARSE_SPMV_COO_ALG1, false },
    { "COO_ALG2", "", GPU_COO, 1, 1, CUSPARSE_SPMV_COO_ALG2, false },
#ifdef HAVE_CUSPARSE_SELL
    { "SELL_ALG1", "slices of 32", GPU_SELL, 32, 3, CUSPARSE_SPMV_SELL_ALG1, false },
#endif
#ifdef HAVE_CUSPARSE_BSR
    { "BSR_ALG1", "blocks of 2", GPU_BSR, 2, 1.5, CUSPARSE_SPMV_BSR_ALG1, false },
    { "BSR_ALG1", "blocks of 3", GPU_BSR, 3, 1.5, CUSPARSE_SPMV_BSR_ALG1, false },
    { "BSR_ALG1", "blocks of 4", GPU_BSR, 4, 1.5, CUSPARSE_SPMV_BSR_ALG1, false },
#endif
#ifdef HAVE_CUSPARSE_SPMVOP
    { "SPMVOP_ALG1", "", GPU_CSR, 1, 1, CUSPARSE_SPMVOP_ALG1, true },
    { "SPMVOP_ALG2", "", GPU_CSR, 1, 1, CUSPARSE_SPMVOP_ALG2, true },
#endif
};
enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

const char *gpu_algorithms_known(void)
{
    return "CSR_ALG1, CSR_ALG2, COO_ALG1, COO_ALG2"
#ifdef HAVE_CUSPARSE_SELL
           ", SELL_ALG1"
#endif
#ifdef HAVE_CUSPARSE_BSR
           ", BSR_ALG1"
#endif
#ifdef HAVE_CUSPARSE_SPMVOP
           ", SPMVOP_ALG1, SPMVOP_ALG2"
#endif
#ifdef HAVE_CUSPARSE_PREPROCESS
           "; preprocessed"
#else
           "; without preprocessing, which this version does not have"
#endif
        ;
}

static bool check(cusparseStatus_t status, const char *call, spmv_error *error)
{
    if (status == CUSPARSE_STATUS_SUCCESS)
        return true;
    return sg_fail(error, "%.*s: %s (%s)", (int)strcspn(call, "("), call,
                   cusparseGetErrorString(status), cusparseGetErrorName(status));
}
#define TRY(call, error) check((call), #call, (error))

bool gpu_cusparse_open(const gpu_device *device, cusparseHandle_t *out, spmv_error *error)
{
    *out = NULL;
    return TRY(cusparseCreate(out), error) && TRY(cusparseSetStream(*out, device->stream), error) &&
           TRY(cusparseSetPointerMode(*out, CUSPARSE_POINTER_MODE_HOST), error);
}

int gpu_cusparse_version(cusparseHandle_t handle)
{
    int version = 0;

    return cusparseGetVersion(handle, &version) == CUSPARSE_STATUS_SUCCESS ? version : 0;
}

/* ---- replicas ------------------------------------------------------------------------------ */

typedef struct replica {
    void *first, *columns, *values, *buffer;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
#ifdef HAVE_CUSPARSE_SPMVOP
    cusparseSpMVOpDescr_t operation;
    cusparseSpMVOpPlan_t plan;
#endif
} replica;

typedef struct scalar {
    float f32;
    double f64;
} scalar;

typedef struct algorithm_state {
    cusparseHandle_t handle;
    const algorithm *algorithm;
    cudaDataType type;
    scalar alpha, beta;
    replica replica[GPU_MAX_REPLICAS];
} algorithm_state;

static const void *pointer_to(const algorithm_state *s, const scalar *number)
{
    return s->type == CUDA_R_32F ? (const void *)&number->f32 : (const void *)&number->f64;
}

static cusparseSpMVAlg_t spmv_algorithm(const algorithm_state *s)
{
    return (cusparseSpMVAlg_t)s->algorithm->algorithm;
}

static cusparseIndexType_t index_of(int bytes)
{
    return bytes == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}

static bool describe(const algorithm_state *s, const gpu_arrays *a, int64_t nnz, replica *r,
                     spmv_error *error)
{
    const cusparseIndexType_t first = index_of(a->first_bytes), column = index_of(a->column_bytes);
    const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;

    switch (a->format) {
    case GPU_CSR:
    case GPU_WIDE:
        return TRY(cusparseCreateCsr(&r->matrix, a->rows, a->cols, nnz, r->first, r->columns,
                                     r->values, first, column, base, s->type), error);
    case GPU_COO:
        return TRY(cusparseCreateCoo(&r->matrix, a->rows, a->cols, nnz, r->first, r->columns,
                                     r->values, column, base, s->type), error);
    case GPU_SELL:
#ifdef HAVE_CUSPARSE_SELL
        return TRY(cusparseCreateSlicedEll(&r->matrix, a->rows, a->cols, nnz, a->stored, a->edge,
                                           r->first, r->columns, r->values, first, column, base,
                                           s->type), error);
#endif
    case GPU_BSR:
#ifdef HAVE_CUSPARSE_BSR
        if (a->format == GPU_BSR)
            return TRY(cusparseCreateBsr(&r->matrix, a->rows, a->cols,
                                         a->stored / (a->edge * a->edge), a->edge, a->edge,
                                         r->first, r->columns, r->values, first, column, base,
                                         s->type, CUSPARSE_ORDER_ROW), error);
#endif
        break;
    }
    return sg_fail(error, "this version of cuSPARSE lacks the format");
}

/* Vectors as long as the matrix. BSR has only whole blocks, and vectors have room for them. */
static bool describe_vectors(const gpu_contender *c, const gpu_arrays *a, size_t index, replica *r,
                             spmv_error *error)
{
    const algorithm_state *s = c->state;
    const int64_t edge = a->format == GPU_BSR ? a->edge : 1;

    return TRY(cusparseCreateDnVec(&r->x, a->cols * edge, c->setup->vectors->x[index], s->type),
               error) &&
           TRY(cusparseCreateDnVec(&r->y, a->rows * edge, c->setup->vectors->y[index], s->type),
               error);
}

static bool upload(const gpu_arrays *a, replica *r, spmv_error *error)
{
    return gpu_upload(a->first.data, a->first.bytes, a->first.bytes, &r->first, error) &&
           gpu_upload(a->columns.data, a->columns.bytes, a->columns.bytes, &r->columns, error) &&
           gpu_upload(a->values.data, a->values.bytes, a->values.bytes, &r->values, error);
}

/* ---- SpMVOp -------------------------------------------------------------------------------- */

#ifdef HAVE_CUSPARSE_SPMVOP
static bool size_operation(const algorithm_state *s, const replica *r, size_t *bytes,
                           spmv_error *error)
{
    return TRY(cusparseSpMVOp_bufferSize(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, r->matrix,
                                         r->x, r->y, r->y, s->type,
                                         (cusparseSpMVOpAlg_t)s->algorithm->algorithm, bytes),
               error);
}

/* A plan without an epilogue of the caller's: z = alpha*A*x + beta*y, where z is y. */
static bool plan_operation(const algorithm_state *s, replica *r, spmv_error *error)
{
    return TRY(cusparseSpMVOp_createDescr(s->handle, &r->operation,
                                          CUSPARSE_OPERATION_NON_TRANSPOSE, r->matrix, r->x, r->y,
                                          r->y, s->type,
                                          (cusparseSpMVOpAlg_t)s->algorithm->algorithm, r->buffer),
               error) &&
           TRY(cusparseSpMVOp_createPlan(s->handle, r->operation, &r->plan, NULL, 0), error);
}

static bool enqueue_operation(const algorithm_state *s, const replica *r, spmv_error *error)
{
    return TRY(cusparseSpMVOp(s->handle, r->plan, pointer_to(s, &s->alpha),
                              pointer_to(s, &s->beta), r->x, r->y, r->y), error);
}

static void destroy_operation(replica *r)
{
    if (r->plan)
        cusparseSpMVOp_destroyPlan(r->plan);
    if (r->operation)
        cusparseSpMVOp_destroyDescr(r->operation);
}
#else
/* Without SpMVOp in the table of algorithms nothing calls these. */
#define size_operation(s, r, bytes, error) false
#define plan_operation(s, r, error) false
#define enqueue_operation(s, r, error) false
#define destroy_operation(r) ((void)0)
#endif

/* ---- analysis ------------------------------------------------------------------------------ */

/* Allocates the buffer and preprocesses the matrix. *seconds excludes the allocation. */
static bool analyse(const algorithm_state *s, replica *r, double *seconds, spmv_error *error)
{
    const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const void *alpha = pointer_to(s, &s->alpha), *beta = pointer_to(s, &s->beta);
    const double begin = bench_seconds();
    size_t bytes = 0;

    if (s->algorithm->is_operation
            ? !size_operation(s, r, &bytes, error)
            : !TRY(cusparseSpMV_bufferSize(s->handle, plain, alpha, r->matrix, r->x, beta, r->y,
                                           s->type, spmv_algorithm(s), &bytes), error))
        return false;
    const double sized = bench_seconds();
    if (!GPU_TRY(cudaMalloc(&r->buffer, bytes > 0 ? bytes : 1), error))
        return false;
    const double allocated = bench_seconds();
    if (s->algorithm->is_operation && !plan_operation(s, r, error))
        return false;
#ifdef HAVE_CUSPARSE_PREPROCESS
    if (!s->algorithm->is_operation &&
        !TRY(cusparseSpMV_preprocess(s->handle, plain, alpha, r->matrix, r->x, beta, r->y, s->type,
                                     spmv_algorithm(s), r->buffer), error))
        return false;
#endif
    if (!GPU_TRY(cudaDeviceSynchronize(), error))
        return false;
    *seconds = sized - begin + bench_seconds() - allocated;
    return true;
}

static bool prepare(gpu_contender *c, spmv_error *error)
{
    algorithm_state *s = c->state;
    const spmv_csr *csr = &c->setup->problem->matrix->csr;
    double ready[GPU_MAX_REPLICAS], analysis[GPU_MAX_REPLICAS];
    const double begin = bench_seconds();
    const size_t count = c->setup->vectors->count;
    gpu_arrays arrays;
    bool good = true;

    const spmv_status status = gpu_arrays_create(csr, s->algorithm->format, s->algorithm->edge,
                                                 &arrays);
    const double converted = bench_seconds() - begin;
    if (status)
        return sg_fail(error, "the format on the host: status %d", (int)status);
    for (size_t i = 0; i < count && good; i++) {
        const double before = bench_seconds();
        good = upload(&arrays, &s->replica[i], error) &&
               describe(s, &arrays, csr->nnz, &s->replica[i], error) &&
               describe_vectors(c, &arrays, i, &s->replica[i], error) &&
               analyse(s, &s->replica[i], &analysis[i], error);
        ready[i] = converted + bench_seconds() - before;
    }
    if (good) {
        c->stored = csr->nnz > 0 ? (double)arrays.stored / (double)csr->nnz : 1;
        c->first_seconds = ready[0];
        c->prepare_seconds = bench_median(ready, count);
        c->analysis_seconds = bench_median(analysis, count);
    }
    gpu_arrays_destroy(&arrays);
    return good;
}

static bool enqueue(const gpu_contender *c, size_t index, spmv_error *error)
{
    const algorithm_state *s = c->state;
    const replica *r = &s->replica[index];

    if (s->algorithm->is_operation)
        return enqueue_operation(s, r, error);
    return TRY(cusparseSpMV(s->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, pointer_to(s, &s->alpha),
                            r->matrix, r->x, pointer_to(s, &s->beta), r->y, s->type,
                            spmv_algorithm(s), r->buffer), error);
}

static void destroy(gpu_contender *c)
{
    algorithm_state *s = c->state;

    for (size_t i = 0; i < GPU_MAX_REPLICAS; i++) {
        replica *r = &s->replica[i];
        destroy_operation(r);
        if (r->matrix)
            cusparseDestroySpMat(r->matrix);
        if (r->x)
            cusparseDestroyDnVec(r->x);
        if (r->y)
            cusparseDestroyDnVec(r->y);
        cudaFree(r->buffer);
        cudaFree(r->values);
        cudaFree(r->columns);
        cudaFree(r->first);
    }
    free(s);
}

static const gpu_kind kind = { "cusparse", prepare, enqueue, destroy };

/* ---- the list ------------------------------------------------------------------------------ */

/* Whether the algorithm supports the matrix's types, and the format does not pad too much. */
static bool suits(const algorithm *a, const spmv_csr *csr)
{
    if (csr->offset_type == SPMV_I64)
        return a->format == GPU_CSR || a->format == GPU_WIDE;
    if (a->format == GPU_WIDE)
        return false;
    return a->most <= 1 ||
           (double)gpu_format_stored(csr, a->format, a->edge) <= a->most * (double)csr->nnz;
}

static bool make(cusparseHandle_t handle, const algorithm *a, const gpu_setup *setup,
                 gpu_contender *out)
{
    const gpu_problem *p = setup->problem;
    algorithm_state *s = calloc(1, sizeof *s);

    if (!s)
        return false;
    s->handle = handle;
    s->algorithm = a;
    s->type = p->matrix->csr.value_type == SPMV_F32 ? CUDA_R_32F : CUDA_R_64F;
    s->alpha = (scalar){ (float)p->alpha, p->alpha };
    s->beta = (scalar){ (float)p->beta, p->beta };
    *out = (gpu_contender){ .kind = &kind, .setup = setup, .state = s };
    snprintf(out->name, sizeof out->name, "%s", a->name);
    snprintf(out->target, sizeof out->target, "cusparse");
    snprintf(out->detail, sizeof out->detail, "%s", a->detail);
    return true;
}

size_t gpu_algorithms_list(cusparseHandle_t handle, const gpu_setup *setup, gpu_contender *out,
                           size_t room, spmv_error *error)
{
    size_t count = 0;

    for (size_t i = 0; i < ALGORITHMS; i++) {
        if (!suits(&algorithms[i], &setup->problem->matrix->csr))
            continue;
        if (count < room && !make(handle, &algorithms[i], setup, &out[count]))
            sg_fail(error, "out of memory");
        count++;
    }
    return count;
}
