// templates/join.c plain WIDTH=4 sample=f64 row=i32
/* What instances share, and what differs between them. */

/* a*b + c */
static inline double multiply_add(double a, double b, double c)
{
    return a * b + c;
}

/* ---- types ---- */

/* Shared: nothing in it depends on the types. */
typedef struct span {
    int32_t begin, end;
} span;

/* Differs in one field alone. */
typedef struct series {
    span where;
    const double *at;
} series;

/* Depends on row's type alone. */
typedef struct rows {
    const int32_t *ptr;
    int32_t count;
} rows;

enum { SHARED = 3, DIFFERS = 5 /* WIDTH + 1 */ };

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

/* And two of which one reads a sample, so that both differ. */
static int32_t down(const series *s, int32_t n);

static int32_t up(const series *s, int32_t n)
{
    return n == 0 ? 0 : down(s, n - 1);
}

static int32_t down(const series *s, int32_t n)
{
    return s->at[n] > 0 ? up(s, n) : 1;
}

/* Its own text is the same for all, but not what it calls; `first`, which is a member and a local
 * variable elsewhere, keeps its name there. */
static int32_t first(const series *s)
{
    return up(s, length(s->where)) + even(SHARED);
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

/* Differs by both types. */
static double at_row(const series *s, const rows *r, int32_t i)
{
    return multiply_add(s->at[r->ptr[i]], (double)DIFFERS, (double)r->count);
}

static int32_t row_length(const rows *r, int32_t i)
{
    return (int32_t)(r->ptr[i + 1] - r->ptr[i]);
}

/* ---- all of it ---- */

typedef struct methods {
    int32_t (*of)(const series *s);
    double (*at)(const series *s, const rows *r, int32_t i);
    int32_t (*long_row)(const rows *r, int32_t i);
    int32_t (*pair)(pair p);
    const char *(*name)(void);
} methods;

static const methods table = { .of = first, .at = at_row, .long_row = row_length, .pair = of_pair,
                               .name = name };
