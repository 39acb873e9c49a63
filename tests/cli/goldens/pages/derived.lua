inherit "wide"
vector_bits = 512
