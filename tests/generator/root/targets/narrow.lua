backend = "words"
isa = "narrow"
rank = 2
host_candidate = true
