/* prune.c: what parameters decide is not there. */
#include "prelude/words.h"

/* Only the pruned branch uses it. */
static const i32 unused_table[2] = { 1, 2 };

/* Only the pruned branch calls it. */
static i32 unused_function(i32 n)
{
    return unused_table[n];
}

static i32 used_function(i32 n)
{
    return n + 1;
}

enum { MODE_SLOW, MODE_FAST };
enum { MODE = FLAG ? MODE_FAST : MODE_SLOW };

i32 branches(i32 n)
{
    /* Goes with the statement. */
    if (FLAG)
        n = unused_function(n);   /* so does this */

    if (!FLAG)
        n = used_function(n);

    if (WIDTH > 2) {
        /* A comment within. */
        n += 1;
        n += 2;
    } else {
        n -= 1;
    }

    if (n > 3) {
        n = 3;
    } else if (FLAG) {
        n = 4;
    }

    if (n > 5)
        n = 5;
    else if (WIDTH == 4)
        n = 6;
    else
        n = 7;

    if (FLAG)
        n = 8;
    else if (n < 0)
        n = 0;

    if (n == 9)
        if (FLAG)
            n = 10;

    if (n == 11) {
        if (FLAG)
            n = 12;
    }

    if (MODE == MODE_FAST)
        n = 13;
    if (sizeof(sample) == 8)
        n = 14;
    return n;
}

/* Conditions of a chain are decided one after another. */
i32 chains(i32 n)
{
    if (n > 8)
        n = 8;
    else if (FLAG)
        n = unused_function(n);
    else if (!WIDTH)
        n = unused_function(n + 1);

    if (n > 6)
        n = 6;
    else if (FLAG && n == 2)
        n = unused_function(n);
    else if (!WIDTH && n == 1)
        n = unused_function(n + 1);
    else
        n = used_function(n);

    if (n > 7) {
        n = 7;
    } else if (FLAG) {
        n = unused_function(n);
    } else if (!WIDTH) {
        n = unused_function(n + 1);
    } else if (n == 5) {
        n = 4;
    }

    if (FLAG)
        n = unused_function(n);
    else if (!WIDTH)
        n = unused_function(n + 1);
    else if (n > 2)
        n = used_function(n);
    return n;
}

i32 scopes(i32 n)
{
    const i32 dead = n * 2;
    if (WIDTH) {
        const i32 fresh = n + 1;
        n = fresh;
    }
    if (WIDTH) {
        const i32 twice = n + 2;
        n = twice;
    }
    if (DEPTH) {
        const i32 twice = n + 3;
        n = twice;
    }
    if (FLAG)
        n = dead;
    return n;
}

i32 logic(i32 n, i32 m, const i32 *p)
{
    if (WIDTH && n > m)
        n = m;
    if (n > m || FLAG)
        n = 1;
    if (n > m && FLAG)
        n = 2;
    if (FLAG && n++)
        n = 3;
    if (n++ && FLAG)
        n = 4;
    if (!(n == m && WIDTH == 4))
        n = 5;
    n = WIDTH && n;
    n = WIDTH && n > m;
    n = FLAG || n;
    n = n > m && (WIDTH == 4 || n == 7);
    n = n > m || (FLAG == 1 && n == 7);
    n = n > m && (n++ && FLAG == 1);
    n = n > m && (FLAG == 1 || n == 7);
    while (n < 10 && DEPTH)
        n++;
    return FLAG ? unused_function(n) : p[n];
}

i64 choices(i32 n, i64 k, u32 u, sample x)
{
    i64 r = FLAG ? k : n;
    r += 2 * (FLAG ? k : n);
    r += (WIDTH ? n : k) * n;
    r += WIDTH ? u : n;
    r += (WIDTH ? u : n) >> 1;
    x = FLAG ? x : 0;
    x = 3 * (FLAG ? x : n);
    r += n > (WIDTH ? (n, 2) : 3);
    return r + (i64)x;
}

i32 loops(i32 n)
{
    for (i32 i = 0; i < FLAG; i++)
        n = unused_function(i);
    /* Never. */
    while (FLAG)
        n--;
    for (i32 i = 0; i < 0; i++)
        n++;
    for (i32 i = 0; i < DEPTH; i++) {
        if (FLAG)
            break;
        n += i;
    }
    do
        n++;
    while (FLAG);
    return n;
}

/* What follows a decided return is dead. */
i32 early(i32 n)
{
    if (WIDTH > 2)
        return n;

    n = unused_function(n);
    return n;
}

/* Comments that belong to what is kept stay. */
i32 comments(i32 n)
{
    if (WIDTH > 2)
        /* About the kept one. */
        n = 1;
    else
        /* About the other one. */
        n = 2;
    FLAG && unused_function(n);
    WIDTH && used_function(n);
    switch (n) {
    case 1:
        if (FLAG)
            n = 3;
        if (WIDTH)
            break;
        n = 4;
    case 2:
    case WIDTH:
        n = 5;
        break;
    default:
        n = 6;
    }
    return n;
}

/* Only a condition that does not hold would put it into the table. */
static i32 untold_function(i32 n)
{
    return n + 2;
}

/* A function that may be told, or NULL. */
typedef struct told {
    i32 (*always)(i32 n);
    i32 (*sometimes)(i32 n);
} told;

static const told what_is_told = {
    .always = used_function,
    .sometimes = FLAG ? untold_function : NULL,
};

i32 tables(i32 n)
{
    return what_is_told.sometimes ? what_is_told.sometimes(n) : what_is_told.always(n);
}
