/* mtx_decimal.h: decimal numbers, correctly rounded to doubles.
 *
 * A number w * 10^q (w: up to 19 digits) is the 192-bit product of w and a 128-bit approximation of
 * 10^q. What the approximation leaves open is bounded; only where the bound straddles the midpoint
 * of two doubles, or the result is denormal, is strtod asked, in the C locale. So nothing here
 * depends on the exactness of the table, on the locale, or on how a compiler evaluates doubles.
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

/* Bytes that must be readable after the newline that ends the text. */
enum { MTX_DECIMAL_PADDING = 8 };

/* NULL when there is no memory. */
mtx_decimal *mtx_decimal_create(mtx_memory *memory);
void mtx_decimal_destroy(mtx_memory *memory, mtx_decimal *decimal);      /* NULL is fine */

/* Reads the number at *cursor, which a blank or a newline must follow, and moves *cursor behind it;
 * *cursor and *value stay as they are for MTX_NUMBER_NONE. A newline must come somewhere. */
mtx_number mtx_decimal_read(const mtx_decimal *decimal, const char **cursor, double *value);

#endif
