method {
    title = "CSR5",
    source = "Liu & Vinter, ICS 2015",
}

-- The most steps of a lane, each of which may need a place for a sum in local memory.
local function slots(p)
    return p.sigma > 0 and p.sigma or p.s
end

param "omega" {
    min = 1, max = 64, unit = "lanes",
    meaning = "lanes of a tile: its number of columns, the SIMD width",
    source = "section 3.2",
    derivation = "simd_width on GPUs, simd_bits / value bits on CPUs",
    default = function(t)
        if t.simd_bits then
            return math.max(1, t.simd_bits // t.value_bits)
        end
        return t.simd_width
    end,
}

param "lanes" {
    min = 1, max = 32, unit = "values",
    meaning = "values that one vector word holds in simd.c: one step of a tile",
    source = "section 4: each column of a tile is given to a SIMD lane",
    derivation = "omega on CPUs, where it is at most 32; 1 on GPUs, which have no vector words",
    default = function(t) return t.form == "simd" and math.min(32, t.p.omega) or 1 end,
}

param "r" {
    min = 1, max = 64, unit = "nonzeros",
    meaning = "the least sigma, used if rows have at most r nonzeros on average",
    source = "section 3.2, <r, s, t, u>",
    derivation = "4",
    default = function(t) return 4 end,
}

param "s" {
    min = 1, max = 64, unit = "nonzeros",
    meaning = "the greatest sigma; between r and s sigma is the average row length",
    source = "section 3.2, <r, s, t, u>",
    derivation = "32",
    default = function(t) return 32 end,
}

param "t" {
    min = 1, max = 1 << 30, unit = "nonzeros",
    meaning = "average row length beyond which sigma is u",
    source = "section 3.2, <r, s, t, u>",
    derivation = "256",
    default = function(t) return 256 end,
}

param "u" {
    min = 1, max = 64, unit = "nonzeros",
    meaning = "sigma of matrices with very long rows, where few rows end inside a tile",
    source = "section 3.2, <r, s, t, u>",
    derivation = "4",
    default = function(t) return 4 end,
}

param "sigma" {
    min = 0, max = 64, unit = "nonzeros",
    meaning = "nonzeros of a lane: the depth of a tile; 0: chosen by <r, s, t, u> from nnz/row " ..
              "when a plan is made",
    source = "section 3.2, for f64: 16 on CPUs, 12 on Xeon Phi, <r, s, t, u> on GPUs",
    derivation = "16 on CPUs, the paper's value; on GPUs 512 / omega, 4 to 16",
    default = function(t)
        return t.form == "simd" and 16 or math.max(4, math.min(16, 512 // t.p.omega))
    end,
    tune = function(t)
        return t.form == "simd" and { 8, 12, 16, 24, 32 } or { 4, 8, 12, 16, 24 }
    end,
}

include "fetch_ahead"
include "gather"

param "segmented_sum" {
    choices = { head_flags = 0, prefix_difference = 1, classic = 2 },
    benchmark_only = { "prefix_difference" },
    meaning = "how the parts of a row in several lanes are added: one after the other up to the " ..
              "next head flag, or as a difference of prefix sums, which loses digits where " ..
              "magnitudes differ and spreads an Inf over the tile. classic: no tiles, but the " ..
              "product that the paper compares CSR5 with, which flags, multiplies, sums and " ..
              "gathers the caller's CSR, one after the other",
    source = "section 3.4, Algorithm 6 (prefix_difference); section 2.2.2, Algorithm 3 (classic)",
    derivation = "head_flags",
    default = function(t) return 0 end,
}

param "fast_track" {
    choices = { no = 0, yes = 1 },
    meaning = "whether a tile in one row skips the work that depends on flags: on GPUs the test " ..
              "of each step, on CPUs the slots of the segmented sum, too",
    source = "section 3.2: the segmented sum of a tile in one row becomes a plain sum; the name " ..
             "is that of the authors' program",
    derivation = "yes on CPUs; no on GPUs, where it has not been measured",
    default = function(t) return t.form == "simd" and 1 or 0 end,
}

param "work_group_size" {
    min = 1, max = 4096, unit = "work-items",
    costs = { "local memory" },
    meaning = "work-items of a work-group, on GPUs: omega of them take a tile",
    source = "the authors' OpenCL program: 256",
    derivation = "the largest multiple of omega up to 128 and the device's work_group_size; " ..
                 "less if the sums of its tiles do not fit local memory",
    default = function(t)
        local most = math.min(128, t.work_group_size or 128)
        local tiles = most // t.p.omega
        local limit = math.min(t.local_memory_max or 1 << 53, t.local_memory or 1 << 53)
        local bytes = (t.p.omega * (slots(t.p) + 2) + 1) * t.value_bits // 8
        return math.max(1, math.min(tiles, limit // bytes)) * t.p.omega
    end,
    tune = function(t) return t.form == "simt" and { 64, 128, 256 } or {} end,
}

include "subgroup_size"
include "resident_groups"

-- load_width steps of a lane are contiguous.
include "load_width"

param "value_width" {
    min = 1, max = 4, unit = "nonzeros",
    costs = { "registers" },
    meaning = "values that a work-item loads at once; the layout stores them contiguously, so " ..
              "that one load takes whole sectors of memory",
    source = "chosen here",
    derivation = "load_bits / value bits, at most load_width",
    default = function(t)
        return math.min(t.p.load_width, math.max(1, (t.load_bits or 32) // t.value_bits))
    end,
    tune = function(t) return t.form == "simt" and { 1, 2, 4 } or {} end,
}

param "narrow_span" {
    min = 1, max = 65536, unit = "columns",
    meaning = "a tile whose columns span less than this stores them in 16 bits, as offsets from " ..
              "the smallest; 1: only a tile in one column does",
    source = "chosen here",
    derivation = "65536, all that 16 bits hold",
    default = function(t) return 65536 end,
}

param "chunk_tiles" {
    min = 1, max = 65536, unit = "tiles",
    meaning = "tiles of a chunk, the unit of work of a thread; fixed, so that bits do not " ..
              "depend on the number of threads",
    source = "chosen here",
    derivation = "8192 / omega / 16, at least 1: about 100 kB of matrix",
    default = function(t) return math.max(1, 8192 // (16 * t.p.omega)) end,
    tune = function(t)
        local most = math.max(1, 8192 // (16 * t.p.omega))
        return t.form == "simd" and { math.max(1, most // 2), most, 2 * most, 4 * most } or {}
    end,
}

check({ "omega" }, function(p, t) return p.omega & (p.omega - 1) == 0 end,
      "omega must be a power of two: a lane's number is a bit field of the tile descriptor")
check({ "omega", "lanes" }, function(p, t) return t.form ~= "simd" or p.omega == p.lanes end,
      "lanes must equal omega, so that omega is at most 32 on CPUs: a vector holds one step of " ..
      "a tile")
check({ "r", "s" }, function(p, t) return p.r <= p.s end, "r must not be greater than s")
check({ "u", "s" }, function(p, t) return p.u <= p.s end, "u must not be greater than s")
check({ "work_group_size", "omega" },
      function(p, t) return t.form ~= "simt" or p.work_group_size % p.omega == 0 end,
      "work_group_size must be a multiple of omega: a work-group takes whole tiles")
check({ "work_group_size" },
      function(p, t)
          return t.form ~= "simt" or p.work_group_size <= (t.work_group_size or 1024)
      end,
      "work_group_size must not exceed the device's maximum (the fact work_group_size, 1024 if " ..
      "the page names none)")
check({ "work_group_size", "omega", "sigma", "s", "subgroup_size" },
      function(p, t)
          local limit = math.min(t.local_memory_max or 1 << 53, t.local_memory or 1 << 53)
          local joined = p.omega > p.subgroup_size and 2 or 0
          local values = p.work_group_size * (slots(p) + joined) + p.work_group_size // p.omega
          local bytes = values * t.value_bits // 8
          return t.form ~= "simt" or bytes <= limit, bytes .. " of " .. limit .. " bytes"
      end,
      "the local memory of a work-group, a value for each nonzero of its tiles, one more for " ..
      "each tile and, without subgroups, two for each work-item, must not exceed " ..
      "local_memory_max and local_memory")
check({ "value_width" }, function(p, t) return p.value_width & (p.value_width - 1) == 0 end,
      "value_width must be a power of two, as the widths of loads are")
check({ "value_width", "load_width" }, function(p, t) return p.value_width <= p.load_width end,
      "value_width must not be greater than load_width")
check({ "load_width", "omega" }, function(p, t) return p.omega % p.load_width == 0 end,
      "omega must be a multiple of load_width: every tile begins where a load may")

-- Work-items add a tile's blue segments, and rows in several tiles, in another order. On CPUs the
-- fast track adds the lanes of a tile by halves; on GPUs it changes no bit.
bits(function(p, t)
    local form = t.form == "simd" and "vectors, chunk_tiles=" .. p.chunk_tiles ..
                                      ", fast_track=" .. p.fast_track
                 or "work-items, work_group_size=" .. p.work_group_size
    return form .. ", segmented_sum=" .. p.segmented_sum .. ", omega=" .. p.omega ..
           ", sigma=" .. p.sigma .. ", r=" .. p.r .. ", s=" .. p.s .. ", t=" .. p.t ..
           ", u=" .. p.u
end)
