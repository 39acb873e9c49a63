// templates/fold.c plain WIDTH=4 DEPTH=3 BIG=100000 MINUS=-5 FLAG=0 sample=f64
/* Constants of parameters become literals. */

static inline int64_t wide_product(int64_t a, int64_t b)
{
    return a * b;
}

/* Not parameters, so they stay as text; what initialises them folds. */
enum { CHUNK = 1024, TILE = 12 /* WIDTH * DEPTH */, LAST = TILE - 1 };

static const int32_t table[4 /* WIDTH */] = { [3 /* WIDTH - 1 */] = 3 /* DEPTH */, [0] = CHUNK };

void literals(int32_t *out, int64_t k, int32_t n, uint32_t u, double x, double *y)
{
    out[0] = 4 /* WIDTH */;
    out[1] = 13 /* WIDTH * DEPTH + 1 */;
    out[2] = -5 /* MINUS */;
    out[3] = n - (-5);
    out[4] = -4 /* -WIDTH */;
    out[5] = (n + 4) * 12 /* WIDTH * DEPTH */;
    out[6] = CHUNK * 4;
    out[7] = TILE * 4;
    out[8] = table[LAST % 4];
    out[4] = 4;
    u = u & 15u /* (1u << WIDTH) - 1 */;
    u = u + 4u;
    y[0] = x * 4.0 + 3.0 /* DEPTH */ + 0.5 * 4.0;
    y[k + 4] = 1.0 / 12.0;
}

/* The type of a folded value matters where it widens what it meets. */
void widths(int64_t *out, int64_t k, int32_t n, uint64_t m, size_t bytes)
{
    out[0] = (int64_t)4 /* WIDTH */ * n;
    out[1] = 10000000000 /* (i64)BIG * BIG */;
    out[2] = 10000000000 * n;
    out[3] = k * 12 /* (i64)WIDTH * DEPTH */;
    out[4] = n + (int64_t)4;
    out[5] = (int64_t)4 << n;
    out[6] = n < (int64_t)-5 /* MINUS */;
    out[7] = (int64_t)(m * 4);
    out[8] = (int64_t)(bytes / sizeof(double) * 4);
    out[9] = (int64_t)((size_t)-1 / 4);
    out[10] = 0 /* (u64)WIDTH << 62 >> 3 */;
    out[11] = n ? (int64_t)4 : n;
    out[12] = n ? 4 : k;
    out[13] = 4;
    n += (int64_t)4;
    out[14] = wide_product(4, n);
    out[15] = (int64_t)sizeof(int32_t[4]);
    out[16] = k + n;
}

void unfolded(double *y, int32_t n)
{
    /* Arithmetic of floating point and sizeof do not fold. */
    y[0] = 2.0 * 4.0 /* WIDTH */ * 3.0 /* DEPTH */;
    y[1] = (double)(sizeof(double) * 4);
    switch (n) {
    case 4:
        y[2] = HOST_LIMIT * 4;
        break;
    default:
        y[2] = 0;
    }
}

void identities(double *y, int32_t *out, int32_t n, int64_t k, uint32_t u)
{
    out[0] = n;
    out[1] = n;
    out[2 /* 2 + FLAG */] = *out;
    /* Not where it would change a type, or -0.0. */
    k += (int64_t)0 /* FLAG */ + n;
    u += u * 1;
    y[0] = y[1] + 0.0;
    y[1] = y[0] * 1.0 /* WIDTH / 4 */ + (double)(k + u);
    out[3] = 8 /* TWICE_WIDTH */ + 8 * n;
}
