inherit "generic-c"
csr_scalar.chunk_weight = 1
