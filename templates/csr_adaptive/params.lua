method {
    title = "CSR-Adaptive",
    source = "Greathouse & Daga, SC 2014; Daga & Greathouse, HiPC 2015",
}

-- Consecutive rows form row blocks of at most nnz_per_wg nonzeros; each block has a work-group.
--
--     rows of the block            kernel         who adds a row
--     num_rows_stream or more      CSR-Stream     one or several work-items, from products in local
--                                                 memory
--     fewer                        CSR-Vector     the whole vector; on GPUs several work-items
--     one row, longer than
--     nnz_per_wg * nnz_multiplier  CSR-VectorL    several work-groups

include "lanes"

param "accumulators" {
    min = 1, max = 8, unit = "vectors",
    meaning = "independent sums of a row of CSR-Vector, so that an addition need not wait for " ..
              "the one before",
    source = "chosen here",
    derivation = "2, as csr_vector",
    default = function(t) return 2 end,
    tune = function(t) return t.form == "simd" and { 1, 2, 4 } or {} end,
}

include "fetch_ahead"
include "x_ahead"
include "gather"

param "work_group_size" {
    min = 32, max = 1024, unit = "work-items",
    costs = { "local memory" },
    meaning = "work-items of a work-group",
    source = "HiPC 2015: 256 on FirePro W9100",
    derivation = "256, or the device's work_group_size if that is less",
    default = function(t) return math.min(256, t.work_group_size or 256) end,
    tune = function(t) return t.form == "simt" and { 64, 128, 256, 512 } or {} end,
}

include "work_group_limit"
include "subgroup_size"
include "resident_groups"

