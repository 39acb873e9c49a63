-- host.lua: host code of the programs of devices. A device rounds r_fma once. A host step does part
-- of the device's work, so it must round once on any CPU: it calls fma of the C library.

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
