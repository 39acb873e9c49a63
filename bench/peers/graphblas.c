/* graphblas.c: SuiteSparse:GraphBLAS, GrB_mxv in the plus-times semiring, accumulated into a full
 * y. Vectors borrow x and y for a run, without a copy. GraphBLAS frees arrays that are packed into
 * vectors, so the allocator here must not free borrowed memory. */
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/spmv_peer.h"

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

typedef struct grb_state {
    GrB_Matrix matrix;
    GrB_Vector x, y;
    GrB_BinaryOp plus;
    GrB_Semiring plus_times;
    size_t value_bytes;
    int64_t inputs, outputs;     /* values of x and of y */
    int64_t rows, nnz;
    GrB_Descriptor descriptor;   /* transposes the matrix, or not */
    int threads;
} grb_state;

/* ---- borrowed memory ----------------------------------------------------------------------- */

static const void *lent_x, *lent_y;

static int is_borrowed(const void *memory)
{
    return memory && (memory == lent_x || memory == lent_y);
}

static void release(void *memory)
{
    if (!is_borrowed(memory))
        free(memory);
}

/* The size of borrowed memory is unknown, so it cannot grow. */
static void *resize(void *memory, size_t bytes)
{
    return is_borrowed(memory) ? NULL : realloc(memory, bytes);
}

/* ---- the peer ------------------------------------------------------------------------------ */

static void destroy(void *state)
{
    grb_state *s = (grb_state *)state;

    GrB_Matrix_free(&s->matrix);
    GrB_Vector_free(&s->x);
    GrB_Vector_free(&s->y);
    free(s);
}

/* GraphBLAS has 64-bit indices. */
static GrB_Info import(const spmv_peer_matrix *a, GrB_Type type, GrB_Matrix *out)
{
    GrB_Index *row_ptr = (GrB_Index *)malloc(((size_t)a->rows + 1) * sizeof *row_ptr);
    GrB_Index *col_idx = (GrB_Index *)malloc(((size_t)a->nnz + 1) * sizeof *col_idx);
    const GrB_Index rows = (GrB_Index)a->rows, cols = (GrB_Index)a->cols, nnz = (GrB_Index)a->nnz;
    GrB_Info info = GrB_OUT_OF_MEMORY;

    for (int64_t r = 0; r <= a->rows && row_ptr; r++)
        row_ptr[r] = (GrB_Index)(a->offset_bits == 64 ? ((const int64_t *)a->row_ptr)[r]
                                                      : ((const int32_t *)a->row_ptr)[r]);
    for (int64_t k = 0; k < a->nnz && col_idx; k++)
        col_idx[k] = (GrB_Index)a->col_idx[k];
    if (row_ptr && col_idx)
        info =
            a->value_bits == 64
                ? GrB_Matrix_import_FP64(out, type, rows, cols, row_ptr, col_idx,
                                         (const double *)a->val, rows + 1, nnz, nnz, GrB_CSR_FORMAT)
                : GrB_Matrix_import_FP32(out, type, rows, cols, row_ptr, col_idx,
                                         (const float *)a->val, rows + 1, nnz, nnz, GrB_CSR_FORMAT);
    free(row_ptr);
    free(col_idx);
    return info;
}

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    static int is_started;
    const int is_f64 = a->value_bits == 64;
    const GrB_Type type = is_f64 ? GrB_FP64 : GrB_FP32;
    grb_state *s = (grb_state *)calloc(1, sizeof *s);
    GrB_Info info = s ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;

    if (s && !is_started &&
        (info = GxB_init(GrB_NONBLOCKING, malloc, calloc, resize, release)) == GrB_SUCCESS)
        is_started = 1;
    if (info == GrB_SUCCESS)
        info = GxB_Global_Option_set_INT32(GxB_GLOBAL_NTHREADS, a->threads);
    if (info == GrB_SUCCESS && import(a, type, &s->matrix) != GrB_SUCCESS) {
        snprintf(message, bytes, "it does not take this CSR: a column may stand twice in a row");
        destroy(s);
        return SPMV_PEER_NOT_APPLICABLE;
    }
    if (s) {
        s->inputs = a->transposed ? a->rows : a->cols;
        s->outputs = a->transposed ? a->cols : a->rows;
        s->descriptor = a->transposed ? GrB_DESC_T0 : GrB_NULL;
    }
    if (info == GrB_SUCCESS)
        info = GrB_Vector_new(&s->x, type, (GrB_Index)s->inputs);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_new(&s->y, type, (GrB_Index)s->outputs);
    if (info != GrB_SUCCESS) {
        snprintf(message, bytes, "GraphBLAS: error %d", (int)info);
        if (s)
            destroy(s);
        return SPMV_PEER_FAILED;
    }
    s->plus = is_f64 ? GrB_PLUS_FP64 : GrB_PLUS_FP32;
    s->plus_times = is_f64 ? GrB_PLUS_TIMES_SEMIRING_FP64 : GrB_PLUS_TIMES_SEMIRING_FP32;
    s->value_bytes = (size_t)a->value_bits / 8;
    s->rows = a->rows;
    s->nnz = a->nnz;
    s->threads = a->threads;
    *state = s;
    return SPMV_PEER_OK;
}

