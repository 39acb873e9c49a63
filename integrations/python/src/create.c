/* create.c: a Plan from the arrays of a matrix in CSR or, transposed, in CSC: by conversion or from
 * a saved file. */
#include "plan.h"

#include "device.h"
#include "error.h"

typedef struct request {
    PyObject *indptr, *indices, *data;
    PyObject *path;              /* bytes, or NULL: not from a file */
    spmv_plan_options options;
    Py_ssize_t rows, cols;       /* of the matrix whose CSR the arrays are */
    int64_t nnz;
    int shared;                  /* indices and data are a matrix's, which SciPy may sort in place:
                                    the columns of each row, adding up entries of one place */
    int is_unordered;            /* shared, and not sorted yet */
} request;

/* Returns 0 if kernels can read the array in place, or -1 with an exception set. */
static int check_array(PyObject *object, const char *name)
{
    if (PyArray_CheckExact(object) && PyArray_NDIM((PyArrayObject *)object) == 1 &&
        PyArray_ISCARRAY_RO((PyArrayObject *)object) &&
        PyArray_ISNOTSWAPPED((PyArrayObject *)object))
        return 0;
    PyErr_Format(PyExc_TypeError, "%s is not a contiguous 1-D array; spmvgen.plan converts it",
                 name);
    return -1;
}

/* Signed integers of bits / 8 bytes, whichever C type they have. */
static int is_integer(PyObject *array, int bits)
{
    PyArrayObject *a = (PyArrayObject *)array;

    return PyTypeNum_ISSIGNED(PyArray_TYPE(a)) && PyArray_ITEMSIZE(a) * 8 == bits;
}

/* The number of nonzeros: the last offset. */
static int64_t last_offset(const request *r)
{
    const void *offsets = PyArray_DATA((PyArrayObject *)r->indptr);

    return is_integer(r->indptr, 64) ? ((const int64_t *)offsets)[r->rows]
                                     : ((const int32_t *)offsets)[r->rows];
}

static int check_types(const request *r)
{
    const int type = PyArray_TYPE((PyArrayObject *)r->data);

    if (!is_integer(r->indptr, 32) && !is_integer(r->indptr, 64))
        PyErr_SetString(PyExc_TypeError, "indptr is not int32 or int64; spmvgen.plan converts it");
    else if (!is_integer(r->indices, 32))
        PyErr_SetString(PyExc_TypeError, "indices is not int32; spmvgen.plan converts it");
    else if (type != NPY_FLOAT && type != NPY_DOUBLE)
        PyErr_SetString(PyExc_TypeError, "data is not float32 or float64; spmvgen.plan says what "
                        "to do");
    else
        return 0;
    return -1;
}

/* Checks types and lengths, which libspmv cannot see, and sets nnz. libspmv checks the contents. */
static int check_arrays(request *r)
{
    if (check_array(r->indptr, "indptr") || check_array(r->indices, "indices") ||
        check_array(r->data, "data") || check_types(r))
        return -1;
    if (r->rows < 0 || r->cols < 0) {
        PyErr_Format(PyExc_ValueError, "the shape is (%zd, %zd); expected no negative number",
                     r->rows, r->cols);
        return -1;
    }
    if (PyArray_DIM((PyArrayObject *)r->indptr, 0) - 1 != r->rows) {
        PyErr_Format(PyExc_ValueError, "indptr has %zd entries; expected %zu, one more than rows",
                     (Py_ssize_t)PyArray_DIM((PyArrayObject *)r->indptr, 0), (size_t)r->rows + 1);
        return -1;
    }
    r->nnz = last_offset(r);
    if (r->nnz < 0 || r->nnz > PyArray_DIM((PyArrayObject *)r->indices, 0) ||
        r->nnz > PyArray_DIM((PyArrayObject *)r->data, 0)) {
        PyErr_Format(PyExc_ValueError,
                     "indptr ends with %lld; expected at most the %zd entries of indices and the "
                     "%zd of data", (long long)r->nnz,
                     (Py_ssize_t)PyArray_DIM((PyArrayObject *)r->indices, 0),
                     (Py_ssize_t)PyArray_DIM((PyArrayObject *)r->data, 0));
        return -1;
    }
    return 0;
}

