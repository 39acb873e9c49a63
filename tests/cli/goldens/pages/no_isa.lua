-- no_isa.lua: a CPU without its instruction set.
backend = "c"
