-- fetch_ahead.lua: how far ahead CPUs are told to fetch the matrix (simd_fetch_ahead.h).

param "fetch_ahead" {
    min = 0, max = 1048576, unit = "bytes",
    meaning = "how far ahead of what is multiplied the matrix is fetched; in strips a quarter of it for lanes, long rows and indices of runs",
    source = "chosen here",
    derivation = "the page's fetch_ahead on CPUs; 0 on GPUs, which fetch nothing ahead",
    default = function(t) return t.form == "simd" and t.fetch_ahead or 0 end,
}

check({ "fetch_ahead" }, function(p, t) return t.form ~= "simd" or p.fetch_ahead >= 64 end,
      "fetch_ahead must be at least 64 on CPUs: what is nearer is read anyway")
