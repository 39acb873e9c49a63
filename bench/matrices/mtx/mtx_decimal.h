/* mtx_decimal.h: converts decimal numbers to correctly rounded doubles.
 *
 * A number w * 10^q (w has up to 19 digits) is the 192-bit product of w and a 128-bit approximation
 * of 10^q, with a bounded error. strtod, in the C locale, decides only if the bound straddles the
 * midpoint of two doubles, or the result is denormal. So results do not depend on the exactness of
 * the table, on the locale, or on how a compiler evaluates doubles.
 *
 * An mtx_decimal is constant after creation.
 */
#ifndef MTX_DECIMAL_H
#define MTX_DECIMAL_H

#include "bench/matrices/mtx/mtx_memory.h"

typedef enum mtx_number {
    MTX_NUMBER_NONE,             /* not a number, or characters follow it directly */
    MTX_NUMBER_INTEGER,          /* an optional sign and digits */
    MTX_NUMBER_REAL,             /* with a point or an exponent */
    MTX_NUMBER_SPECIAL,          /* inf, infinity or nan, any case, with an optional sign */
    MTX_NUMBER_TOO_LARGE         /* finite, but rounds beyond the largest double */
} mtx_number;

typedef struct mtx_decimal mtx_decimal;

/* Readable bytes required after the last newline of the text. */
enum { MTX_DECIMAL_PADDING = 8 };

/* NULL: out of memory. */
mtx_decimal *mtx_decimal_create(mtx_memory *memory);
void mtx_decimal_destroy(mtx_memory *memory, mtx_decimal *decimal);      /* NULL is fine */

/* Reads the number at *cursor and moves *cursor behind it. A blank or a newline must follow the
 * number, and the text must have a newline. For MTX_NUMBER_NONE *cursor and *value are
 * unchanged. */
mtx_number mtx_decimal_read(const mtx_decimal *decimal, const char **cursor, double *value);

#endif
