inherit "plain"
f64 = false
