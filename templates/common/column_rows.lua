-- column_rows.lua: the rows that are added at once where several vectors are multiplied.

param "column_rows" {
    min = 2, max = 16, unit = "rows",
    costs = { "registers" },
    meaning = "rows, or sums of a row, that are added at once when several vectors are multiplied",
    source = "chosen here",
    derivation = "8 where there are 32 vector registers (512 bits), else 4: two vectors of " ..
                 "columns then fill half of the registers",
    default = function(t) return t.simd_bits == 512 and 8 or 4 end,
    tune = function(t) return t.form == "simd" and { 2, 4, 8 } or {} end,
}

check({ "column_rows" }, function(p, t) return p.column_rows & (p.column_rows - 1) == 0 end,
      "column_rows must be a power of two: rows are added by halves of it")
