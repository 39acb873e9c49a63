inherit "wide"
toy.f64.lanes = 8
