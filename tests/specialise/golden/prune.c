// templates/prune.c plain WIDTH=4 DEPTH=3 FLAG=0 sample=f64
/* What parameters decide is not there. */

static int32_t used_function(int32_t n)
{
    return n + 1;
}

int32_t branches(int32_t n)
{
    n = used_function(n);

    /* A comment within. */
    n += 1;
    n += 2;

    if (n > 3) {
        n = 3;
    }

    if (n > 5)
        n = 5;
    else
        n = 6;

    if (n < 0)
        n = 0;

    n = 14;
    return n;
}

/* Conditions of a chain are decided one after another. */
int32_t chains(int32_t n)
{
    if (n > 8)
        n = 8;

    if (n > 6)
        n = 6;
    else
        n = used_function(n);

    if (n > 7) {
        n = 7;
    } else if (n == 5) {
        n = 4;
    }

    if (n > 2)
        n = used_function(n);
    return n;
}

int32_t scopes(int32_t n)
{
    const int32_t fresh = n + 1;
    n = fresh;
    {
        const int32_t twice = n + 2;
        n = twice;
    }
    {
        const int32_t twice = n + 3;
        n = twice;
    }
    return n;
}

int32_t logic(int32_t n, int32_t m, const int32_t *p)
{
    if (n > m)
        n = m;
    if (n > m)
        n = 1;
    if (n++ && 0 /* FLAG */)
        n = 4;
    if (!(n == m))
        n = 5;
    n = 4 /* WIDTH */ && n;
    n = n > m;
    n = 0 || n;
    n = n > m;
    n = n > m;
    n = n > m && (n++ && 0 /* FLAG == 1 */);
    n = n > m && (n == 7);
    while (n < 10)
        n++;
    return p[n];
}

int64_t choices(int32_t n, int64_t k, uint32_t u, double x)
{
    int64_t r = n;
    r += 2 * ((int64_t)n);
    r += ((int64_t)n) * n;
    r += u;
    r += u >> 1;
    x = 0;
    x = 3 * ((double)n);
    r += n > (n, 2);
    return r + (int64_t)x;
}

int32_t loops(int32_t n)
{
    for (int32_t i = 0; i < 0; i++)
        n++;
    for (int32_t i = 0; i < 3 /* DEPTH */; i++) {
        n += i;
    }
    do
        n++;
    while (0 /* FLAG */);
    return n;
}

/* What follows a decided return is dead. */
int32_t early(int32_t n)
{
    return n;
}

/* Comments that belong to what is kept stay. */
int32_t comments(int32_t n)
{
    /* About the kept one. */
    n = 1;
    used_function(n);
    switch (n) {
    case 1:
        break;
    case 2:
    case 4 /* WIDTH */:
        n = 5;
        break;
    default:
        n = 6;
    }
    return n;
}

/* A function that may be told, or NULL. */
typedef struct told {
    int32_t (*always)(int32_t n);
    int32_t (*sometimes)(int32_t n);
} told;

static const told what_is_told = {
    .always = used_function,
    .sometimes = NULL,
};

int32_t tables(int32_t n)
{
    return what_is_told.sometimes ? what_is_told.sometimes(n) : what_is_told.always(n);
}
