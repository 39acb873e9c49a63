/* join.c: what instances share, and what differs between them. */
#include "prelude/words.h"

/* ---- types ---- */

/* Shared: nothing in it depends on the types. */
typedef struct span {
    i32 begin, end;
} span;

/* Differs in one field alone. */
typedef struct series {
    span where;
    const sample *at;
} series;

/* Depends on row's type alone. */
typedef struct rows {
    const row *ptr;
    i32 count;
} rows;

enum { SHARED = 3, DIFFERS = WIDTH + 1 };

/* ---- functions ---- */

/* Shared. */
static i32 length(span s)
{
    return s.end - s.begin;
}

/* Two that call each other, shared: */
static i32 even(i32 n);

static i32 odd(i32 n)
{
    return n == 0 ? 0 : even(n - 1);
}

static i32 even(i32 n)
{
    return n == 0 ? 1 : odd(n - 1);
}

/* And two of which one reads a sample, so that both differ. */
static i32 down(const series *s, i32 n);

static i32 up(const series *s, i32 n)
{
    return n == 0 ? 0 : down(s, n - 1);
}

static i32 down(const series *s, i32 n)
{
    return s->at[n] > 0 ? up(s, n) : 1;
}

/* Its own text is the same for all, but not what it calls; `first`, which is a member and a local
 * variable elsewhere, keeps its name there. */
static i32 first(const series *s)
{
    return up(s, length(s->where)) + even(SHARED);
}

typedef struct pair {
    i32 first, second;
} pair;

static i32 of_pair(pair p)
{
    const i32 first = p.first;
    return first + p.second;
}

/* A text that quotes first(), and a comment that names it: first(). */
static const char *name(void)
{
    return "first";
}

/* Differs by both types. */
static sample at_row(const series *s, const rows *r, i32 i)
{
    return multiply_add(s->at[r->ptr[i]], (sample)DIFFERS, (sample)r->count);
}

static i32 row_length(const rows *r, i32 i)
{
    return (i32)(r->ptr[i + 1] - r->ptr[i]);
}

/* ---- all of it ---- */

typedef struct methods {
    i32 (*of)(const series *s);
    sample (*at)(const series *s, const rows *r, i32 i);
    i32 (*long_row)(const rows *r, i32 i);
    i32 (*pair)(pair p);
    const char *(*name)(void);
} methods;

static const methods table = { .of = first, .at = at_row, .long_row = row_length, .pair = of_pair,
                               .name = name };
