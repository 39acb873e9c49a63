// templates/signs.c plain WIDTH=4 LOWEST=-2147483648 HIGHEST=2147483647 sample=f64
/* Extreme values, literals as operands, and brackets beside comments and quotes. */

int64_t extremes(int32_t n, int64_t k, uint32_t u, uint64_t v)
{
    int64_t r = (-2147483647 - 1) /* LOWEST */;
    r += n - (-2147483647 - 1);
    r -= -2147483647 /* -HIGHEST */;
    r /= -2147483646 /* -(HIGHEST - 1) */;
    r += 2147483648 /* (i64)HIGHEST + 1 */;
    r += (-9223372032559808512) /* ((i64)LOWEST * HIGHEST) * 2 */ - k;
    r ^= u * 2147483647u /* HIGHEST */ * 2u;
    r ^= 2147483648u /* (u32)LOWEST */;
    r ^= (int64_t)(v * 9223372036854775812u /* (u64)1 << 63 | WIDTH */);
    r ^= (int64_t)(v + 2147483648u);
    r ^= n - (-4) /* -WIDTH */;
    r ^= 259 /* (u8)(HIGHEST) + (u8)WIDTH */;
    r ^= (-5) /* ~WIDTH */ & n;
    return r;
}

/* What a comment or a literal holds closes no bracket and opens none. */
double quotients(double x, double a, double b, double c, int32_t n)
{
    double r = x / ((a /* it's */ + b) * c);
    r += x / ((a // it's (
               + b) * c);
    r += x / ((a /* ) */ + b) * c);
    r += x / ((double)(n == ')') * c);
    r += x / ((double)(n == '"') * (c + '\''));
    return r / ((a /* "it's" */ + b));
}
