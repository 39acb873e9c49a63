-- scalar.lua: plain C without intrinsics, for any CPU. Every vector word is the prelude's own loop,
-- which compilers vectorise as they can.

return {
    name = "scalar",
    usable = "1",
    cpu_flags = {},
    words = {},
}
