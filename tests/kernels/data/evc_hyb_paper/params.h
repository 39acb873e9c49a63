/* params.h: the values of the EVC-HYB paper for Tesla K20X. The variants of test_evc_hyb.c define
 * the rest. */
#ifndef TEST_EVC_HYB_PAPER_PARAMS_H
#define TEST_EVC_HYB_PAPER_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum {
    LANES = 1,
    WORK_GROUP_SIZE = 256,
    SUBGROUP_SIZE = 32,
    RESIDENT_GROUPS = 4,
    LOAD_WIDTH = TEST_LOAD_WIDTH,
    VALUE_WIDTH = LOAD_WIDTH,
    TURNS = LOAD_WIDTH,
    BOUNDARY = 128,
    BUSY_ITEMS = 1,              /* as 0: rows up to BOUNDARY. Compilers warn of nnz / 0 */
    SORT_WINDOW = TEST_SORT_WINDOW,
    NARROW_SPAN = TEST_NARROW_SPAN,
    ALIGNMENT = 32,
    VCSR_ALIGNMENT = 32,
    ROWS_PER_ITEM = TEST_ROWS_PER_ITEM,
    ROWS_BY_LONGEST = 1,
    ITEMS_PER_ROW = 256,
    LEAST_ITEMS_PER_ROW = 16,
    NONZEROS_PER_ITEM = 8,
    ORDER_OF_Y = 0,
    FETCH_AHEAD = 0,
    GATHER = 0,
    CHUNK_WEIGHT = TEST_CHUNK_WEIGHT,
    SPLIT_AT = TEST_SPLIT_AT,
    FIRST_GROUPS = TEST_FIRST_GROUPS,
    READ_ONLY_X = 1,
    ELL_STORAGE = TEST_ELL_STORAGE,
    CONSTANT = 0,
    FIGURES = 1
};

#endif