static spmv_csr csr_of(const request *r)
{
    return (spmv_csr){
        .rows = r->rows,
        .cols = r->cols,
        .nnz = r->nnz,
        .row_ptr = PyArray_DATA((PyArrayObject *)r->indptr),
        .col_idx = PyArray_DATA((PyArrayObject *)r->indices),
        .val = PyArray_DATA((PyArrayObject *)r->data),
        .offset_type = is_integer(r->indptr, 64) ? SPMV_I64 : SPMV_I32,
        .value_type = PyArray_TYPE((PyArrayObject *)r->data) == NPY_FLOAT ? SPMV_F32 : SPMV_F64,
    };
}

/* Whether the columns of each row ascend without repetition: a column that is not above the one
 * before begins a row. Offsets that do not rise are left to libspmv's checks. */
static int has_ascending_columns(const spmv_csr *csr)
{
    const int32_t *col = csr->col_idx;
    int64_t begin = 0, descents = 0;

    for (int64_t k = 1; k < csr->nnz; k++)           /* compilers vectorise this */
        descents += col[k] <= col[k - 1];
    for (int64_t i = 1; i <= csr->rows; i++) {
        const int64_t end = csr->offset_type == SPMV_I64 ? ((const int64_t *)csr->row_ptr)[i]
                                                         : ((const int32_t *)csr->row_ptr)[i];

        if (end < begin || end > csr->nnz)
            return 0;
        if (end > begin && begin > 0)
            descents -= col[begin] <= col[begin - 1];
        begin = end;
    }
    return descents == 0;
}

/* Returns 0, or -1 with an exception set. The caller releases r->path. */
static int parse(request *r, PyObject *args, PyObject *keywords)
{
    static const char *const names[] = {
        "indptr", "indices", "data", "rows", "cols", "expected_runs", "method", "target", "threads",
        "copy", "choice", "settings", "measure", "savable", "transposed", "symmetric", "path",
        "shared", NULL,
    };
    spmv_plan_options *o = &r->options;

    o->struct_size = sizeof *o;
    o->full_check = 1;           /* a Python program must not crash by a wrong column */
    return PyArg_ParseTupleAndKeywords(
               args, keywords, "OOOnn|$izziizzpppiO&p:Plan", (char **)(void *)names, &r->indptr,
               &r->indices, &r->data, &r->rows, &r->cols, &o->expected_runs, &o->method,
               &o->target, &o->threads, &o->copy, &o->choice, &o->settings, &o->measure,
               &o->savable, &o->transposed, &o->symmetric, PyUnicode_FSConverter, &r->path,
               &r->shared)
               ? 0
               : -1;
}

static spmv_plan *create(request *r)
{
    spmv_device *device = device_get();
    const spmv_csr csr = csr_of(r);
    const char *path = r->path ? PyBytes_AsString(r->path) : NULL;
    spmv_plan *plan = NULL;
    spmv_status status;
    spmv_error err;

    if (!device || (r->path && !path))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    r->is_unordered = r->shared && !has_ascending_columns(&csr);
    r->options.copy |= r->is_unordered;
    status = path ? spmv_plan_load(device, &csr, &r->options, path, &plan, &err)
                  : spmv_plan_create(device, &csr, &r->options, &plan, &err);
    Py_END_ALLOW_THREADS
    if (status != SPMV_OK)
        error_raise(&err);
    return plan;
}

/* Keeps the arrays that the plan reads, and indptr. */
static void keep_arrays(plan_object *self, const request *r)
{
    spmv_plan_info info = {.struct_size = sizeof info};

    spmv_plan_query(self->plan, &info);
    self->workspace_bytes = info.workspace_bytes;
    if (info.borrows & SPMV_BORROWS_COL_IDX)
        self->indices = Py_NewRef(r->indices);
    if (info.borrows & SPMV_BORROWS_VAL)
        self->data = Py_NewRef(r->data);
    self->indptr = Py_NewRef(r->indptr);
    self->is_unordered = r->is_unordered;
}

PyObject *plan_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    request r = {0};
    plan_object *self;

    if (parse(&r, args, keywords) || check_arrays(&r)) {
        Py_XDECREF(r.path);
        return NULL;
    }
    self = (plan_object *)allocate(type, 0);     /* all fields are zero */
    if (self) {
        self->rows = r.options.transposed ? r.cols : r.rows;
        self->cols = r.options.transposed ? r.rows : r.cols;
        self->nnz = (npy_intp)r.nnz;
        self->type_num = PyArray_TYPE((PyArrayObject *)r.data);
        self->plan = create(&r);
        if (self->plan)
            keep_arrays(self, &r);
        else
            Py_CLEAR(self);
    }
    Py_XDECREF(r.path);
    return (PyObject *)self;
}
