-- idle.lua: a value that nothing on a CPU asks for.
inherit "generic-c"
speculative.repair = "device"
