description = "any CPU"
backend = "c"
isa = "scalar"
vector_bits = 128           -- chosen here
host_candidate = true
