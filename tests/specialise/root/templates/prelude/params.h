/* params.h: default values, replaced when a fixture is specialised. */
#ifndef TEST_PRELUDE_PARAMS_H
#define TEST_PRELUDE_PARAMS_H

typedef f64 sample;
typedef i32 row;

enum { WIDTH = 4, DEPTH = 3, FLAG = 0, BIG = 100000, EDGE = 16777216, MINUS = -5 };
enum { LOWEST = -2147483647 - 1, HIGHEST = 2147483647 };

#endif
