/* launches.c: launches kernels by their names. What only a comment or another text names is not
 * launched: "commented". */
#include "prelude/words.h"

static i32 launch_of(KERNEL_NAME const char *kernel, i32 n)
{
    return kernel[0] == 'k' ? n : 0;
}

static i32 launch(KERNEL_NAME const char *kernel, i32 n)
{
    return launch_of(kernel, n);
}

static i32 first_letter(const char *text)
{
    return text[0];
}

i32 launches(i32 n)
{
    n = launch("plain", first_letter("commented"));
    n = launch("joined_"         /* a name in two parts */
               "name", n);
    if (WIDTH > 4)
        n = launch("pruned", n);
    UNROLL for (i32 i = 0; i < 2; i++)
        n += launch("unrolled", i);
    return n;
}
