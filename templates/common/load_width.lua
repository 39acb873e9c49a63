-- load_width.lua: wide loads, for methods that store the nonzeros themselves (simt_wide_load.h).
-- Their layout makes each load begin at a multiple of its size.

param "load_width" {
    min = 1, max = 4, unit = "nonzeros",
    costs = { "registers" },
    meaning = "nonzeros that a work-item loads at once; the layout stores them contiguously",
    source = "chosen here",
    derivation = "load_bits / 32, the columns of one load; 1 if the page does not state " ..
                 "load_bits, and on CPUs",
    default = function(t)
        return t.form == "simt" and math.min(4, (t.load_bits or 32) // 32) or 1
    end,
    tune = function(t) return t.form == "simt" and { 1, 2, 4 } or {} end,
}

check({ "load_width" }, function(p, t) return p.load_width & (p.load_width - 1) == 0 end,
      "load_width must be a power of two, as the widths of loads are")
check({ "load_width" }, function(p, t) return t.form ~= "simd" or p.load_width == 1 end,
      "load_width must be 1 on CPUs: a vector takes one nonzero for each of its lanes")
