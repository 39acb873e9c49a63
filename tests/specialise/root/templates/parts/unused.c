/* unused.c: nothing of it is needed, so its comments go too. */

static i32 unused(i32 n)
{
    return n;
}
