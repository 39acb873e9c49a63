/* mtx_read.c: the steps of reading a Matrix Market file. See mtx.h and mtx_read.h.
 *
 *     mtx_input    file or memory, plain or gzip -> slabs of lines
 *     mtx_header   banner and size line
 *     mtx_entries  lines of data -> mtx_store, entries in file order
 *     mtx_rows     counting sort -> row_ptr, col_idx, val
 */
#include "bench/matrices/mtx/mtx_read.h"

#include <inttypes.h>
#include <stdlib.h>

#include "bench/matrices/mtx/mtx_entries.h"
#include "bench/matrices/mtx/mtx_rows.h"

static mtx_status entries_and_rows(mtx_memory *memory, const mtx_report *report, mtx_input *input,
                                   const mtx_header *header, mtx_lines *lines, mtx_matrix *out)
{
    mtx_tally tally;
    mtx_store store = { .memory = memory, .has_values = header->field != MTX_PATTERN };
    mtx_decimal *decimal = mtx_decimal_create(memory);
    mtx_status status = decimal ? mtx_entries_read(input, report, decimal, header, lines, &store,
                                                   &tally)
                                : mtx_memory_fail(memory, report, "the table of powers of ten");
    mtx_decimal_destroy(memory, decimal);
    if (!status) {
        out->format = header->format;
        out->field = header->field;
        out->symmetry = header->symmetry;
        out->stored_entries = tally.stored;
        out->explicit_zeros = header->format == MTX_COORDINATE ? tally.zeros : 0;
        out->non_finite = tally.non_finite;
        out->beyond_float = tally.beyond_float;
        out->beyond_float_line = tally.beyond_float_line;
        out->text_bytes = mtx_input_text_bytes(input);
        status = mtx_rows_build(report, header, &store, out);
    }
    mtx_store_clear(&store);
    return status;
}

/* The entries of the matrix if the diagonal is full and no place repeats. */
static int64_t entries_with_mirrors(const mtx_header *header)
{
    int64_t entries = header->entries;
    int64_t diagonal = header->symmetry == MTX_SKEW_SYMMETRIC ? 0 : header->rows;
    if (header->symmetry == MTX_GENERAL || entries <= diagonal)
        return entries;
    return entries - diagonal > INT64_MAX - entries ? INT64_MAX : entries + (entries - diagonal);
}

/* Takes ownership of the input. */
static mtx_status input_read(mtx_memory *memory, const mtx_report *report,
                             const mtx_options *options, mtx_input *input, mtx_matrix *out)
{
    mtx_header header;
    mtx_lines lines = { .number = 1 };
    mtx_status status = mtx_header_read(input, report, &lines, &header);
    if (!status && options && options->accepts &&
        !options->accepts(options->context, header.rows, header.cols,
                          entries_with_mirrors(&header)))
        status = mtx_report_fail(report, MTX_DECLINED, header.size_line,
                                 "%" PRId64 " entries, expected a size that the caller accepts; "
                                 "choose a smaller matrix", entries_with_mirrors(&header));
    if (!status)
        status = entries_and_rows(memory, report, input, &header, &lines, out);
    mtx_input_close(input);
    if (status)
        mtx_rows_free(memory, out);
    return status;
}

mtx_status mtx_read_within(mtx_memory *memory, const char *path, const mtx_options *options,
                           mtx_matrix *out, mtx_error *err)
{
    const mtx_report report = { .name = mtx_path_name(path), .err = err };
    mtx_input *input;
    *out = (mtx_matrix){ 0 };
    mtx_status status = mtx_input_open_file(memory, &report, path, &input);
    return status ? status : input_read(memory, &report, options, input, out);
}

mtx_status mtx_read_memory_within(mtx_memory *memory, const char *name, const void *bytes,
                                  size_t size, const mtx_options *options, mtx_matrix *out,
                                  mtx_error *err)
{
    const mtx_report report = { .name = name, .err = err };
    mtx_input *input;
    *out = (mtx_matrix){ 0 };
    mtx_status status = mtx_input_open_bytes(memory, &report, bytes, size, &input);
    return status ? status : input_read(memory, &report, options, input, out);
}

static mtx_status argument_fail(const char *function, mtx_matrix *out, mtx_error *err)
{
    const mtx_report report = { .name = function, .err = err };
    if (out)
        *out = (mtx_matrix){ 0 };
    return mtx_report_fail(&report, MTX_INVALID_ARGUMENT, 0,
                           "a null pointer, expected a name, its bytes and a matrix to fill; pass "
                           "them");
}

mtx_status mtx_read(const char *path, const mtx_options *options, mtx_matrix *out, mtx_error *err)
{
    if (!path || !out)
        return argument_fail("mtx_read", out, err);
    mtx_memory memory;
    mtx_memory_init(&memory, options ? options->max_bytes : 0);
    return mtx_read_within(&memory, path, options, out, err);
}

mtx_status mtx_read_memory(const char *name, const void *bytes, size_t size,
                           const mtx_options *options, mtx_matrix *out, mtx_error *err)
{
    if (!name || (!bytes && size) || !out)
        return argument_fail("mtx_read_memory", out, err);
    mtx_memory memory;
    mtx_memory_init(&memory, options ? options->max_bytes : 0);
    return mtx_read_memory_within(&memory, name, bytes, size, options, out, err);
}

void mtx_free(mtx_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->row_ptr);
    free(matrix->col_idx);
    free(matrix->val);
    *matrix = (mtx_matrix){ 0 };
}
