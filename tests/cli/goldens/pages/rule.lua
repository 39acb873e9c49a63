inherit "plain"
toy.f64.depth = 3
