inherit "plain"
description = "a CPU with wide vectors"
isa = "wide"
rank = 1
vector_bits = 256
toy.depth = 3               -- measured on nothing
toy.f64.depth = 2           -- same
toy.order = "down"
