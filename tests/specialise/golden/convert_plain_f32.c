// templates/convert.c plain WIDTH=4 DEPTH=3 EDGE=16777216 MINUS=-5 FLAG=0 LOWEST=-2147483648 HIGHEST=2147483647 sample=f32
/* Integer constants that are converted to a floating type. */

/* a*b + c */
static inline float multiply_add(float a, float b, float c)
{
    return a * b + c;
}

/* The larger one. */
static inline int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* WIDTH samples. */
typedef struct pack {
    float lane[4 /* WIDTH */];
} pack;

/* The same sample in each lane. */
static inline pack pack_of(float value)
{
    pack p;
    for (int32_t i = 0; i < 4 /* WIDTH */; i++)
        p.lane[i] = value;
    return p;
}

/* The sum of the lanes. */
static inline float pack_sum(pack p)
{
    float sum = 0;
    for (int32_t i = 0; i < 4 /* WIDTH */; i++)
        sum = sum + p.lane[i];
    return sum;
}

void in_f32(float *y, float x, int32_t n)
{
    y[0] = 16777216.0f /* EDGE */;
    y[1] = (float)16777217 /* EDGE + 1 */;
    y[2] = -16777216.0f /* -EDGE */;
    y[3] = (float)(-16777217) /* -EDGE - 1 */;
    y[4] = 16777218.0f /* EDGE + 2 */ + x * 16777217 + 16777216.0f * x;
    y[5] = 33554436.0f /* 2 * EDGE + 4 */ + 18014398509481984.0f /* (u64)EDGE << 30 */;
    y[6] = (-2147483648.0f) /* LOWEST */ + (float)2147483647 /* HIGHEST */;
    y[7] = 16777216.0f + (float)16777217 + (float)n;
}

void in_f64(double *y, double x, int32_t n)
{
    y[0] = (double)9007199254740993 /* ((i64)EDGE << 29) + 1 */;
    y[1] = 9007199254740991.0 /* ((i64)EDGE << 29) - 1 */;
    y[2] = (double)(-9007199254740993) /* -(((i64)EDGE << 29) + 1) */;
    y[3] = (-9223372036854775808.0) /* LOWEST * ((i64)WIDTH << 30) */ +
           9223372036854775808.0 /* (u64)LOWEST << 32 */;
    y[4] = x - (-5.0) /* MINUS */ + -(-5.0) - -16777216.0 /* EDGE */ - (-5.0) * (-5.0);
    y[5] = (-2147483648.0) /* LOWEST */ + 2147483647.0 /* HIGHEST */;
    y[6] = (float)16777217 /* EDGE + 1 */ + (double)16777216.0f;
    y[7] = (double)(n * 4 /* WIDTH */) + (double)(n > 4);
}

/* With -0.0 and 0.0 kept apart, and what is no conversion of a constant left. */
float places(float x, int32_t n, float *y)
{
    const float weight = 4.0f /* WIDTH */, list[2] = { 3.0f /* DEPTH */, 0.0f /* FLAG */ };

    y[0] = -0.0f + 0.0f /* -FLAG */;
    y[1] = n ? 0.0f : x;
    y[2] = 1;
    y[3] = x * 4.0f;
    y[4] = x * 1;
    y[5] = multiply_add(4.0f, -5.0f /* MINUS */, 2) +
           multiply_add(x, -1.0f, 16777216.0f /* EDGE */);
    y[6] = larger(4, n) + pack_sum(pack_of(4.0f)) + pack_sum(pack_of(3));
    y[7] = x == 0 ? 0 : (x + 1) / 3 + (-1.0f) + (float)('a');
    y[8] += 4.0f;
    y[9] = 13.0f /* WIDTH * DEPTH + 1 */ / 8.0f /* TWICE_WIDTH */ + 7.0f /* WIDTH + DEPTH */ * x;
    y[0] += 0.0f * list[0] + weight * 4.0f;
    y[1] += 1.0f * list[1] + weight * 5.0f;
    return 4.0f;
}

static float twice(float value)
{
    return 2 * value;
}

float more(float *y)
{
    return twice(4.0f /* WIDTH */) + y[4];
}
