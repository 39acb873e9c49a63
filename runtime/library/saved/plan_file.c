/* plan_file.c: see plan_file.h. Thread-safe: no shared state. */
#include "runtime/library/saved/plan_file.h"

#include "runtime/base/error.h"
#include "runtime/base/types.h"
#include "runtime/file/hash.h"
#include "runtime/library/update/transposed.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char magic[] = "spmvplan";
enum { BYTE_ORDER_MARK = 0x01020304, SIZE_BITS = (int)sizeof(size_t) * 8 };

static uint64_t header_checksum(const spmv_file_header *header)
{
    const size_t begin = offsetof(spmv_file_header, abi);

    return spmv_hash(NULL, (const char *)header + begin, sizeof *header - begin);
}

/* ---- describing ---------------------------------------------------------------------------- */

static void describe_arrays(const spmv_plan *plan, spmv_file_header *header)
{
    const spmv_layout *layout = &plan->core.layout;

    header->array_count = layout->array_count;
    for (int32_t i = 0; i < layout->array_count; i++) {
        const spmv_array *array = &layout->array[i];

        snprintf(header->array[i].name, sizeof header->array[i].name, "%s",
                 array->name != NULL ? array->name : "");
        header->array[i].bytes = array->bytes;
        header->array[i].hash = spmv_hash(&plan->core.threads, array->data, array->bytes);
    }
}

spmv_status spmv_plan_file_describe(const spmv_plan *plan, spmv_file_header *header,
                                    spmv_error *err)
{
    const spmv_module *module = plan->core.module;
    const spmv_layout *layout = &plan->core.layout;
    const spmv_transpose *transposed = plan->transposed;

    if (strlen(module->name) >= sizeof header->module)
        return spmv_error_set(err, SPMV_UNSUPPORTED, "the name of module '%.64s...' is longer than "
                              "the %zu letters that a file has room for", module->name,
                              sizeof header->module - 1);
    memset(header, 0, sizeof *header);
    memcpy(header->magic, magic, sizeof header->magic);
    header->byte_order = BYTE_ORDER_MARK;
    header->version = SPMV_PLAN_FILE_VERSION;
    header->abi = SPMV_MODULE_ABI;
    header->source_hash = module->source_hash;
    strcpy(header->module, module->name);
    header->rows = transposed != NULL ? layout->csr.cols : layout->csr.rows;
    header->cols = transposed != NULL ? layout->csr.rows : layout->csr.cols;
    header->nnz = transposed != NULL ? transposed->given_nnz : layout->csr.nnz;
    header->row_ptr_hash = plan->structure.row_ptr;
    header->col_idx_hash = plan->structure.col_idx;
    header->base = transposed != NULL ? transposed->base : layout->csr.base;
    header->symmetric = plan->symmetric;
    header->transposed = spmv_plan_is_transposed(plan) != 0;
    header->offset_type = (int32_t)layout->csr.offset_type;
    header->value_type = (int32_t)spmv_plan_stored_type(plan);
    header->rounded_type = plan->widened != NULL ? (int32_t)plan->widened->types.rounded : 0;
    header->size_bits = SIZE_BITS;
    memcpy(header->setting, layout->setting, sizeof header->setting);
    memcpy(header->number, layout->number, sizeof header->number);
    header->workspace_bytes = layout->workspace_bytes;
    header->borrows = layout->borrows;
    header->permutes_y = layout->permutes_y;
    header->permutes_x = layout->permutes_x;
    describe_arrays(plan, header);
    header->checksum = header_checksum(header);
    return SPMV_OK;
}

/* ---- checking ------------------------------------------------------------------------------ */

static spmv_status damaged(const char *what, spmv_error *err)
{
    return spmv_error_set(err, SPMV_FILE_ERROR, "the file is damaged: %s", what);
}

spmv_status spmv_plan_file_check(const spmv_file_header *header, spmv_error *err)
{
    if (memcmp(header->magic, magic, sizeof header->magic) != 0)
        return spmv_error_set(err, SPMV_FILE_ERROR, "the file is none that spmv_plan_save wrote");
    if (header->byte_order != BYTE_ORDER_MARK)
        return spmv_error_set(err, SPMV_STALE, "the file was written by a machine of another byte "
                              "order, or is damaged");
    if (header->version != SPMV_PLAN_FILE_VERSION)
        return spmv_error_set(err, SPMV_STALE, "the file has version %" PRIu32 "; libspmv %s reads "
                              "version %d", header->version, SPMV_VERSION, SPMV_PLAN_FILE_VERSION);
    if (header->checksum != header_checksum(header))
        return damaged("its header has another checksum", err);
    if (header->abi != SPMV_MODULE_ABI)
        return spmv_error_set(err, SPMV_STALE, "the file is of module ABI %016" PRIx64 "; libspmv "
                              "%s has %016" PRIx64, header->abi, SPMV_VERSION, SPMV_MODULE_ABI);
    if (header->size_bits != SIZE_BITS)
        return spmv_error_set(err, SPMV_STALE, "the file was written where size_t has %" PRId32
                              " bits; here it has %d", header->size_bits, SIZE_BITS);
    /* The rest matters only for a forged file, whose checksum is right: no read may go past the
     * end. */
    if (memchr(header->module, '\0', sizeof header->module) == NULL)
        return damaged("the module's name has no end", err);
    if (header->array_count < 0 || header->array_count > SPMV_MAX_ARRAYS)
        return damaged("it has an impossible number of arrays", err);
    return SPMV_OK;
}

