-- heir.lua: an instruction set that inherits another one.
return {
    name = "heir",
    inherits = "narrow",
    cpu_flags = { "heir" },
    fixed = { LANES = 2 },
    preamble = "heir preamble\n",
    words = {
        KERNEL = "heir static",
    },
}
