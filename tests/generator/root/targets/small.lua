backend = "words"
isa = "none"
host_candidate = true
