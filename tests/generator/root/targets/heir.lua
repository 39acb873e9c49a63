inherit "ancestor"
simd_bits = 512
local_memory = simd_bits * 2 + rank
tiles.width = 2
