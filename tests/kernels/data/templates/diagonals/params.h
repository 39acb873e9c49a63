/* params.h: default values, so that the template compiles as it stands. */
#ifndef TEST_DIAGONALS_PARAMS_H
#define TEST_DIAGONALS_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum { CHUNK_ROWS = 64 };

#endif
