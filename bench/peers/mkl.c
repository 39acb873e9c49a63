/* mkl.c: Intel oneMKL's inspector-executor interface. The library is opened at run time:
 * SPMV_MKL_LIBRARY, or libmkl_rt.so by its names. Types and numbers are from Intel's "oneMKL
 * Developer Reference for C", Inspector-Executor Sparse BLAS, with 32-bit indices. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/spmv_peer.h"

typedef void *mkl_matrix;

/* struct matrix_descr */
typedef struct mkl_descr {
    int type, mode, diag;
} mkl_descr;

enum {
    MKL_SUCCESS = 0,             /* SPARSE_STATUS_SUCCESS */
    MKL_FROM_ZERO = 0,           /* SPARSE_INDEX_BASE_ZERO */
    MKL_NOT_TRANSPOSED = 10,     /* SPARSE_OPERATION_NON_TRANSPOSE */
    MKL_TRANSPOSED = 11,         /* SPARSE_OPERATION_TRANSPOSE */
    MKL_GENERAL = 20,            /* SPARSE_MATRIX_TYPE_GENERAL */
    MKL_ROW_MAJOR = 101,         /* SPARSE_LAYOUT_ROW_MAJOR */
    MKL_COLUMN_MAJOR = 102       /* SPARSE_LAYOUT_COLUMN_MAJOR */
};

static const mkl_descr general = { MKL_GENERAL, 0, 0 };

static struct {
    void *library;
    int (*create_f64)(mkl_matrix *a, int base, int rows, int cols, const int *begin, const int *end,
                      const int *col_idx, const double *val);
    int (*create_f32)(mkl_matrix *a, int base, int rows, int cols, const int *begin, const int *end,
                      const int *col_idx, const float *val);
    int (*set_mv_hint)(mkl_matrix a, int operation, mkl_descr descr, int runs);
    int (*optimize)(mkl_matrix a);
    int (*mv_f64)(int operation, double alpha, mkl_matrix a, mkl_descr descr, const double *x,
                  double beta, double *y);
    int (*mv_f32)(int operation, float alpha, mkl_matrix a, mkl_descr descr, const float *x,
                  float beta, float *y);
    int (*set_mm_hint)(mkl_matrix a, int operation, mkl_descr descr, int layout, int columns,
                       int runs);
    int (*mm_f64)(int operation, double alpha, mkl_matrix a, mkl_descr descr, int layout,
                  const double *x, int columns, int ldx, double beta, double *y, int ldy);
    int (*mm_f32)(int operation, float alpha, mkl_matrix a, mkl_descr descr, int layout,
                  const float *x, int columns, int ldx, float beta, float *y, int ldy);
    int (*destroy)(mkl_matrix a);
    void (*set_threads)(int threads);
    void (*set_dynamic)(int may_use_fewer);
} mkl;

typedef struct mkl_state {
    mkl_matrix matrix;
    int is_f64;
    int operation;
    int layout, columns, ldx, ldy;
} mkl_state;

/* ---- the library --------------------------------------------------------------------------- */

static int find(void *function, const char *name)
{
    void *found = dlsym(mkl.library, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static int open_library(char *message, size_t bytes)
{
    const char *variable = getenv("SPMV_MKL_LIBRARY");
    const char *named = variable && *variable ? variable : NULL;
    const char *const names[] = { "libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so" };
    int good;

    if (mkl.library)
        return 1;
    /* 32-bit indices, and the process's OpenMP runtime instead of a second one. */
    setenv("MKL_INTERFACE_LAYER", "LP64", 1);
#ifdef _OPENMP
    setenv("MKL_THREADING_LAYER", "GNU", 0);
#else
    setenv("MKL_THREADING_LAYER", "SEQUENTIAL", 0);
#endif
    if (named)
        mkl.library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !named && !mkl.library; i++)
        mkl.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!mkl.library) {
        if (named)
            snprintf(message, bytes, "SPMV_MKL_LIBRARY: %s", dlerror());
        else
            snprintf(message, bytes,
                     "there is no libmkl_rt.so; SPMV_MKL_LIBRARY=FILE says where it is");
        return 0;
    }
    good = find(&mkl.create_f64, "mkl_sparse_d_create_csr") &&
           find(&mkl.create_f32, "mkl_sparse_s_create_csr") &&
           find(&mkl.set_mv_hint, "mkl_sparse_set_mv_hint") &&
           find(&mkl.optimize, "mkl_sparse_optimize") && find(&mkl.mv_f64, "mkl_sparse_d_mv") &&
           find(&mkl.mv_f32, "mkl_sparse_s_mv") &&
           find(&mkl.set_mm_hint, "mkl_sparse_set_mm_hint") &&
           find(&mkl.mm_f64, "mkl_sparse_d_mm") && find(&mkl.mm_f32, "mkl_sparse_s_mm") &&
           find(&mkl.destroy, "mkl_sparse_destroy") &&
           find(&mkl.set_threads, "MKL_Set_Num_Threads") &&
           find(&mkl.set_dynamic, "MKL_Set_Dynamic");
    if (!good) {
        snprintf(message, bytes, "%s has no inspector-executor interface",
                 named ? named : "libmkl_rt.so");
        dlclose(mkl.library);
        mkl.library = NULL;
    }
    return good;
}

