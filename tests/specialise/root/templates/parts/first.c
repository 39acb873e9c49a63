/* first.c: a part with an include of its own. */
#pragma once
#include "shared.h"

/* Nobody needs it. */
static i32 nobody(i32 n)
{
    return n;
}

/* ---- a section ------------------------------------------------------------------------------ */

static i32 first(i32 n)
{
    const shared_pair pair = { 1, 2 };
    return n + (i32)pair.a;
}