/* ---- matching ------------------------------------------------------------------------------ */

/* A number in the file, and the number that the caller has. */
typedef struct pair {
    const char *name;
    int64_t saved, present;
} pair;

/* The first pair that differs. NULL: none. */
static const pair *first_difference(const pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].saved != pairs[i].present)
            return &pairs[i];
    return NULL;
}

spmv_status spmv_plan_file_match_product(const spmv_file_header *header,
                                         const spmv_plan_options *options, spmv_error *err)
{
    if (header->symmetric != options->symmetric)
        return spmv_error_set(err, SPMV_STALE, "the file is of a plan with options.symmetric = %"
                              PRId32 ", but options.symmetric is %" PRId32, header->symmetric,
                              options->symmetric);
    if ((header->transposed != 0) == (options->transposed != 0))
        return SPMV_OK;
    return spmv_error_set(err, SPMV_STALE, "the file is of a plan that multiplies by %s, but "
                          "options.transposed is %" PRId32,
                          header->transposed ? "the transpose of the matrix" : "the matrix itself",
                          options->transposed);
}

static const char *rounded_name(int32_t type)
{
    return type != 0 ? spmv_value_name((spmv_value_type)type) : "no other type";
}

spmv_status spmv_plan_file_match_types(const spmv_file_header *header, const spmv_module *module,
                                       const spmv_value_types *types, spmv_error *err)
{
    if (module->value_type != types->vectors)
        return spmv_error_set(err, SPMV_STALE, "the file is of a plan for vectors of %s, but the "
                              "options and the matrix ask for vectors of %s (options.vector_type)",
                              spmv_value_name(module->value_type),
                              spmv_value_name(types->vectors));
    if (header->rounded_type != (int32_t)types->rounded)
        return spmv_error_set(err, SPMV_STALE, "the file is of a plan that rounds values to %s, "
                              "but options.round_to asks for %s",
                              rounded_name(header->rounded_type),
                              rounded_name((int32_t)types->rounded));
    return SPMV_OK;
}

spmv_status spmv_plan_file_match_matrix(const spmv_file_header *header, const spmv_csr *csr,
                                        const spmv_threads *threads, spmv_error *err)
{
    const pair pairs[] = {
        {"rows", header->rows, csr->rows},
        {"cols", header->cols, csr->cols},
        {"nnz", header->nnz, csr->nnz},
        {"base", header->base, csr->base},
        {"offset_type", header->offset_type, (int64_t)csr->offset_type},
        {"value_type", header->value_type, (int64_t)csr->value_type},
    };
    const pair *other = first_difference(pairs, sizeof pairs / sizeof pairs[0]);
    spmv_structure structure;

    if (other != NULL)
        return spmv_error_set(err, SPMV_STALE, "the file is of another matrix: csr.%s is %" PRId64
                              ", it was %" PRId64, other->name, other->present, other->saved);
    spmv_structure_hash(csr, threads, &structure);
    if (structure.row_ptr != header->row_ptr_hash || structure.col_idx != header->col_idx_hash)
        return spmv_error_set(err, SPMV_STALE, "the file is of another matrix: csr.%s has other "
                              "contents", structure.row_ptr != header->row_ptr_hash ? "row_ptr"
                                                                                    : "col_idx");
    return SPMV_OK;
}

static int is_same_array(const spmv_file_array *saved, const spmv_array *present)
{
    const char *name = present->name != NULL ? present->name : "";

    return saved->bytes == present->bytes &&
           strncmp(saved->name, name, SPMV_ARRAY_NAME_SIZE - 1) == 0;
}

spmv_status spmv_plan_file_match_layout(const spmv_file_header *header, const spmv_layout *layout,
                                        const char *module, spmv_error *err)
{
    const pair pairs[] = {
        {"array_count", header->array_count, layout->array_count},
        {"borrows", header->borrows, layout->borrows},
        {"permutes_y", header->permutes_y, layout->permutes_y},
        {"permutes_x", header->permutes_x, layout->permutes_x},
        {"workspace_bytes", (int64_t)header->workspace_bytes, (int64_t)layout->workspace_bytes},
    };
    const pair *other = first_difference(pairs, sizeof pairs / sizeof pairs[0]);

    if (other != NULL)
        return spmv_error_set(err, SPMV_STALE, "%.64s has another layout now: %s is %" PRId64
                              ", it was %" PRId64, module, other->name, other->present,
                              other->saved);
    for (int i = 0; i < SPMV_MAX_NUMBERS; i++)
        if (header->number[i] != layout->number[i])
            return spmv_error_set(err, SPMV_STALE, "%.64s has another layout now: number[%d] is %"
                                  PRId64 ", it was %" PRId64, module, i, layout->number[i],
                                  header->number[i]);
    for (int32_t i = 0; i < layout->array_count; i++)
        if (!is_same_array(&header->array[i], &layout->array[i]))
            return spmv_error_set(err, SPMV_STALE, "%.64s has another layout now: array %" PRId32
                                  " has %zu bytes, or another name than it had with %" PRIu64,
                                  module, i, layout->array[i].bytes, header->array[i].bytes);
    return SPMV_OK;
}
