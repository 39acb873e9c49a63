abstract = true
host_candidate = true
rank = 9
backend = "words"
tiles.f32.width = 8
