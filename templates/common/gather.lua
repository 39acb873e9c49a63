-- gather.lua: how CPUs load x at the columns of a vector (simd_x_at.h).

param "gather" {
    choices = { insert = 0, hardware = 1 },
    meaning = "how x is loaded at the columns of a vector: lane by lane with inserts, or by the " ..
              "gather instruction",
    source = "chosen here",
    derivation = "hardware if the page says fast_gather, insert otherwise",
    default = function(t) return t.fast_gather and 1 or 0 end,
    tune = function(t) return t.form == "simd" and { "insert", "hardware" } or {} end,
}
