-- params.lua: the method `symmetric`, which lies outside of templates/. With a data folder of links
-- (docs/how-to/add-a-method.md#keep-it-outside-of-templates):
--
--     spmvgen --data my-data --target host --method symmetric -o symmetric

method {
    title = "Symmetric",
    source = "chosen here: docs/experiments/symmetric-half.md",
}

param "lanes" {
    min = 1, max = 16, unit = "values",
    meaning = "values that are multiplied at once: the vector's width; a power of two",
    source = "chosen here",
    derivation = "simd_bits / value bits",
    default = function(t)
        return t.simd_bits and math.max(1, t.simd_bits // t.value_bits) or t.simd_width
    end,
}

param "block_rows" {
    min = 16, max = 4096, unit = "rows",
    meaning = "rows of a block, which stores each diagonal as a contiguous vector",
    source = "chosen here",
    derivation = "512: the sums of a block stay in the first cache",
    default = function(t) return 512 end,
}

param "segments" {
    min = 1, max = 64, unit = "segments",
    meaning = "most segments of rows, which threads share out; fewer where the band is wide",
    source = "chosen here",
    derivation = "64",
    default = function(t) return 64 end,
}

include "row_chunks"
include "fetch_ahead"

bits(function(p, t)
    return "vectors, lanes=" .. p.lanes .. ", block_rows=" .. p.block_rows ..
           ", segments=" .. p.segments
end)

check({ "lanes" }, function(p, t) return p.lanes & (p.lanes - 1) == 0 end,
      "lanes must be a power of two")
check({ "block_rows", "lanes" }, function(p, t) return p.block_rows % 16 == 0 end,
      "block_rows must be a multiple of 16: a diagonal is a whole number of vectors")