/* Zeroes y with the number of threads of the product. */
static void clear(char *y, size_t bytes, int threads)
{
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(threads)
#endif
    for (int t = 0; t < threads; t++) {
        const size_t share = bytes / (size_t)threads, first = share * (size_t)t;
        memset(y + first, 0, t + 1 < threads ? share : bytes - first);
    }
}

/* y += A*x. The vectors no longer borrow x and y when it returns. */
static GrB_Info add_product(grb_state *s, const void *x, void *y)
{
    const GrB_Index x_bytes = (GrB_Index)s->inputs * s->value_bytes;
    const GrB_Index y_bytes = (GrB_Index)s->outputs * s->value_bytes;
    void *given_x = (void *)(uintptr_t)x, *given_y = y, *back_x = NULL, *back_y = NULL;
    GrB_Index size = 0;
    bool is_one = false;

    lent_x = x;
    lent_y = y;
    GrB_Info info = GxB_Vector_pack_Full(s->x, &given_x, x_bytes, false, NULL);
    if (info == GrB_SUCCESS)
        info = GxB_Vector_pack_Full(s->y, &given_y, y_bytes, false, NULL);
    if (info == GrB_SUCCESS)
        info = GrB_mxv(s->y, NULL, s->plus, s->plus_times, s->matrix, s->x,
                       s->descriptor);
    if (info == GrB_SUCCESS)
        info = GrB_Vector_wait(s->y, GrB_MATERIALIZE);
    if (info == GrB_SUCCESS)
        info = GxB_Vector_unpack_Full(s->x, &back_x, &size, &is_one, NULL);
    if (info == GrB_SUCCESS)
        info = GxB_Vector_unpack_Full(s->y, &back_y, &size, &is_one, NULL);
    if (info == GrB_SUCCESS && is_one)
        info = GrB_INVALID_OBJECT;   /* y became iso-valued, which never happens here */
    if (info == GrB_SUCCESS && back_y != y)
        memcpy(y, back_y, y_bytes);
    release(back_y);
    if (info != GrB_SUCCESS) {
        GrB_Vector_clear(s->x);      /* releases borrowed memory, which has no effect */
        GrB_Vector_clear(s->y);
    }
    lent_x = lent_y = NULL;
    return info;
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    grb_state *s = (grb_state *)state;

    if (alpha != 1 || (beta != 0 && beta != 1))
        return SPMV_PEER_NOT_APPLICABLE;
    if (beta == 0)
        clear((char *)y, (size_t)s->outputs * s->value_bytes, s->threads);
    if (s->outputs == 0 || s->inputs == 0)
        return SPMV_PEER_OK;
    return add_product(s, x, y) == GrB_SUCCESS ? SPMV_PEER_OK : SPMV_PEER_FAILED;
}

static size_t layout_bytes(const void *state)
{
    const grb_state *s = (const grb_state *)state;

    return (size_t)s->nnz * (s->value_bytes + 8) + ((size_t)s->rows + 1) * 8;
}

static const spmv_peer graphblas = {
    SPMV_PEER_VERSION, "graphblas",
    "SuiteSparse:GraphBLAS " TEXT(GxB_IMPLEMENTATION_MAJOR) "." TEXT(GxB_IMPLEMENTATION_MINOR) "."
    TEXT(GxB_IMPLEMENTATION_SUB), prepare, run, destroy, layout_bytes, NULL,
    SPMV_PEER_TRANSPOSED,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &graphblas, NULL };
