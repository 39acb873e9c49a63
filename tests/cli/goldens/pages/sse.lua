backend = "c"
isa = "sse4"
