/* matrix_rows INPUT FILE: writes the structure of a made matrix for predict.py.
 *
 * INPUT is a text as spmvbench takes it: model:..., shape:... or lookalike:.... FILE gets a line
 * "rows cols nnz", then rows + 1 row pointers of 64 bits from 0 and nnz columns of 32 bits, in the
 * byte order of this machine.
 */
#include <stdio.h>

#include "bench/matrices/lookalike/lookalike.h"
#include "bench/race/input.h"
#include "runtime/spmv.h"

/* A sentence in message on failure. */
static bool make(const bench_input *input, bench_matrix **out, char *message, size_t message_bytes)
{
    const bench_lookalike_options how = { .seed = 1, .value_type = SPMV_F32, .wide = true };
    spmv_status status = SPMV_OK;

    if (input->facts)
        return !bench_lookalike_create(input->facts, &how, out, message, message_bytes);
    if (input->generator)
        status = input->generator->build(input->value, how.seed, out);
    else if (input->shape)
        status = bench_shape_build(input->shape, input->size, how.seed, out);
    else
        snprintf(message, message_bytes, "name a model, a shape or a look-alike");
    if (status)
        snprintf(message, message_bytes, "%s", spmv_status_text(status));
    return *out != NULL;
}

static bool write_rows(const spmv_csr *csr, FILE *file)
{
    const size_t nnz = (size_t)csr->nnz;

    if (fprintf(file, "%lld %lld %lld\n", (long long)csr->rows, (long long)csr->cols,
                (long long)csr->nnz) < 0)
        return false;
    for (int64_t r = 0; r <= csr->rows; r++) {
        const int64_t offset = bench_csr_offset(csr, r);
        if (fwrite(&offset, sizeof offset, 1, file) != 1)
            return false;
    }
    return fwrite(csr->col_idx, sizeof *csr->col_idx, nnz, file) == nnz;
}

int main(int argc, char **argv)
{
    char message[1024] = "";
    bench_input input;
    bench_matrix *matrix = NULL;

    if (argc != 3) {
        fprintf(stderr, "usage: matrix_rows INPUT FILE\n");
        return 2;
    }
    if (!bench_input_parse(argv[1], &input, message, sizeof message) ||
        !make(&input, &matrix, message, sizeof message)) {
        fprintf(stderr, "matrix_rows: %s: %s\n", argv[1], message);
        return 2;
    }
    FILE *file = fopen(argv[2], "wb");
    bool is_written = file && write_rows(&matrix->csr, file);
    if (file && fclose(file))
        is_written = false;
    bench_matrix_destroy(matrix);
    if (!is_written) {
        perror(argv[2]);
        return 1;
    }
    return 0;
}
