inherit "x86-64-v4"
speculative.f32.W = 8
