/* cases.h: the matrices that a module is tried on, and the numbers that go with each.
 *
 * A case is a shape (bench/matrices/shapes.h), a size and a seed. Sizes lie around powers of two, and around
 * every number of nonzeros, rows or steps that the module's own parameters can make a boundary:
 * each parameter, each product of two and of three, minus one, exactly, plus one, and multiples. Of
 * a module with many of these, each shape takes its share.
 *
 * An input is a case in the module's types, with values, x and y. It owns all of it.
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

/* How much to try: everything; fewer sizes; what there is time for where modules are many, checked at
 * every access or emulated; what runs on several threads alone; the sizes of layouts alone; what a
 * device that is simulated has time for; and of that each case once. */
typedef enum test_effort {
    EFFORT_FULL, EFFORT_REDUCED, EFFORT_BRIEF, EFFORT_RACES, EFFORT_SIZES, EFFORT_TINY, EFFORT_ONCE
} test_effort;

bool test_cases_create(const spmv_module *module, test_effort effort, test_cases *out);
void test_cases_destroy(test_cases *cases);

/* Sizes at which a tile, a chunk or a lane of this module may end, ascending: nonzeros, at most
 * `limit`. Returns how many were written, at most `room`. */
size_t test_boundary_sizes(const spmv_module *module, int64_t limit, int64_t *size, size_t room);

typedef struct test_input {
    char name[96];               /* shape, size, seed, base and data, for messages */
    bench_matrix *matrix;
    void *x, *before, *y;        /* cols, rows, rows values; y: room for a result */
    size_t y_bytes;
    bench_reference *reference;
} test_input;

/* Values and vectors are drawn anew from the case's seed. False: out of memory. */
bool test_input_create(const spmv_module *module, const test_case *one, int32_t base,
                       bench_data data, test_input *out);
void test_input_destroy(test_input *input);

/* Larger ones take a simulator seconds: a row may have 64 work-items. */
bool test_input_is_tiny(const test_input *input);

/* Would every check of it take too long at this effort? A program that gives each row a work-group takes
 * minutes for 100000 rows, so where the effort is EFFORT_TINY these are multiplied once. */
bool test_input_runs_once(const test_input *input, test_effort effort);

/* After the matrix or x were changed. */
bool test_input_refer(test_input *input);

void test_set_value(spmv_value_type type, void *values, int64_t index, double value);
void test_fill(spmv_value_type type, void *values, int64_t count, double value);
void test_fill_signalling(spmv_value_type type, void *values, int64_t count);   /* with NaN */

#endif
