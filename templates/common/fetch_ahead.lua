-- fetch_ahead.lua: how far ahead CPUs prefetch the matrix (simd_fetch_ahead.h).

param "fetch_ahead" {
    min = 0, max = 1048576, unit = "bytes",
    meaning = "distance at which arrays of the matrix are prefetched; in strips a quarter of it " ..
              "for lanes, long rows and indices of runs",
    source = "chosen here",
    derivation = "the page's fetch_ahead on CPUs; 0 on GPUs, whose kernels do not prefetch",
    default = function(t) return t.form == "simd" and t.fetch_ahead or 0 end,
    tune = function(t) return t.form == "simd" and { 1024, 2048, 4096, 8192, 16384 } or {} end,
}

check({ "fetch_ahead" }, function(p, t) return t.form ~= "simd" or p.fetch_ahead >= 64 end,
      "fetch_ahead must be at least 64 on CPUs: a cache line that is nearer is read anyway")
