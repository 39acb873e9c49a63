// templates/join.c plain WIDTH=4,8 sample=f32,f64 row=i32,i64
/* What instances share, and what differs between them. */

/* ---- types ---- */

/* Shared: nothing in it depends on the types. */
typedef struct span {
    int32_t begin, end;
} span;

/* ---- functions ---- */

/* Shared. */
static int32_t length(span s)
{
    return s.end - s.begin;
}

/* Two that call each other, shared: */
static int32_t even(int32_t n);

static int32_t odd(int32_t n)
{
    return n == 0 ? 0 : even(n - 1);
}

static int32_t even(int32_t n)
{
    return n == 0 ? 1 : odd(n - 1);
}

typedef struct pair {
    int32_t first, second;
} pair;

static int32_t of_pair(pair p)
{
    const int32_t first = p.first;
    return first + p.second;
}

/* A text that quotes first(), and a comment that names it: first(). */
static const char *name(void)
{
    return "first";
}

/* ==== f32 sample ==== */

/* a*b + c */
static inline float multiply_add_f32(float a, float b, float c)
{
    return a * b + c;
}

/* Differs in one field alone. */
typedef struct series_f32 {
    span where;
    const float *at;
} series_f32;

enum { SHARED_F32 = 3, DIFFERS_F32 = 5 /* WIDTH + 1 */ };

/* And two of which one reads a sample, so that both differ. */
static int32_t down_f32(const series_f32 *s, int32_t n);

static int32_t up_f32(const series_f32 *s, int32_t n)
{
    return n == 0 ? 0 : down_f32(s, n - 1);
}

static int32_t down_f32(const series_f32 *s, int32_t n)
{
    return s->at[n] > 0 ? up_f32(s, n) : 1;
}

/* Its own text is the same for all, but not what it calls; `first`, which is a member and a local
 * variable elsewhere, keeps its name there. */
static int32_t first_f32(const series_f32 *s)
{
    return up_f32(s, length(s->where)) + even(SHARED_F32);
}

/* ==== f64 sample ==== */

/* a*b + c */
static inline double multiply_add_f64(double a, double b, double c)
{
    return a * b + c;
}

/* Differs in one field alone. */
typedef struct series_f64 {
    span where;
    const double *at;
} series_f64;

enum { SHARED_F64 = 3, DIFFERS_F64 = 9 /* WIDTH + 1 */ };

/* And two of which one reads a sample, so that both differ. */
static int32_t down_f64(const series_f64 *s, int32_t n);

static int32_t up_f64(const series_f64 *s, int32_t n)
{
    return n == 0 ? 0 : down_f64(s, n - 1);
}

static int32_t down_f64(const series_f64 *s, int32_t n)
{
    return s->at[n] > 0 ? up_f64(s, n) : 1;
}

/* Its own text is the same for all, but not what it calls; `first`, which is a member and a local
 * variable elsewhere, keeps its name there. */
static int32_t first_f64(const series_f64 *s)
{
    return up_f64(s, length(s->where)) + even(SHARED_F64);
}

/* ==== i32 row ==== */

/* Depends on row's type alone. */
typedef struct rows_i32 {
    const int32_t *ptr;
    int32_t count;
} rows_i32;

static int32_t row_length_i32(const rows_i32 *r, int32_t i)
{
    return (int32_t)(r->ptr[i + 1] - r->ptr[i]);
}

/* ==== i64 row ==== */

/* Depends on row's type alone. */
typedef struct rows_i64 {
    const int64_t *ptr;
    int32_t count;
} rows_i64;

static int32_t row_length_i64(const rows_i64 *r, int32_t i)
{
    return (int32_t)(r->ptr[i + 1] - r->ptr[i]);
}

/* ==== f32 sample, i32 row ==== */

/* Differs by both types. */
static float at_row_f32_i32(const series_f32 *s, const rows_i32 *r, int32_t i)
{
    return multiply_add_f32(s->at[r->ptr[i]], (float)DIFFERS_F32, (float)r->count);
}

/* ---- all of it ---- */

typedef struct methods_f32_i32 {
    int32_t (*of)(const series_f32 *s);
    float (*at)(const series_f32 *s, const rows_i32 *r, int32_t i);
    int32_t (*long_row)(const rows_i32 *r, int32_t i);
    int32_t (*pair)(pair p);
    const char *(*name)(void);
} methods_f32_i32;

static const methods_f32_i32 table_f32_i32 =
    { .of = first_f32, .at = at_row_f32_i32, .long_row = row_length_i32, .pair = of_pair,
                               .name = name };

/* ==== f32 sample, i64 row ==== */

/* Differs by both types. */
static float at_row_f32_i64(const series_f32 *s, const rows_i64 *r, int32_t i)
{
    return multiply_add_f32(s->at[r->ptr[i]], (float)DIFFERS_F32, (float)r->count);
}

typedef struct methods_f32_i64 {
    int32_t (*of)(const series_f32 *s);
    float (*at)(const series_f32 *s, const rows_i64 *r, int32_t i);
    int32_t (*long_row)(const rows_i64 *r, int32_t i);
    int32_t (*pair)(pair p);
    const char *(*name)(void);
} methods_f32_i64;

static const methods_f32_i64 table_f32_i64 =
    { .of = first_f32, .at = at_row_f32_i64, .long_row = row_length_i64, .pair = of_pair,
                               .name = name };

/* ==== f64 sample, i32 row ==== */

/* Differs by both types. */
static double at_row_f64_i32(const series_f64 *s, const rows_i32 *r, int32_t i)
{
    return multiply_add_f64(s->at[r->ptr[i]], (double)DIFFERS_F64, (double)r->count);
}

typedef struct methods_f64_i32 {
    int32_t (*of)(const series_f64 *s);
    double (*at)(const series_f64 *s, const rows_i32 *r, int32_t i);
    int32_t (*long_row)(const rows_i32 *r, int32_t i);
    int32_t (*pair)(pair p);
    const char *(*name)(void);
} methods_f64_i32;

static const methods_f64_i32 table_f64_i32 =
    { .of = first_f64, .at = at_row_f64_i32, .long_row = row_length_i32, .pair = of_pair,
                               .name = name };

/* ==== f64 sample, i64 row ==== */

/* Differs by both types. */
static double at_row_f64_i64(const series_f64 *s, const rows_i64 *r, int32_t i)
{
    return multiply_add_f64(s->at[r->ptr[i]], (double)DIFFERS_F64, (double)r->count);
}

typedef struct methods_f64_i64 {
    int32_t (*of)(const series_f64 *s);
    double (*at)(const series_f64 *s, const rows_i64 *r, int32_t i);
    int32_t (*long_row)(const rows_i64 *r, int32_t i);
    int32_t (*pair)(pair p);
    const char *(*name)(void);
} methods_f64_i64;

static const methods_f64_i64 table_f64_i64 =
    { .of = first_f64, .at = at_row_f64_i64, .long_row = row_length_i64, .pair = of_pair,
                               .name = name };
