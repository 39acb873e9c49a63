inherit "generic-c"
simd_widht = 32
csr_scalar.chunk_wait = 4096
