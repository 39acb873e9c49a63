/* params.h: default values, so that the template compiles as it stands. */
#ifndef DIA_PARAMS_H
#define DIA_PARAMS_H

typedef f64 real;
typedef i32 offset;

enum { CHUNK_ROWS = 512 };

#endif
