inherit "plain"
toy.depth = 0
