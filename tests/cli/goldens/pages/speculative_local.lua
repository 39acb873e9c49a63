inherit "generic-c"
local_memory = 16 * 1024
speculative.f64.T = 32
speculative.f64.W = 32
speculative.f64.B = 4
