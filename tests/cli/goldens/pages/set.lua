inherit "plain"
isa = "scaler"
