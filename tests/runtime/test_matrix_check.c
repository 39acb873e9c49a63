/* test_matrix_check.c: the error text of a refused matrix names the row or entry. */
#include "sample.h"

#include "../tap.h"

#include <stdlib.h>
#include <string.h>

/* The good matrix that every case spoils: 3 x 4, 5 nonzeros, base 1. */
static const int32_t good_row_ptr[] = {1, 3, 3, 6};
static const int32_t good_col_idx[] = {1, 4, 2, 2, 3};
static const double good_val[] = {1, 2, 3, 4, 5};
static const int64_t good_row_ptr64[] = {1, 3, 3, 6};

static spmv_csr good(void)
{
    return (spmv_csr){3, 4, 5, good_row_ptr, good_col_idx, good_val, 1, SPMV_I32, SPMV_F64};
}

static spmv_status create(const spmv_csr *csr, int full_check, int threads, spmv_error *err)
{
    const spmv_plan_options options = {.struct_size = sizeof options, .full_check = full_check,
                                       .threads = threads};
    spmv_device *device = sample_device();
    spmv_plan *plan = (spmv_plan *)&options;     /* anything but NULL */
    const spmv_status status = spmv_plan_create(device, csr, &options, &plan, err);

    if ((plan == NULL) != (status != SPMV_OK))
        ok(false, "a plan comes with success, and only then");
    spmv_plan_destroy(plan);
    spmv_device_close(device);
    return status;
}

static void refuse(const char *what, spmv_csr csr, spmv_status expected, const char *text)
{
    spmv_error err = {SPMV_OK, ""};
    const spmv_status status = create(&csr, 1, 1, &err);

    ok(status == expected && err.status == status, "refused: %s", what);
    if (!ok(strstr(err.text, text) != NULL, "the text says '%s'", text))
        diag("%s", err.text);
    ok(create(&csr, 1, 1, NULL) == expected, "the error may be NULL");
}

#define SPOIL(what, field, value, status, text)                                                    \
    do {                                                                                           \
        spmv_csr spoilt = good();                                                                  \
        spoilt.field = value;                                                                      \
        refuse(what, spoilt, status, text);                                                        \
    } while (0)

static void test_sizes(void)
{
    spmv_csr huge = good();

    SPOIL("rows < 0", rows, -1, SPMV_INVALID_MATRIX, "csr.rows is -1");
    SPOIL("rows = 2^31", rows, INT64_C(1) << 31, SPMV_INVALID_MATRIX, "csr.rows is 2147483648");
    SPOIL("cols < 0", cols, INT64_MIN, SPMV_INVALID_MATRIX, "csr.cols is -9223372036854775808");
    SPOIL("cols = 2^31", cols, INT64_C(1) << 31, SPMV_INVALID_MATRIX, "csr.cols is 2147483648");
    SPOIL("nnz < 0", nnz, -1, SPMV_INVALID_MATRIX, "csr.nnz is -1");
    SPOIL("nnz too large for the offsets", nnz, INT32_MAX, SPMV_INVALID_MATRIX, "SPMV_I64");
    SPOIL("entries without columns", cols, 0, SPMV_INVALID_MATRIX, "no place for entries");
    SPOIL("entries without rows", rows, 0, SPMV_INVALID_MATRIX, "no place for entries");
    SPOIL("base 2", base, 2, SPMV_INVALID_ARGUMENT, "csr.base is 2");
    SPOIL("base -1", base, -1, SPMV_INVALID_ARGUMENT, "csr.base is -1");
    SPOIL("no offset type", offset_type, (spmv_offset_type)0, SPMV_INVALID_ARGUMENT, "offset_type");
    SPOIL("no value type", value_type, (spmv_value_type)33, SPMV_INVALID_ARGUMENT, "value_type");
    huge.offset_type = SPMV_I64;
    huge.row_ptr = good_row_ptr64;
    huge.nnz = INT64_MAX;
    refuse("more bytes than there are addresses", huge, SPMV_OVERFLOW, "address space");
    huge.nnz = PTRDIFF_MAX / 8;
    refuse("the most bytes that there are addresses for", huge, SPMV_INVALID_MATRIX,
           "csr.row_ptr[rows] is 6");
    huge.nnz++;
    refuse("one value more", huge, SPMV_OVERFLOW, "val with");
}

static void test_pointers(void)
{
    SPOIL("no row_ptr", row_ptr, NULL, SPMV_INVALID_ARGUMENT, "csr.row_ptr is NULL");
    SPOIL("no col_idx", col_idx, NULL, SPMV_INVALID_ARGUMENT, "csr.col_idx is NULL");
    SPOIL("no val", val, NULL, SPMV_INVALID_ARGUMENT, "csr.val is NULL");
    SPOIL("row_ptr misaligned", row_ptr, (const char *)good_row_ptr + 1, SPMV_INVALID_ARGUMENT,
          "csr.row_ptr is at");
    SPOIL("val misaligned", val, (const char *)good_val + 2, SPMV_INVALID_ARGUMENT,
          "csr.val is at");
}