param "nnz_per_wg" {
    min = 64, max = 16384, unit = "nonzeros",
    costs = { "local memory" },
    meaning = "most nonzeros of a CSR-Stream row block, whose products are in local memory",
    source = "NNZ_PER_WG of HiPC 2015, Table I: f32 1024, f64 1536 on FirePro W9100",
    derivation = "an eighth of the local memory (32 KiB if the page names none) in values, " ..
                 "rounded down to a multiple of work_group_size; at least one and at most eight " ..
                 "for each work-item",
    default = function(t)
        local size = t.p.work_group_size
        local values = (t.local_memory or 32 * 1024) // 8 * 8 // t.value_bits
        return math.max(1, math.min(8, values // size)) * size
    end,
    tune = function(t)
        return t.form == "simd" and { 256, 512, 1024, 2048, 4096 } or { 256, 512, 1024, 1536, 2048 }
    end,
}

param "item_loads" {
    min = 1, max = 16, unit = "nonzeros",
    costs = { "registers" },
    meaning = "most nonzeros that a work-item loads before it uses the first of them, on GPUs",
    source = "chosen here",
    derivation = "nnz_per_wg / work_group_size, at most 8, so that a work-item waits once for " ..
                 "all of its nonzeros of a CSR-Stream block; 1 on CPUs",
    default = function(t)
        local share = math.max(1, math.min(8, t.p.nnz_per_wg // t.p.work_group_size))
        return t.form == "simt" and share or 1
    end,
    tune = function(t) return t.form == "simt" and { 1, 2, 4, 8 } or {} end,
}

param "nnz_multiplier" {
    min = 0, max = 64, unit = "row blocks",
    meaning = "a row of more than nnz_per_wg * nnz_multiplier nonzeros goes to CSR-VectorL, " ..
              "with one work-group for each part of that many nonzeros; 0: no row does, except " ..
              "of more than 2^30 nonzeros",
    source = "NNZ_multiplier of HiPC 2015, Table I and Figure 8: f32 3, f64 2 on FirePro W9100",
    derivation = "3 for f32, 2 for f64, as the paper",
    default = function(t) return t.value_bits == 32 and 3 or 2 end,
}

param "num_rows_stream" {
    min = 1, max = 1024, unit = "rows",
    meaning = "least rows of a CSR-Stream row block; a block of fewer rows goes to CSR-Vector; " ..
              "1: every block of at most nnz_per_wg nonzeros is CSR-Stream",
    source = "num_rows_stream of HiPC 2015: f32 2, f64 3 by III-A2 and Figure 4; Table I prints " ..
             "1 and 2, which would fit \"more than\". Its baseline has 2 for both (Figure 2)",
    derivation = "2 for f32, 3 for f64, as the paper; on CPUs nnz_per_wg / (2 * lanes), since " ..
                 "rows longer than two vectors are added by vectors without the buffer",
    default = function(t)
        if t.form == "simd" then
            return math.max(1, math.min(1024, t.p.nnz_per_wg // (2 * t.p.lanes)))
        end
        return t.value_bits == 32 and 2 or 3
    end,
    tune = function(t)
        local vectors = math.max(2, t.p.nnz_per_wg // t.p.lanes)
        return t.form == "simd" and { vectors // 4, vectors // 2, vectors } or { 2, 3, 4, 8 }
    end,
}

param "scalar_rows" {
    min = 1, max = 16384, unit = "rows",
    meaning = "least rows of a CSR-Stream row block in which each row is added by one work-item " ..
              "(scalar reduction); in a block of fewer rows, by the whole vector or by several " ..
              "work-items (logarithmic reduction). 1: always scalar; 16384: always logarithmic " ..
              "where a row can have two work-items",
    source = "HiPC 2015, III-A1 and Figure 3: a row has the largest power of two of work-items " ..
             "for which the work-group suffices; if that is one, the reduction is scalar",
    derivation = "work_group_size / 2 + 1 on GPUs, as the paper; nnz_per_wg / (2 * lanes) on " ..
                 "CPUs: rows of at most two vectors on average",
    default = function(t)
        if t.form == "simd" then
            return math.max(1, t.p.nnz_per_wg // (2 * t.p.lanes))
        end
        return t.p.work_group_size // 2 + 1
    end,
    tune = function(t)
        local vectors = math.max(2, t.p.nnz_per_wg // t.p.lanes)
        return t.form == "simd" and { vectors // 4, vectors // 2, vectors } or {}
    end,
}

param "long_row" {
    min = 1, max = 16384, unit = "nonzeros",
    meaning = "rows longer than this are long: a row block ends between a long and a short row",
    source = "HiPC 2015, III-A1: e.g. 128",
    derivation = "128",
    default = function(t) return 128 end,
    tune = function(t) return { 64, 128, 256, 512 } end,
}

param "short_row" {
    min = 0, max = 16384, unit = "nonzeros",
    meaning = "rows shorter than this are short: a row block ends between a long and a short " ..
              "row; 0: no row is short, so no block ends there",
    source = "HiPC 2015, III-A1: e.g. 32",
    derivation = "32",
    default = function(t) return 32 end,
    tune = function(t) return { 8, 16, 32, 64 } end,
}

check({ "work_group_size" },
      function(p, t) return p.work_group_size & (p.work_group_size - 1) == 0 end,
      "work_group_size must be a power of two: rows are added by halving")
check({ "nnz_per_wg", "work_group_size" },
      function(p, t) return p.nnz_per_wg % p.work_group_size == 0 end,
      "nnz_per_wg must be a multiple of work_group_size: each work-item forms the same number " ..
      "of products")
check({ "nnz_per_wg" },
      function(p, t)
          local limit = math.min(t.local_memory_max or 1 << 53, t.local_memory or 1 << 53)
          local bytes = p.nnz_per_wg * t.value_bits // 8
          return bytes <= limit, bytes .. " of " .. limit .. " bytes"
      end,
      "nnz_per_wg products must fit the local memory of a work-group (local_memory_max and " ..
      "local_memory)")
check({ "nnz_per_wg" },
      function(p, t)
          local limit = 32 * 1024
          local bytes = p.nnz_per_wg * t.value_bits // 8
          return t.form ~= "simd" or bytes <= limit, bytes .. " of " .. limit .. " bytes"
      end,
      "nnz_per_wg products must fit 32 KiB on CPUs, where they are on the stack")
check({ "num_rows_stream", "work_group_size" },
      function(p, t) return t.form ~= "simt" or p.num_rows_stream <= p.work_group_size + 1 end,
      "num_rows_stream must be at most work_group_size + 1: each row of CSR-Vector has at least " ..
      "one work-item")
check({ "num_rows_stream", "nnz_per_wg" },
      function(p, t) return p.num_rows_stream <= p.nnz_per_wg end,
      "num_rows_stream must not exceed nnz_per_wg: else no block would go to CSR-Stream")
check({ "short_row", "long_row" }, function(p, t) return p.short_row < p.long_row end,
      "short_row must be less than long_row")

-- A row has one sum per work-item; with vectors it has another number of sums.
bits(function(p, t)
    local form = t.form == "simd" and "vectors, lanes=" .. p.lanes ..
                                      ", accumulators=" .. p.accumulators or "work-items"
    return form .. ", work_group_size=" .. p.work_group_size .. ", nnz_per_wg=" .. p.nnz_per_wg ..
           ", nnz_multiplier=" .. p.nnz_multiplier .. ", num_rows_stream=" .. p.num_rows_stream ..
           ", scalar_rows=" .. p.scalar_rows .. ", long_row=" .. p.long_row ..
           ", short_row=" .. p.short_row
end)
