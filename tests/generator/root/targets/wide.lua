backend = "words"
isa = "wide"
rank = 3
host_candidate = true
