/* plan_file.h: the format of a saved plan.
 *
 *     header         fixed size, below
 *     array[0]       the contents of the layout's arrays, one after another without gaps
 *     array[1]
 *     ...            and nothing after the last one
 *
 * All data is in the byte order of the machine that wrote it. The header's checksum covers the rest
 * of the header, which has a checksum for each array, so that truncation and wrong bits are
 * detected before any content is used. A plan takes only its settings from the header, within the
 * ranges of the module. The module computes sizes, numbers and borrows again, and they are compared
 * with those in the file.
 */
#ifndef SPMV_PLAN_FILE_H
#define SPMV_PLAN_FILE_H

#include "runtime/library/plan/plan.h"

enum { SPMV_PLAN_FILE_VERSION = 2, SPMV_MODULE_NAME_SIZE = 128, SPMV_ARRAY_NAME_SIZE = 32 };

typedef struct spmv_file_array {
    char name[SPMV_ARRAY_NAME_SIZE];     /* truncated if it is longer */
    uint64_t bytes;
    uint64_t hash;               /* spmv_hash of the contents */
} spmv_file_array;

typedef struct spmv_file_header {
    char magic[8];               /* "spmvplan" */
    uint32_t byte_order;         /* 0x01020304 */
    uint32_t version;
    uint64_t checksum;           /* spmv_hash of the header behind this field */
    uint64_t abi;                /* SPMV_MODULE_ABI */
    uint64_t source_hash;        /* of the module */
    char module[SPMV_MODULE_NAME_SIZE];
    int64_t rows, cols, nnz;     /* of the caller's matrix, as all facts up to base */
    uint64_t row_ptr_hash, col_idx_hash;
    int32_t base, offset_type, value_type;
    int32_t size_bits;           /* of the writer's size_t */
    int32_t transposed;          /* 1: the plan multiplies by the transpose */
    int32_t rounded_type;        /* of the caller's values; 0: they are not rounded */
    int32_t symmetric;           /* options.symmetric */
    int32_t reserved;
    int64_t setting[SPMV_MAX_SETTINGS];
    int64_t number[SPMV_MAX_NUMBERS];
    uint64_t workspace_bytes;
    int32_t array_count, borrows, permutes_y, permutes_x;
    spmv_file_array array[SPMV_MAX_ARRAYS];
} spmv_file_header;

SPMV_STATIC_ASSERT(sizeof(spmv_file_header) == 1192, "the header of a plan's file has no gaps");

/* Fills the header of a savable plan. SPMV_UNSUPPORTED: the module's name is too long. */
spmv_status spmv_plan_file_describe(const spmv_plan *plan, spmv_file_header *header,
                                    spmv_error *err);

/* Checks that the header is complete and of a file that this library can read. */
spmv_status spmv_plan_file_check(const spmv_file_header *header, spmv_error *err);

/* SPMV_STALE: the header differs from the caller's options, matrix or layout. The text names the
 * first difference. */
spmv_status spmv_plan_file_match_product(const spmv_file_header *header,
                                         const spmv_plan_options *options, spmv_error *err);
spmv_status spmv_plan_file_match_types(const spmv_file_header *header, const spmv_module *module,
                                       const spmv_value_types *types, spmv_error *err);
spmv_status spmv_plan_file_match_matrix(const spmv_file_header *header, const spmv_csr *csr,
                                        const spmv_threads *threads, spmv_error *err);
spmv_status spmv_plan_file_match_layout(const spmv_file_header *header, const spmv_layout *layout,
                                        const char *module, spmv_error *err);

#endif
