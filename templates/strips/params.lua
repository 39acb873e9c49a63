method {
    title = "Strips",
    source = "chosen here, from SELL-C-sigma (Kreutzer et al., SISC 2014), SPC5 (Bramas & Kus, " ..
             "PeerJ CS 2018) and masked diagonals",
}

-- Rows are cut into strips of about equal work. Each strip is stored in the way that is estimated
-- to cost least: as lanes and long rows, as diagonals, or as runs of columns.

param "lanes" {
    min = 1, max = 64, unit = "values",
    meaning = "values that are multiplied at once: the vector's width; a power of two",
    source = "SELL-C-sigma: C is a multiple of it",
    derivation = "simd_bits / value bits",
    default = function(t)
        return t.simd_bits and math.max(1, t.simd_bits // t.value_bits) or t.simd_width
    end,
}

param "chunk_weight" {
    min = 64, max = 32768, unit = "rows + nonzeros",
    meaning = "most rows plus nonzeros of a strip, which is stored in one way and is the unit " ..
              "of work of a thread; a matrix of more than one strip has about 4 or more, and " ..
              "16 or more if it has diagonals or is large; a longer row is split where strips end",
    source = "chosen here; rows of a strip are numbered in 16 bits",
    derivation = "16384: about 200 kB of matrix, which stay in the cache while a strip's " ..
                 "storage is chosen and built",
    default = function(t) return 16384 end,
    tune = function(t) return { 4096, 8192, 16384, 32768 } end,
}

param "slice_rows" {
    min = 1, max = 128, unit = "rows",
    meaning = "rows of a slice of lanes (SELL-C-sigma's C; its sigma is a strip)",
    source = "SELL-C-sigma",
    derivation = "two vectors, whose sums need not wait for each other",
    default = function(t) return 2 * t.p.lanes end,
    tune = function(t) return { t.p.lanes, 2 * t.p.lanes, 4 * t.p.lanes } end,
}

param "boundary" {
    min = 1, max = 255, unit = "nonzeros",
    meaning = "longest row that may be a lane; longer rows are added one at a time, by whole " ..
              "vectors",
    source = "EVC-HYB's boundary, 128",
    derivation = "128, as EVC-HYB",
    default = function(t) return 128 end,
    tune = function(t) return { 32, 64, 128, 255 } end,
}

param "diagonal_rows" {
    min = 1, max = 16, unit = "rows",
    meaning = "rows of a slice of diagonals, which share the index of a diagonal",
    source = "chosen here",
    derivation = "a vector, but at least 8, so that an index serves 8 nonzeros",
    default = function(t) return math.min(16, math.max(8, t.p.lanes)) end,
    tune = function(t) return { t.p.lanes, 8, 16 } end,
}

param "narrow_span" {
    min = 1, max = 65536, unit = "columns",
    meaning = "columns that span less than this are stored in 16 bits; less than 65536 only to " ..
              "compare",
    source = "chosen here",
    derivation = "65536",
    default = function(t) return 65536 end,
}

param "accumulators" {
    min = 1, max = 8, unit = "vectors",
    costs = { "registers" },
    meaning = "independent sums of a long row, or of a part of a split row, with 32-bit " ..
              "columns; with 16-bit columns there are two",
    source = "chosen here",
    derivation = "2, as csr_vector",
    default = function(t) return 2 end,
    tune = function(t) return { 1, 2, 4 } end,
}

param "column_rows" {
    min = 2, max = 16, unit = "rows",
    costs = { "registers" },
    meaning = "rows that are added at once when several vectors are multiplied",
    source = "chosen here",
    derivation = "8 where there are 32 vector registers (512 bits), else 4: two vectors of " ..
                 "columns then fill half of the registers",
    default = function(t) return t.simd_bits == 512 and 8 or 4 end,
    tune = function(t) return t.form == "simd" and { 2, 4, 8 } or {} end,
}

include "fetch_ahead"
include "x_ahead"

param "prefetch_level" {
    choices = { first = 1, second = 2 },
    meaning = "the cache into which values of runs are prefetched, and values of diagonals of " ..
              "matrices that caches hold",
    source = "chosen here",
    derivation = "first; pages state second where it was measured to be faster",
    default = function(t) return 1 end,
    tune = function(t) return { "first", "second" } end,
}

param "expand_with_table" {
    choices = { no = 0, yes = 1 },
    meaning = "whether packed values are spread over the lanes of a mask by a table of " ..
              "permutations instead of by the instruction",
    source = "chosen here",
    derivation = "no; pages state yes where the table was measured to be faster",
    default = function(t) return 0 end,
    tune = function(t) return { "no", "yes" } end,
}

param "narrow_values" {
    choices = { no = 0, yes = 1 },
    meaning = "whether values are stored in fewer bytes where they have the same bits; no makes " ..
              "the text smaller",
    source = "chosen here",
    derivation = "yes",
    default = function(t) return 1 end,
}

param "table_values" {
    min = 0, max = 128, unit = "values",
    costs = { "registers" },
    meaning = "most distinct values of a strip that are looked up in registers; 0: none are",
    source = "chosen here",
    derivation = "what one instruction picks from: two vectors of AVX-512, one of other sets",
    default = function(t)
        if not t.simd_bits then return 0 end
        return t.simd_bits >= 512 and 2 * t.p.lanes or t.p.lanes
    end,
}

param "narrow_far" {
    min = 0, max = 2147483647, unit = "bytes",
    meaning = "size of the values that caches no longer hold: from there on they are stored in " ..
              "codings that take longer to decode than values in a cache to load, and diagonals " ..
              "are prefetched into the second cache",
    source = "chosen here",
    derivation = "33554432: more than the second-level caches of several cores",
    default = function(t) return 33554432 end,
}

param "narrow_near" {
    choices = { no = 0, yes = 1 },
    meaning = "whether lanes and diagonals of smaller matrices have values in registers' " ..
              "tables and in f32, too",
    source = "chosen here",
    derivation = "yes with AVX-512, which decodes these as fast as it loads values",
    default = function(t) return t.simd_bits and t.simd_bits >= 512 and 1 or 0 end,
}

param "pad_near" {
    min = 0, max = 2147483647, unit = "bytes",
    meaning = "most bytes of a matrix's values for which diagonals with holes may be padded " ..
              "with zeros, which aligns their values; 0: never",
    source = "chosen here",
    derivation = "2097152: values of twice as many bytes were no faster padded, with " ..
                 "second-level caches of this size",
    default = function(t) return 2097152 end,
    tune = function(t) return { 0, 2097152, 33554432 } end,
}

include "gather"

-- The order of additions depends on the vectors, and on the parameters that decide a strip's rows
-- and storage. strips=4-16 are FEW_STRIPS of choose_weight.h and MANY_CHUNKS of
-- common/layout_row_chunks.h, whole_rows=8 is WHOLE_ROWS of layout_values.h.
bits(function(p, t)
    return "vectors, lanes=" .. p.lanes .. ", accumulators=" .. p.accumulators ..
           ", chunk_weight=" .. p.chunk_weight .. ", slice_rows=" .. p.slice_rows ..
           ", boundary=" .. p.boundary .. ", diagonal_rows=" .. p.diagonal_rows ..
           ", narrow_span=" .. p.narrow_span .. ", strips=4-16, whole_rows=8, " ..
           "borders=diagonals"
end)

check({ "lanes" }, function(p, t) return p.lanes & (p.lanes - 1) == 0 end,
      "lanes must be a power of two: v_sum halves the vector")
check({ "lanes" }, function(p, t) return t.form ~= "simd" or p.lanes <= 16 end,
      "lanes must be at most 16: a mask has 16 bits")
check({ "slice_rows", "lanes" },
      function(p, t) return p.slice_rows % p.lanes == 0 and p.slice_rows <= 8 * p.lanes end,
      "slice_rows must be 1 to 8 vectors of lanes")
check({ "diagonal_rows", "lanes" },
      function(p, t) return t.form ~= "simd" or p.diagonal_rows % p.lanes == 0 end,
      "diagonal_rows must be a multiple of lanes: a diagonal is a whole number of vectors")
check({ "column_rows" }, function(p, t) return p.column_rows & (p.column_rows - 1) == 0 end,
      "column_rows must be a power of two: rows are added by halves of it")
