/* cases.h: the matrices for the tests of a module, with their values and vectors.
 *
 * A case is a shape (bench/matrices/shapes.h), a size and a seed. Sizes lie around powers of two
 * and around boundary sizes: the counts of nonzeros, rows or steps at which the module's parameters
 * may end a tile, a chunk or a lane. Boundary sizes are each parameter, each product of two or
 * three parameters, and their multiples, each minus one, exactly, and plus one. If a module has
 * many boundary sizes, each shape takes a share of them.
 *
 * An input is a case in the module's types, with values, x and y. It owns its memory.
 */
#ifndef TEST_CASES_H
#define TEST_CASES_H

#include "bench/matrices/matrix.h"
#include "bench/matrices/random.h"
#include "bench/race/reference.h"
#include "bench/matrices/shapes.h"
#include "runtime/spmv_module.h"

typedef struct test_case {
    const bench_shape *shape;
    int64_t size;
    uint64_t seed;
} test_case;

typedef struct test_cases {
    test_case *item;
    size_t count;
} test_cases;

/* The number of cases; kernel_suite.c describes each effort. */
typedef enum test_effort {
    EFFORT_FULL, EFFORT_REDUCED, EFFORT_BRIEF, EFFORT_RACES, EFFORT_SIZES, EFFORT_TINY, EFFORT_ONCE
} test_effort;

bool test_cases_create(const spmv_module *module, test_effort effort, test_cases *out);
void test_cases_destroy(test_cases *cases);

/* Sizes at which a tile, a chunk or a lane of this module may end, ascending: nonzeros, at most
 * `limit`. Returns the number of written sizes, at most `room`. */
size_t test_boundary_sizes(const spmv_module *module, int64_t limit, int64_t *size, size_t room);

typedef struct test_input {
    const spmv_module *module;
    test_case of;                /* what it was made from */
    bench_data data;
    char name[96];               /* shape, size, seed, base and data, for messages */
    bench_matrix *matrix;
    void *x, *before, *y;        /* cols, rows and rows values; y is for a result */
    size_t y_bytes;
    bench_reference *reference;
} test_input;

/* Values and vectors follow only from the case's seed. A module of symmetric matrices gets another
 * matrix (symmetrising.h). False: out of memory. */
bool test_input_create(const spmv_module *module, const test_case *one, int32_t base,
                       bench_data data, test_input *out);
void test_input_destroy(test_input *input);

/* Makes it the input that test_input_create makes for the same case, this base and these data. Its
 * numbers are as they were made. */
bool test_input_change(test_input *input, int32_t base, bench_data data);

/* Whether a simulator multiplies the input in less than a second; a row may have 64 work-items. */
bool test_input_is_tiny(const test_input *input);

/* Whether the input is multiplied only once at this effort, since all checks would take too long: a
 * program with a work-group for each row takes minutes for 100 000 rows. */
bool test_input_runs_once(const test_input *input, test_effort effort);

/* The size of a case for tests of chunks: `size`, or an eighth at efforts whose modules have small
 * chunks. */
int64_t test_size_of_chunks(test_effort effort, int64_t size);

/* Computes the reference again, after a change of the matrix or of x. */
bool test_input_update_reference(test_input *input);

/* As bench_random_fill, with other numbers: millions of short arrays are filled, so it draws fewer
 * random words and does not call ldexp. */
void test_random_fill(bench_random *random, bench_data data, spmv_value_type type, void *values,
                      int64_t count);

void test_set_value(spmv_value_type type, void *values, int64_t index, double value);
void test_fill(spmv_value_type type, void *values, int64_t count, double value);
/* Fills with signalling NaN. */
void test_fill_signalling(spmv_value_type type, void *values, int64_t count);

#endif
