-- row_chunks.lua: the size of the chunks that rows are cut into (layout_row_chunks.h).

param "chunk_weight" {
    min = 64, max = 1 << 24, unit = "rows + nonzeros",
    meaning = "most rows plus nonzeros of a chunk, the unit of work of a thread; a matrix of " ..
              "more than one chunk has about 16 or more",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, much work compared with starting a thread, " ..
                 "little compared with a core's share",
    default = function(t) return 16384 end,
    tune = function(t) return t.form == "simd" and { 4096, 8192, 16384, 32768, 65536 } or {} end,
}
