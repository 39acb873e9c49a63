method { title = "Tiles", source = "the tests" }

param "width" {
    min = 1, max = 64, unit = "values",
    meaning = "values side by side", source = "chosen here", derivation = "simd_bits / value bits",
    default = function(t) return t.simd_bits // t.value_bits end,
}

param "depth" {
    min = 1, max = 16, unit = "values",
    meaning = "values on top of each other", source = "chosen here", derivation = "64 / width",
    default = function(t) return 64 // t.p.width end, tune = function() return { 2, 17, 4 } end,
}

param "order" {
    choices = { rows = 0, columns = 2, diagonals = 5 },
    benchmark_only = { "diagonals" },
    meaning = "what comes first", source = "chosen here", derivation = "rows",
    default = function(t) return t.memory == "svm" and "columns" or 0 end,
}

check({ "width" }, function(p, t) return p.width & (p.width - 1) == 0 end,
      "width must be a power of two")
check({ "width", "depth" }, function(p, t) return p.width * p.depth <= 128 end,
      "width * depth must not exceed 128")
check(function(p, t) return p.depth ~= 13 end, "depth must not be 13")
check({ "width" },
      function(p, t) return not t.local_memory or p.width * t.value_bits // 8 <= t.local_memory end,
      "a row must fit the local memory")

bits(function(p, t) return "width=" .. p.width end)
