-- x_ahead.lua: how far ahead CPUs prefetch x (simd_fetch_x.h).

param "x_ahead" {
    min = 0, max = 4096, unit = "columns",
    meaning = "number of 32-bit columns ahead at which x is prefetched into the second-level " ..
              "cache, if x has at least x_far bytes; 0: x is not prefetched",
    source = "chosen here",
    derivation = "the page's x_ahead on CPUs; 0 on GPUs, whose kernels do not prefetch",
    default = function(t) return t.form == "simd" and t.x_ahead or 0 end,
    tune = function(t) return t.form == "simd" and { 0, 16, 32, 64, 128 } or {} end,
}

param "x_far" {
    min = 0, max = 1073741824, unit = "bytes",
    meaning = "least size of x that is prefetched",
    source = "chosen here",
    derivation = "3 MB, three times the second-level cache of a Zen 4 core: a smaller x is " ..
                 "mostly in a cache, and prefetching costs more than it saves",
    default = function(t) return 3 * 1024 * 1024 end,
    tune = function(t)         -- without x_ahead it has no effect
        return t.p.x_ahead > 0 and { 262144, 1048576, 3145728 } or {}
    end,
}
