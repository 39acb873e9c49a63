inherit "generic-c"
speculative.f64.S = 16
