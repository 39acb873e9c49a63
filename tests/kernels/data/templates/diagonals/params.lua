method { title = "Full diagonals", source = "chosen here, for tests of methods that decline" }

param "chunk_rows" {
    min = 1, max = 65536, unit = "rows",
    meaning = "rows of a chunk",
    source = "chosen here",
    derivation = "64",
    default = function(t) return 64 end,
}

bits(function(p, t) return "row by row" end)
