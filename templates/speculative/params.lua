method {
    title = "Speculative segmented sum",
    source = "Liu & Vinter, Parallel Computing 2015 (arXiv 1504.06474)",
}

-- A bunch (the paper's thread-bunch) of T work-items processes S tiles one after the other. A tile
-- has T * W nonzeros, W for each work-item. B bunches make a work-group.
--
--     work-group     bunch 0 | bunch 1 | ... | bunch B-1        T * B work-items
--     bunch          tile 0, tile 1, ... tile S-1               S * T * W nonzeros
--     tile           T work-items x W nonzeros                  in local memory, with descriptor

local function power_of_two_up_to(limit)
    local p = 1
    while p * 2 <= limit do
        p = p * 2
    end
    return p
end

-- Local memory in simt.c: products, with a value of padding every 128 bytes; an end mark for each
-- nonzero; unless a bunch is within a subgroup, two buffers for the open sum (a value) and the
-- count (a word) of each work-item; and a word for each border that the bunch searches.
local function local_memory_of_group(p, t)
    local value = t.value_bits // 8
    local tile = p.T * p.W
    local bunch = (tile + tile // (128 // value)) * value
                + tile
                + (p.T <= p.subgroup_size and 0 or 2 * p.T * (value + 4))
                + p.borders * (p.S + 1) * 4
    return p.B * bunch
end

param "lanes" {
    min = 1, max = 32, unit = "values",
    meaning = "values that one vector word holds in simd.c",
    source = "chosen here",
    derivation = "simd_bits / value bits on CPUs; 1 on GPUs, which have no vector words",
    default = function(t)
        if t.form ~= "simd" then
            return 1
        end
        if not t.simd_bits then
            return t.simd_width
        end
        return math.max(1, math.min(32, t.simd_bits // t.value_bits))
    end,
}

param "T" {
    min = 2, max = 128, unit = "work-items",
    meaning = "size of a bunch (the paper's thread-bunch): work-items that share tiles; on CPUs " ..
              "lanes of one or more vectors",
    source = "the paper's T (3.4, Table 1): 8 on Intel, 64 on AMD, 32 on NVIDIA",
    derivation = "the SIMD width, simd_width, on GPUs; four vectors on CPUs, which are added " ..
                 "independently, so that no addition waits for the one before",
    default = function(t) return t.simd_width or 4 * t.p.lanes end,
    tune = function(t)
        local lanes = t.p.lanes
        return t.form == "simd" and { lanes, 2 * lanes, 4 * lanes, 8 * lanes } or { 8, 16, 32, 64 }
    end,
}

param "B" {
    min = 1, max = 32, unit = "thread-bunches",
    costs = { "local memory" },
    meaning = "bunches of a work-group, which has T * B work-items",
    source = "the paper's B (3.4, Table 1): 4 on Intel, 2 on AMD, 5 on NVIDIA, so groups of 32, " ..
             "128 and 160",
    derivation = "128 / T, from 1 to 4: groups as large as the paper's on AMD and NVIDIA, and " ..
                 "its 4 if T is small",
    default = function(t) return math.max(1, math.min(4, 128 // t.p.T)) end,
    tune = function(t) return t.form == "simt" and { 1, 2, 4, 8 } or {} end,
}

param "W" {
    min = 1, max = 32, unit = "nonzeros",
    costs = { "registers", "local memory" },
    meaning = "workload: nonzeros of a tile for each work-item, which have one bit each in its " ..
              "word of the segment descriptor",
    source = "the paper's W (3.4, Table 1): 16 on Intel; f32 16 and f64 8 on AMD; f32 8 and f64 " ..
             "4 on NVIDIA",
    derivation = "the largest power of two up to 16 for which the products of a work-group, B * " ..
                 "T * W values, fill at most an eighth of the local memory (32 KiB if the page " ..
                 "names none), so that eight groups share a compute unit; this gives the " ..
                 "paper's values on its three devices. 16 on CPUs, or lanes if that is more",
    default = function(t)
        if t.form == "simd" then
            return math.max(16, t.p.lanes)
        end
        local budget = (t.local_memory or 32 * 1024) // 8
        local values = budget * 8 // t.value_bits // (t.p.B * t.p.T)
        return power_of_two_up_to(math.max(1, math.min(16, values)))
    end,
    tune = function(t)
        return t.form == "simd" and { 8, 16, 32 } or { 4, 8, 16 }
    end,
}

param "work_group_size" {
    min = 1, max = 4096, unit = "work-items",
    meaning = "work-items of a work-group: always T * B, on GPUs",
    source = "the paper's T * B (3.4, Table 1): 32 on Intel, 128 on AMD, 160 on NVIDIA",
    derivation = "T * B",
    default = function(t) return t.p.T * t.p.B end,
}

include "subgroup_size"
include "resident_groups"

param "S" {
    min = 1, max = 64, unit = "tiles",
    meaning = "tiles that a bunch processes one after the other, passing on the last sum of each",
    source = "the paper's S (3.4, Table 1): 6 on Intel; f32 2 and f64 5 on AMD; 7 on NVIDIA",
    derivation = "6, within the paper's values; or T - 1 if that is less, so that the " ..
                 "work-items of a bunch could search its S + 1 borders at once",
    default = function(t) return math.min(6, t.p.T - 1) end,
    tune = function(t) return { 2, 4, 6, 12, 24 } end,
}

param "repair" {
    choices = { host = 0, device = 1, records = 2 },
    meaning = "who moves the sums of dirty tiles to their rows: the CPU in the second step, in " ..
              "y itself; the first step, at once; or the CPU, in a list of finished rows that " ..
              "the device stores to y (the dirty tiles are then listed in the plan). The same " ..
              "processor adds rows in several bunches",
    source = "section 3.2: the paper's second stage, checking the prediction, runs on the CPU " ..
             "of a chip that shares its memory",
    derivation = "on GPUs host if the CPU reaches the device's memory through shared caches or " ..
                 "shared memory: memory is \"unified\", or is \"svm\" and cache_sharing is not " ..
                 "\"separate\"; device otherwise, and on CPUs, where it was 1.05 to 1.25 times " ..
                 "as fast if there are dirty tiles",
    default = function(t)
        local shares = t.memory == "unified" or t.memory == "svm" and t.cache_sharing ~= "separate"
        return shares and t.form ~= "simd" and "host" or "device"
    end,
}

param "dirty_counter" {
    choices = { no = 0, yes = 1 },
    meaning = "if repair is host, on GPUs: whether the kernel also counts the dirty tiles in " ..
              "one atomic counter, so that the CPU looks for none if it is 0. A kernel clears " ..
              "the counter before",
    source = "section 3.2, the paper's dirty counter",
    derivation = "no: each bunch marks its dirty tiles in a word, which the CPU reads as fast " ..
                 "as the synchronizer. The pages of the paper's devices have yes",
    default = function() return 0 end,
}

param "borders" {
    choices = { plan = 0, kernel = 1 },
    meaning = "who finds the rows at the borders of tiles, on GPUs: the plan, once, with 4 " ..
              "bytes a tile; or each bunch its S + 1 borders, by binary search in each " ..
              "multiplication, without auxiliary data of the matrix. A CPU searches for the " ..
              "first border of a thread's part, and visits the others",
    source = "section 3.2 and Appendix A, Algorithm 1: S + 1 searches a bunch (kernel)",
    derivation = "plan. The pages of the paper's devices have kernel",
    default = function() return 0 end,
}

include "fetch_ahead"
include "x_ahead"
include "gather"

check({ "lanes" }, function(p, t) return p.lanes & (p.lanes - 1) == 0 end,
      "lanes must be a power of two: v_sum halves the vector")
check({ "T", "W", "lanes" }, function(p, t) return p.T % p.lanes == 0 and p.W % p.lanes == 0 end,
      "T and W must be multiples of lanes: simd.c transposes lanes x lanes products at once")
check({ "T" }, function(p, t) return p.T & (p.T - 1) == 0 end,
      "T must be a power of two: a bunch adds its sums by halving")
check({ "W" }, function(p, t) return p.W & (p.W - 1) == 0 end,
      "W must be a power of two: an entry's work-item is found by shifting")
check({ "B", "T" },
      function(p, t)
          local most = t.work_group_size or 1024
          return p.T * p.B <= most, p.T * p.B .. " of " .. most
      end,
      "T * B must not exceed the device's maximum of work-items (the fact work_group_size, 1024 " ..
      "if the page names none)")
check({ "work_group_size", "T", "B" },
      function(p, t) return p.work_group_size == p.T * p.B end,
      "work_group_size must be T * B: a work-group consists of B bunches of T work-items")
check({ "W", "B", "T", "S", "borders" },
      function(p, t)
          local limit = math.min(t.local_memory_max or 1 << 53, t.local_memory or 1 << 53)
          local bytes = local_memory_of_group(p, t)
          return bytes <= limit, bytes .. " of " .. limit .. " bytes"
      end,
      "the local memory of a work-group, B * (T * W + T * W * value bytes / 128 + 2 * T) " ..
      "values, B * T * W bytes, B * 2 * T words and, if borders is kernel, B * (S + 1) words, " ..
      "must not exceed local_memory_max and local_memory")

-- A scan adds a row in several work-items; vectors add its parts one after the other.
bits(function(p, t)
    local form = t.form == "simd" and "vectors, lanes=" .. p.lanes
                 or "work-items, B=" .. p.B .. ", repair=" .. p.repair
    return form .. ", T=" .. p.T .. ", W=" .. p.W .. ", S=" .. p.S
end)
