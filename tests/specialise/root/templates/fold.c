/* fold.c: constants of parameters become literals. */
#include "prelude/words.h"

/* Not parameters, so they stay as text; what initialises them folds. */
enum { CHUNK = 1024, TILE = WIDTH * DEPTH, LAST = TILE - 1 };

static const i32 table[WIDTH] = { [WIDTH - 1] = DEPTH, [0] = CHUNK };

void literals(i32 *out, i64 k, i32 n, u32 u, sample x, sample *y)
{
    out[0] = WIDTH;
    out[1] = WIDTH * DEPTH + 1;
    out[2] = MINUS;
    out[3] = n - MINUS;
    out[4] = -WIDTH;
    out[5] = (n + WIDTH) * (WIDTH * DEPTH);
    out[6] = CHUNK * WIDTH;
    out[7] = TILE * WIDTH;
    out[8] = table[LAST % WIDTH];
    out[WIDTH] = WIDTH;
    u = u & ((1u << WIDTH) - 1);
    u = u + (u32)WIDTH;
    y[0] = x * WIDTH + (sample)DEPTH + 0.5 * WIDTH;
    y[k + WIDTH] = 1.0 / (WIDTH * DEPTH);
}

/* The type of a folded value matters where it widens what it meets. */
void widths(i64 *out, i64 k, i32 n, u64 m, usize bytes)
{
    out[0] = (i64)WIDTH * n;
    out[1] = (i64)BIG * BIG;
    out[2] = (i64)BIG * BIG * n;
    out[3] = k * ((i64)WIDTH * DEPTH);
    out[4] = n + (i64)WIDTH;
    out[5] = (i64)WIDTH << n;
    out[6] = n < (i64)MINUS;
    out[7] = (i64)(m * (u64)WIDTH);
    out[8] = (i64)(bytes / sizeof(sample) * (usize)WIDTH);
    out[9] = (i64)((usize)-1 / WIDTH);
    out[10] = (i64)((u64)WIDTH << 62 >> 3);
    out[11] = n ? (i64)WIDTH : n;
    out[12] = n ? (i64)WIDTH : k;
    out[13] = (i64)WIDTH;
    n += (i64)WIDTH;
    out[14] = wide_product(WIDTH, n);
    out[15] = (i64)sizeof(i32[WIDTH]);
    out[16] = k - 0 * WIDTH + WIDTH / 4 * n;
}

void unfolded(sample *y, i32 n)
{
    /* Arithmetic of floating point and sizeof do not fold. */
    y[0] = 2.0 * WIDTH * DEPTH;
    y[1] = (sample)(sizeof(sample) * WIDTH);
    switch (n) {
    case WIDTH:
        y[2] = HOST_LIMIT * WIDTH;
        break;
    default:
        y[2] = 0;
    }
}

void identities(sample *y, i32 *out, i32 n, i64 k, u32 u)
{
    out[0] = n + FLAG;
    out[1] = (n - FLAG) * (WIDTH / 4) + FLAG * n;
    out[2 + FLAG] = *(out + FLAG);
    /* Not where it would change a type, or -0.0. */
    k += (i64)FLAG + n;
    u += (FLAG + u) * 1;
    y[0] = y[1] + FLAG;
    y[1] = y[0] * (WIDTH / 4) + (sample)(k + u);
    out[3] = TWICE_WIDTH + TWICE_WIDTH * n;
}
