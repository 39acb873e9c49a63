inherit "x86-64-v3"
csr_vector.f64.lanes = 8
