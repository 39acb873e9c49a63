-- host.lua: C around the programs of other devices. A device rounds r_fma once, and so must a host step
-- that does part of its work, whatever the CPU; the C library sees to it.

return {
    name = "host",
    usable = "1",
    preamble = [[

#include <math.h>
]],
    rounds_once = true,
    words = {
        r_fma = { f32 = "fmaf($1, $2, $3)", f64 = "fma($1, $2, $3)" },
    },
}
