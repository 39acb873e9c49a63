inherit "plain"
vector_bist = 64
toy.dept = 4
