-- x_ahead.lua: how far ahead CPUs are told to fetch x (simd_fetch_x.h).

param "x_ahead" {
    min = 0, max = 4096, unit = "columns",
    meaning = "how many columns of 32 bits ahead values of x are fetched into the second cache, where x is as large as x_far; 0: they are not",
    source = "chosen here",
    derivation = "the page's x_ahead on CPUs; 0 on GPUs, which fetch nothing ahead",
    default = function(t) return t.form == "simd" and t.x_ahead or 0 end,
}

param "x_far" {
    min = 0, max = 1073741824, unit = "bytes",
    meaning = "where x has so many bytes or more, x_ahead holds",
    source = "chosen here",
    derivation = "3 MB, three times the second cache of a core of Zen 4: a smaller x is mostly near, and fetching costs more than it saves",
    default = function(t) return 3 * 1024 * 1024 end,
}
