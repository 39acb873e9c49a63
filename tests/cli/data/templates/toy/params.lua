method { title = "Toy", source = "nobody, never" }

param "lanes" {
    min = 1, max = 64, unit = "values",
    meaning = "values that one vector holds",
    source = "section 1",
    derivation = "vector_bits / value bits",
    default = function(t) return math.max(1, t.vector_bits // t.value_bits) end,
}

param "depth" {
    min = 1, max = 16, unit = "rows",
    meaning = "rows that are taken at once",
    source = "chosen here",
    derivation = "1: this is a toy",
    default = function(t) return 1 end, tune = function(t) return { 1, 2, t.p.lanes } end,
}

param "order" {
    choices = { up = 0, down = 1 },
    meaning = "in which order rows are taken",
    source = "chosen here",
    derivation = "up",
    default = function(t) return 0 end, tune = function(t) return { "up", "down" } end,
}

check({ "depth", "lanes" }, function(p, t) return p.depth <= p.lanes end,
      "depth must not be greater than lanes")