/* ---- the peer ------------------------------------------------------------------------------ */

static spmv_peer_status prepare(const spmv_peer_matrix *a, void **state, char *message,
                                size_t bytes)
{
    const int *row_ptr = (const int *)a->row_ptr;
    mkl_state *s;
    int code;

    if (a->offset_bits != 32 || a->rows == 0 || a->cols == 0) {
        snprintf(message, bytes, "row pointers of 64 bits, or an empty matrix");
        return SPMV_PEER_NOT_APPLICABLE;
    }
    if (!open_library(message, bytes))
        return SPMV_PEER_NOT_APPLICABLE;
    s = (mkl_state *)calloc(1, sizeof *s);
    if (!s) {
        snprintf(message, bytes, "no memory");
        return SPMV_PEER_FAILED;
    }
    s->is_f64 = a->value_bits == 64;
    s->operation = a->transposed ? MKL_TRANSPOSED : MKL_NOT_TRANSPOSED;
    s->layout = a->column_major ? MKL_COLUMN_MAJOR : MKL_ROW_MAJOR;
    s->columns = a->columns;
    s->ldx = (int)a->ldx;
    s->ldy = (int)a->ldy;
    mkl.set_dynamic(0);
    mkl.set_threads(a->threads);
    code = s->is_f64 ? mkl.create_f64(&s->matrix, MKL_FROM_ZERO, (int)a->rows, (int)a->cols,
                                      row_ptr, row_ptr + 1, a->col_idx, (const double *)a->val)
                     : mkl.create_f32(&s->matrix, MKL_FROM_ZERO, (int)a->rows, (int)a->cols,
                                      row_ptr, row_ptr + 1, a->col_idx, (const float *)a->val);
    if (code == MKL_SUCCESS && s->columns > 1)
        mkl.set_mm_hint(s->matrix, s->operation, general, s->layout, s->columns,
                        a->expected_runs);
    else if (code == MKL_SUCCESS)
        mkl.set_mv_hint(s->matrix, s->operation, general, a->expected_runs);
    if (code == MKL_SUCCESS)
        code = mkl.optimize(s->matrix);
    if (code != MKL_SUCCESS) {
        snprintf(message, bytes, "MKL: status %d", code);
        if (s->matrix)
            mkl.destroy(s->matrix);
        free(s);
        return SPMV_PEER_FAILED;
    }
    *state = s;
    return SPMV_PEER_OK;
}

static int multiply_columns(const mkl_state *s, double alpha, const void *x, double beta, void *y)
{
    return s->is_f64 ? mkl.mm_f64(s->operation, alpha, s->matrix, general, s->layout,
                                  (const double *)x, s->columns, s->ldx, beta, (double *)y, s->ldy)
                     : mkl.mm_f32(s->operation, (float)alpha, s->matrix, general, s->layout,
                                  (const float *)x, s->columns, s->ldx, (float)beta, (float *)y,
                                  s->ldy);
}

static spmv_peer_status run(void *state, double alpha, const void *x, double beta, void *y)
{
    const mkl_state *s = (const mkl_state *)state;
    const int code = s->columns > 1 ? multiply_columns(s, alpha, x, beta, y)
                     : s->is_f64 ? mkl.mv_f64(s->operation, alpha, s->matrix, general,
                                            (const double *)x, beta, (double *)y)
                               : mkl.mv_f32(s->operation, (float)alpha, s->matrix, general,
                                            (const float *)x, (float)beta, (float *)y);

    return code == MKL_SUCCESS ? SPMV_PEER_OK : SPMV_PEER_FAILED;
}

static void destroy(void *state)
{
    mkl.destroy(((mkl_state *)state)->matrix);
    free(state);
}

static const spmv_peer peer = {
    SPMV_PEER_VERSION, "mkl", "Intel oneMKL, inspector-executor", prepare, run, destroy, NULL, NULL,
    SPMV_PEER_TRANSPOSED | SPMV_PEER_COLUMNS,
};

extern const spmv_peer *const spmv_peer_table[];
const spmv_peer *const spmv_peer_table[] = { &peer, NULL };
