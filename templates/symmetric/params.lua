method {
    title = "Symmetric",
    source = "chosen here: docs/experiments.md",
}

param "lanes" {
    min = 1, max = 64, unit = "values",
    meaning = "values that are multiplied at once: the vector's width; a power of two",
    source = "chosen here",
    derivation = "simd_bits / value bits",
    default = function(t)
        return t.simd_bits and math.max(1, t.simd_bits // t.value_bits) or t.simd_width
    end,
}

param "block_rows" {
    min = 16, max = 1024, unit = "rows",
    meaning = "rows of a block, which stores each diagonal as a contiguous vector",
    source = "chosen here",
    derivation = "512: the sums of a block stay in the first cache",
    default = function(t) return 512 end,
    tune = function(t) return t.form == "simd" and { 256, 512, 1024 } or {} end,
}

param "segments" {
    min = 1, max = 64, unit = "segments",
    meaning = "most segments of rows, which threads share out; fewer where the band is wide",
    source = "chosen here",
    derivation = "64",
    default = function(t) return 64 end,
    tune = function(t) return t.form == "simd" and { 16, 32, 64 } or {} end,
}

param "segment_reaches" {
    min = 0, max = 64, unit = "reaches",
    meaning = "least rows of a segment, in distances from the main diagonal to the farthest " ..
              "one: what a segment adds to rows of later segments is written and read once more",
    source = "chosen here",
    derivation = "6",
    default = function(t) return 6 end,
}

param "least_full" {
    min = 0, max = 100, unit = "%",
    meaning = "least part of the diagonals' places that have an entry; matrices with less are " ..
              "declined",
    source = "chosen here",
    derivation = "75: places without an entry are read, too",
    default = function(t) return 75 end,
}

param "least_run_values" {
    min = 0, max = 400, unit = "%",
    meaning = "least mean number of values that a vector of columns multiplies by runs, in " ..
              "lanes of a vector; matrices with fewer are declined",
    source = "chosen here",
    derivation = "100: rows without common columns, whose windows are full, or two rows that " ..
                 "share half-full windows",
    default = function(t) return 100 end,
}

include "fetch_ahead"

bits(function(p, t)
    return "vectors, lanes=" .. p.lanes .. ", block_rows=" .. p.block_rows ..
           ", segments=" .. p.segments .. ", segment_reaches=" .. p.segment_reaches
end)

check({ "lanes" }, function(p, t) return p.lanes & (p.lanes - 1) == 0 end,
      "lanes must be a power of two")
check({ "lanes" }, function(p, t) return t.form ~= "simd" or p.lanes <= 16 end,
      "lanes must be at most 16: a mask has 16 bits")
check({ "block_rows", "lanes" }, function(p, t) return p.block_rows % 16 == 0 end,
      "block_rows must be a multiple of 16: a diagonal is a whole number of vectors")
