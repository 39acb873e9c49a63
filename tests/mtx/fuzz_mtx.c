/* fuzz_mtx.c: a libFuzzer target, built only on request (needs clang):
 *
 *     ninja tests/mtx/fuzz_mtx && tests/mtx/fuzz_mtx CORPUS -max_len=4096 -dict=.../fuzz_mtx.dict
 *
 * Accepted input must give valid rows with consistent counts, with and without sums. Refused input
 * must give a message with a line, and no arrays. The recognition of foreign files also gets the
 * bytes themselves, so that AddressSanitizer knows where they end.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/mtx/mtx.h"
#include "common/foreign_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void matrix_check(const mtx_matrix *m)
{
    require(m->rows >= 0 && m->cols >= 0 && m->row_ptr[0] == 0 && m->row_ptr[m->rows] == m->nnz);
    for (int64_t r = 0; r < m->rows; r++)
        require(m->row_ptr[r] <= m->row_ptr[r + 1]);
    for (int64_t k = 0; k < m->nnz; k++)
        require(m->col_idx[k] >= 0 && m->col_idx[k] < m->cols);
    require(m->stored_entries <= m->nnz);
}

static void foreign_check(const uint8_t *bytes, size_t size, bool is_whole)
{
    char answer[SG_FOREIGN_ANSWER];
    const sg_file_head head = { .bytes = (const char *)bytes, .size = size, .is_whole = is_whole };
    bool is_known = sg_foreign_file(answer, &head);
    require(is_known == (strstr(answer, ", expected a Matrix Market file; ") != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    foreign_check(bytes, size, true);
    foreign_check(bytes, size, false);
    const mtx_options options = { .max_bytes = 8 << 20 };
    mtx_matrix m;
    mtx_error err = { 0 };
    mtx_status status = mtx_read_memory("fuzz", bytes, size, &options, &m, &err);
    if (status == MTX_OK)
        matrix_check(&m);
    else
        require(err.status == status && !strncmp(err.text, "fuzz:", 5) && !m.row_ptr);
    mtx_free(&m);
    return 0;
}
