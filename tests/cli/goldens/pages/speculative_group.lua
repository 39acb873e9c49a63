inherit "generic-c"
speculative.f64.T = 128
speculative.f64.B = 16
