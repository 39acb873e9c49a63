// templates/include.c plain WIDTH=4 sample=f32
/* Files of the template are put where they are included, once. */

/* What the parts share. */
typedef struct shared_pair {
    float a, b;                  /* two of them */
} shared_pair;

/* A part with an include of its own. */

/* ---- a section ------------------------------------------------------------------------------ */

static int32_t first(int32_t n)
{
    const shared_pair pair = { 1, 2 };
    return n + (int32_t)pair.a;
}

/* After the parts. */
int32_t last(int32_t n)
{
    return first(n) + (int32_t)sizeof(shared_pair);
}
