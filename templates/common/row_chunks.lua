-- row_chunks.lua: the size of the chunks that rows are cut into (layout_row_chunks.h).

param "chunk_weight" {
    min = 64, max = 1 << 24, unit = "rows + nonzeros",
    meaning = "most work of a chunk, the unit that threads share out; a matrix of more than that has about 16 chunks or more",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, long beside a thread's start, short beside a core's share",
    default = function(t) return 16384 end,
}
