-- fetch_ahead.lua: how far ahead CPUs are told to fetch the matrix (fetch_ahead.c).

param "fetch_ahead" {
    min = 0, max = 1048576, unit = "bytes",
    meaning = "how far ahead of what is multiplied the matrix is fetched; a quarter of it in lanes of strips",
    source = "chosen here",
    derivation = "the page's fetch_ahead on CPUs; 0 on GPUs, which fetch nothing ahead",
    default = function(t) return t.form == "simd" and t.fetch_ahead or 0 end,
}
