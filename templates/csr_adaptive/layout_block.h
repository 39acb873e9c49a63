/* layout_block.h: the descriptor of a row block, for work-items: eight words, two wide loads.
 *
 *   BLOCK_ROW      the first row
 *   BLOCK_ROWS     number of rows; 1 for a part of a row
 *   BLOCK_KIND     KIND_STREAM, KIND_VECTOR or KIND_VECTOR_L
 *   BLOCK_TIMES    log2 of the number of work-items that each row gets
 *   BLOCK_COUNT    number of nonzeros
 *   BLOCK_BEGIN    the first nonzero, counted from 0: its low word, then its high word
 */
#ifndef SPMV_CSR_ADAPTIVE_LAYOUT_BLOCK_H
#define SPMV_CSR_ADAPTIVE_LAYOUT_BLOCK_H

#include "../prelude/base.h"

enum {
    BLOCK_ROW,
    BLOCK_ROWS,
    BLOCK_KIND,
    BLOCK_TIMES,
    BLOCK_COUNT,
    BLOCK_BEGIN,
    BLOCK_WORDS = 8
};

#endif