static void test_row_ptr(void)
{
    static const int32_t wrong_start[] = {0, 3, 3, 6};
    static const int32_t wrong_end[] = {1, 3, 3, 5};
    static const int32_t falling[] = {1, 7, 3, 6};
    static const int32_t falling_below[] = {1, INT32_MIN, INT32_MAX, 6};
    static const int64_t falling64[] = {1, INT64_MAX, INT64_MIN, 6};
    /* The low 32 bits are right. */
    static const int64_t wrong_end64[] = {1, 3, 3, (INT64_C(1) << 32) + 6};
    static const int64_t wrong_start64[] = {(INT64_C(1) << 32) + 1, (INT64_C(1) << 32) + 1,
                                            (INT64_C(1) << 32) + 1, (INT64_C(1) << 32) + 6};
    spmv_csr csr = good();

    SPOIL("row_ptr[0] is not the base", row_ptr, wrong_start, SPMV_INVALID_MATRIX,
          "csr.row_ptr[0] is 0; expected csr.base, which is 1");
    SPOIL("row_ptr[rows] is not nnz", row_ptr, wrong_end, SPMV_INVALID_MATRIX,
          "csr.row_ptr[rows] is 5; expected base + nnz, which is 6");
    SPOIL("a falling row_ptr", row_ptr, falling, SPMV_INVALID_MATRIX,
          "row 1 (from 0): csr.row_ptr falls from 7 to 3");
    SPOIL("a negative row_ptr", row_ptr, falling_below, SPMV_INVALID_MATRIX, "falls from 1 to");
    csr.offset_type = SPMV_I64;
    csr.row_ptr = falling64;
    refuse("extreme 64-bit offsets", csr, SPMV_INVALID_MATRIX, "row 1 (from 0)");
    csr.row_ptr = wrong_end64;
    refuse("64-bit offsets that end elsewhere", csr, SPMV_INVALID_MATRIX,
           "csr.row_ptr[rows] is 4294967302; expected base + nnz, which is 6");
    csr.row_ptr = wrong_start64;
    refuse("64-bit offsets that begin elsewhere", csr, SPMV_INVALID_MATRIX,
           "csr.row_ptr[0] is 4294967297");
}

static void test_columns(void)
{
    static const int32_t low[] = {1, 4, 0, 2, 3};
    static const int32_t high[] = {1, 4, 2, 5, 3};
    static const int32_t hostile[] = {1, INT32_MAX, 2, INT32_MIN, 3};
    spmv_csr csr = good();

    SPOIL("a column below the base", col_idx, low, SPMV_INVALID_MATRIX,
          "row 2 (from 0): csr.col_idx[2] is 0; expected 1 to 4");
    SPOIL("a column past the end", col_idx, high, SPMV_INVALID_MATRIX,
          "row 2 (from 0): csr.col_idx[3] is 5; expected 1 to 4");
    SPOIL("extreme columns, the first of them", col_idx, hostile, SPMV_INVALID_MATRIX,
          "row 0 (from 0): csr.col_idx[1] is 2147483647");
    csr.col_idx = high;
    ok(create(&csr, 0, 1, NULL) == SPMV_OK, "columns are checked only on request");
    csr.col_idx = good_col_idx;
    ok(create(&csr, 1, 1, NULL) == SPMV_OK, "good columns pass");
}

/* Bad entries in several chunks of the scan: any number of threads reports the first one. */
static void test_first_place(void)
{
    enum { ROWS = 400000 };
    int32_t *row_ptr = malloc((ROWS + 1) * sizeof *row_ptr);
    int32_t *col_idx = malloc(ROWS * sizeof *col_idx);
    double *val = calloc(ROWS, sizeof *val);
    const spmv_csr csr = {ROWS, 1, ROWS, row_ptr, col_idx, val, 0, SPMV_I32, SPMV_F64};
    static const int threads[] = {1, 2, 7};

    for (int32_t r = 0; r <= ROWS; r++)
        row_ptr[r] = r;
    for (int32_t k = 0; k < ROWS; k++)
        col_idx[k] = k == 399999 || k == 200001 || k == 200000;
    for (size_t i = 0; i < 3; i++) {
        spmv_error err = {SPMV_OK, ""};
        ok(create(&csr, 1, threads[i], &err) == SPMV_INVALID_MATRIX &&
           strstr(err.text, "csr.col_idx[200000] is 1; expected 0 to 0"),
           "%d threads name the first bad column of many", threads[i]);
    }
    row_ptr[300000] = 0;
    row_ptr[70000] = 0;
    for (size_t i = 0; i < 3; i++) {
        spmv_error err = {SPMV_OK, ""};
        ok(create(&csr, 1, threads[i], &err) == SPMV_INVALID_MATRIX &&
           strstr(err.text, "row 69999 (from 0): csr.row_ptr falls from 69999 to 0"),
           "%d threads name the first bad row of many", threads[i]);
    }
    free(row_ptr);
    free(col_idx);
    free(val);
}

static void test_empty(void)
{
    static const int32_t one[] = {0};
    static const int32_t two[] = {1, 1, 1};
    const spmv_csr no_rows = {0, 5, 0, one, NULL, NULL, 0, SPMV_I32, SPMV_F64};
    const spmv_csr no_cols = {2, 0, 0, two, NULL, NULL, 1, SPMV_I32, SPMV_F64};
    spmv_csr no_row_ptr = no_rows;

    no_row_ptr.row_ptr = NULL;
    ok(create(&no_rows, 1, 0, NULL) == SPMV_OK, "a matrix without rows is valid");
    ok(create(&no_cols, 1, 0, NULL) == SPMV_OK, "a matrix without columns is valid");
    ok(create(&no_row_ptr, 1, 0, NULL) == SPMV_INVALID_ARGUMENT,
       "row_ptr has one offset even without rows");
    ok(create(NULL, 0, 0, NULL) == SPMV_INVALID_ARGUMENT, "a null matrix is refused");
}

int main(void)
{
    test_sizes();
    test_pointers();
    test_row_ptr();
    test_columns();
    test_first_place();
    test_empty();
    return tap_done();
}
