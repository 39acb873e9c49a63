// templates/include.c plain WIDTH=4 sample=f32 lines
/* Files of the template are put where they are included, once. */

/* What the parts share. */
#line 5 "templates/parts/shared.h"
typedef struct shared_pair {
    float a, b;                  /* two of them */
} shared_pair;

/* A part with an include of its own. */

/* ---- a section ------------------------------------------------------------------------------ */

#line 13 "templates/parts/first.c"
static int32_t first(int32_t n)
{
    const shared_pair pair = { 1, 2 };
    return n + (int32_t)pair.a;
}

/* After the parts. */
#line 8 "templates/include.c"
int32_t last(int32_t n)
{
    return first(n) + (int32_t)sizeof(shared_pair);
}
