/* symmetrising.h: the matrix for a module of symmetric matrices (ops->symmetric).
 *
 * Such a module gets a symmetric matrix that follows from the shape's: each entry is moved to one
 * of DISTANCES diagonals, and gets a mirror. The method declines matrices of mostly empty diagonals
 * and of rows without common columns. So of every third seed a diagonal that has an entry gets all
 * of its entries but every ninth; of another third, three rows that begin at a multiple of three
 * have the same columns, nine or more beside each other. For all other modules these functions
 * change nothing. */
#ifndef TEST_SYMMETRISING_H
#define TEST_SYMMETRISING_H

#include <stdbool.h>

#include "bench/matrices/matrix.h"
#include "runtime/spmv_module.h"

/* Replaces the matrix, in f64 with 64-bit row pointers from 0. False: out of memory. */
bool test_symmetrise(const spmv_module *module, uint64_t seed, bench_matrix **matrix);

/* Copies each value above the main diagonal to its mirror. */
void test_mirror_values(const spmv_module *module, const spmv_csr *csr, void *val);

/* The entry's mirror; for other modules the entry itself. */
int64_t test_mirror(const spmv_module *module, const spmv_csr *csr, int64_t k);

#endif
