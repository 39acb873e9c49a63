/* launch.c: names a kernel by what is no literal. */
#include "../prelude/words.h"

static i32 launch(KERNEL_NAME const char *kernel, i32 n)
{
    return kernel[0] == 'k' ? n : 0;
}

i32 launches(const char *name)
{
    return launch(name, 1);
}
