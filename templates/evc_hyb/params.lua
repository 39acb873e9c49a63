method {
    title = "EVC-HYB",
    source = "Guo, Gropp & Olson, IJHPCA 2016",
}

-- Rows are sorted by (length, first column), stably. Rows of at most `boundary` nonzeros form the
-- ELL part, in slices of `alignment` rows, as wide as the longest of them; longer rows form the
-- vCSR part.

include "lanes"

param "work_group_size" {
    min = 32, max = 1024, unit = "work-items",
    costs = { "local memory" },
    meaning = "work-items of a work-group (the paper's thread block)",
    source = "the paper (3): blocks of 256 on Tesla K20X",
    derivation = "256, or the device's work_group_size if that is less",
    default = function(t) return math.min(256, t.work_group_size or 256) end,
}

include "work_group_limit"
include "subgroup_size"
include "resident_groups"

param "boundary" {
    min = 1, max = 4096, unit = "nonzeros",
    meaning = "longest row of the ELL part; longer rows go to the vCSR part",
    source = "the paper (2.1): 128",
    derivation = "128, as the paper",
    default = function(t) return 128 end,
    tune = function(t) return { 32, 64, 128, 256, 512 } end,
}

param "busy_items" {
    min = 0, max = 1 << 24, unit = "work-items",
    meaning = "work-items that the device runs at once: rows of more than twice the nonzeros " ..
              "that each of them has to add, but of at least 33, go to the vCSR part too; 0: " ..
              "only rows above boundary do",
    source = "chosen here",
    derivation = "0, as the paper",
    default = function(t) return 0 end,
}

param "sort_window" {
    min = 0, max = 1 << 24, unit = "rows",
    meaning = "rows of the ELL part that are sorted together, by length and then by row; other " ..
              "rows stay in order, and so near each other in x and y; 0: all rows together, by " ..
              "length and then by first column",
    source = "chosen here; the paper sorts all rows (2.1)",
    derivation = "0, as the paper",
    default = function(t) return 0 end,
}

param "narrow_span" {
    min = 0, max = 65536, unit = "columns",
    meaning = "a slice, or a row of the vCSR part, whose columns span less than this stores " ..
              "them in 16 bits, as offsets from the smallest; 0: no columns have 16 bits",
    source = "chosen here",
    derivation = "65536, all that 16 bits hold; 0 on CPUs",
    default = function(t) return t.form == "simt" and 65536 or 0 end,
}

param "alignment" {
    min = 1, max = 128, unit = "rows",
    meaning = "rows of a slice of the ELL part, which is stored column by column, so that " ..
              "work-items in lock step read contiguous entries",
    source = "the paper (2.1): 32, a warp of Tesla K20X",
    derivation = "the SIMD width: simd_width on GPUs; on CPUs twice simd_bits / value bits, two " ..
                 "vectors in flight",
    default = function(t)
        return t.simd_width or math.max(1, 2 * (t.simd_bits or 256) // t.value_bits)
    end,
    tune = function(t)
        local lanes = t.p.lanes
        return t.form == "simd" and { lanes, 2 * lanes, 4 * lanes } or { 16, 32, 64 }
    end,
}

param "vcsr_alignment" {
    min = 1, max = 128, unit = "nonzeros",
    meaning = "each row of the vCSR part begins at a multiple of this, after padding, so that " ..
              "its first load takes whole units of memory",
    source = "the paper (2.1) aligns rows of the vCSR part to 32",
    derivation = "1: no padding",
    default = function(t) return 1 end,
}

-- load_width columns of a row of the ELL part are contiguous.
include "load_width"

param "value_width" {
    min = 1, max = 4, unit = "nonzeros",
    meaning = "values of a row of the ELL part that are contiguous, as one load takes them",
    source = "chosen here",
    derivation = "the values of a load of load_bits, at most load_width; load_width if the page " ..
                 "does not state load_bits",
    default = function(t)
        return math.min(t.p.load_width, math.max(1, (t.load_bits or 128) // t.value_bits))
    end,
}


param "turns" {
    min = 1, max = 8, unit = "turns",
    costs = { "registers" },
    meaning = "turns of load_width nonzeros of a row of the ELL part that a work-item has under " ..
              "way; 1: the next one is loaded when this one was added",
    source = "chosen here",
    derivation = "what 64 registers hold: 2 for 64-bit values, 3 for 32-bit values; 1 if " ..
                 "load_width is 1",
    default = function(t)
        return t.p.load_width == 1 and 1 or t.value_bits == 64 and 2 or 3
    end,
    tune = function(t) return t.form == "simt" and { 1, 2, 3, 4 } or {} end,
}

param "rows_per_item" {
    min = 1, max = 128, unit = "rows",
    costs = { "registers" },
    meaning = "most rows that a work-item of the ELL part adds side by side: the number " ..
              "doubles as the length halves",
    source = "chosen here; the paper's number of rows is rows_by_longest",
    derivation = "4: a work-item then has 4 independent loads even if rows have one nonzero; " ..
                 "with 8, GPUs have registers for fewer work-items, and CPUs look ahead " ..
                 "themselves",
    default = function(t) return 4 end,
    tune = function(t) return { 1, 2, 4, 8 } end,
}

param "rows_by_longest" {
    choices = { no = 0, yes = 1 },
    meaning = "yes: a work-item of the ELL part adds one row if its length is above half of the " ..
              "longest row's, two rows above a quarter, four above an eighth, and so on, " ..
              "rows_per_item of them at a time; no: at most rows_per_item rows, and one if the " ..
              "length is above half of rows_per_item",
    source = "the paper (2.1): rows of a thread by LRmax",
    derivation = "no: more work-items, and as many independent loads of each",
    default = function(t) return "no" end,
}

param "items_per_row" {
    min = 1, max = 1024, unit = "work-items",
    meaning = "most work-items that share a row of the vCSR part (the paper's TPR)",
    source = "the paper (1, Listing 2): at most a block's threads",
    derivation = "the SIMD width, at most work_group_size: the work-items that share a row " ..
                 "access memory together; on CPUs twice that, for two sums in flight",
    default = function(t) return math.min(t.p.work_group_size, t.simd_width or 2 * t.p.lanes) end,
    tune = function(t)
        local lanes = t.p.lanes
        return t.form == "simd" and { lanes, 2 * lanes, 4 * lanes } or { 8, 16, 32, 64 }
    end,
}

param "least_items_per_row" {
    min = 1, max = 1024, unit = "work-items",
    meaning = "fewest work-items that share a row of the vCSR part",
    source = "the paper has rows of up to 128 nonzeros in the ELL part (2.1) and 8 nonzeros a " ..
             "thread (1); it names no least number of threads",
    derivation = "1: a row of one nonzero has one work-item",
    default = function(t) return 1 end,
}

param "nonzeros_per_item" {
    min = 1, max = 1024, unit = "nonzeros",
    meaning = "most nonzeros of a row of the vCSR part that a work-item adds, as long as fewer " ..
              "than items_per_row share the row: twice as many work-items share a row of more",
    source = "the paper (1): 2^i threads for rows of up to 8 * 2^i nonzeros",
    derivation = "1: items_per_row work-items share every row of at least as many nonzeros",
    default = function(t) return 1 end,
}

param "order_of_y" {
    choices = { natural = 0, permuted = 1 },
    meaning = "natural: the kernel scatters y through the permutation; permuted: y stays in " ..
              "sorted order",
    source = "the paper times products with y in order and permuted (3.1)",
    derivation = "natural: y = alpha*A*x + beta*y, as in all other methods",
    default = function(t) return "natural" end,
}

include "fetch_ahead"
include "gather"

param "chunk_weight" {
    min = 64, max = 1 << 24, unit = "rows + nonzeros",
    meaning = "rows plus nonzeros of a chunk, the unit of work of a thread; a row of more than " ..
              "split_at nonzeros is split into parts of this many",
    source = "chosen here",
    derivation = "16384: about 200 kB of matrix, much work compared with starting a thread, " ..
                 "little compared with a core's share; on GPUs 64 * items_per_row: a work-item " ..
                 "waits for memory a few times for each part, and several share a longer row",
    default = function(t) return t.form == "simd" and 16384 or 64 * t.p.items_per_row end,
    tune = function(t) return t.form == "simd" and { 4096, 8192, 16384, 32768, 65536 } or {} end,
}

param "split_at" {
    min = 64, max = 1 << 30, unit = "nonzeros",
    meaning = "rows of the vCSR part of more nonzeros are split into parts of chunk_weight; at " ..
              "2^30, the most that a work-item counts, all others are whole",
    source = "chosen here; the paper splits no row (Listing 2)",
    derivation = "chunk_weight",
    default = function(t) return t.p.chunk_weight end,
}

param "first_groups" {
    choices = { longest = 0, shortest = 1 },
    meaning = "the order in which work-groups start, on GPUs: longest: those of long rows " ..
              "first, so that no long row begins last; shortest: empty rows, then the ELL part " ..
              "by rising length, then the vCSR part",
    source = "the paper sorts by rising length (2.1); its first blocks have the ELL part " ..
             "(Algorithm 1)",
    derivation = "longest",
    default = function(t) return "longest" end,
}

param "read_only_x" {
    choices = { no = 0, yes = 1 },
    meaning = "yes: x is read through the read-only (texture) cache if the language has words " ..
              "for it, as CUDA does; no: as A is",
    source = "the paper reads x through it (2.2) and compares both on web-Google (3.2, Table 4)",
    derivation = "yes, as the paper",
    default = function(t) return "yes" end,
}

check({ "work_group_size" },
      function(p, t) return p.work_group_size & (p.work_group_size - 1) == 0 end,
      "work_group_size must be a power of two: rows are added by halving")
check({ "alignment" }, function(p, t) return p.alignment & (p.alignment - 1) == 0 end,
      "alignment must be a power of two: slices are found by shifting")
check({ "vcsr_alignment" },
      function(p, t) return p.vcsr_alignment & (p.vcsr_alignment - 1) == 0 end,
      "vcsr_alignment must be a power of two: the start of a row is found by masking")
check({ "vcsr_alignment", "chunk_weight" },
      function(p, t) return p.chunk_weight % p.vcsr_alignment == 0 end,
      "chunk_weight must be a multiple of vcsr_alignment: parts of a split row are aligned, too")
param "ell_storage" {
    choices = { slices = 0, columns = 1 },
    meaning = "slices: each slice of the ELL part is stored column by column; columns: all rows " ..
              "of one length are, so that a column has an entry of each of them, rounded to " ..
              "alignment",
    source = "columns: the paper's 2.1 and Listing 1",
    derivation = "slices: the columns of a row are near each other",
    default = function(t) return "slices" end,
}

param "constant" {
    choices = { none = 0, x = 1, a = 2, both = 3 },
    benchmark_only = { "x", "a", "both" },
    meaning = "what a multiplication takes for 1 instead of reading it: x with its columns, the " ..
              "values of A, or both; the result is right only if they are 1",
    source = "the paper's times of its parts (3.3, Figures 12 to 14)",
    derivation = "none",
    default = function(t) return "none" end,
}

check({ "split_at", "chunk_weight" }, function(p, t) return p.split_at >= p.chunk_weight end,
      "split_at must be at least chunk_weight: a shorter row is one part")
check({ "ell_storage" }, function(p, t) return t.form ~= "simd" or p.ell_storage == 0 end,
      "ell_storage must be \"slices\" on CPUs, where a thread adds slices one after the other")
check({ "ell_storage", "load_width", "narrow_span", "sort_window" },
      function(p, t)
          return p.ell_storage == 0 or
                 p.load_width == 1 and p.narrow_span == 0 and p.sort_window == 0
      end,
      "ell_storage \"columns\" needs load_width 1, narrow_span 0 and sort_window 0: one array " ..
      "for each length, with columns of 32 bits")
check({ "first_groups" }, function(p, t) return t.form ~= "simd" or p.first_groups == 0 end,
      "first_groups must be \"longest\" on CPUs, which have no work-groups")
check({ "read_only_x" }, function(p, t) return t.form ~= "simd" or p.read_only_x == 1 end,
      "read_only_x must be \"yes\" on CPUs, which have one kind of load")
check({ "sort_window", "alignment" }, function(p, t) return p.sort_window % p.alignment == 0 end,
      "sort_window must be a multiple of alignment: a window is a whole number of slices")
check({ "sort_window", "busy_items" },
      function(p, t) return t.form ~= "simd" or p.sort_window == 0 and p.busy_items == 0 end,
      "sort_window and busy_items must be 0 on CPUs: a CPU's caches hold more of x, and its " ..
      "threads take whole chunks")
check({ "narrow_span" }, function(p, t) return t.form ~= "simd" or p.narrow_span == 0 end,
      "narrow_span must be 0 on CPUs: the loops of simd.c load columns of 32 bits")
check({ "work_group_size", "alignment" },
      function(p, t) return p.work_group_size % p.alignment == 0 end,
      "work_group_size must be a multiple of alignment: a work-group takes whole slices")
check({ "rows_per_item" }, function(p, t) return p.rows_per_item & (p.rows_per_item - 1) == 0 end,
      "rows_per_item must be a power of two: it doubles")
check({ "rows_by_longest" },
      function(p, t) return t.form ~= "simd" or p.rows_by_longest == 0 end,
      "rows_by_longest must be \"no\" on CPUs: a thread adds whole chunks, rows_per_item slices " ..
      "at a time")
check({ "items_per_row" }, function(p, t) return p.items_per_row & (p.items_per_row - 1) == 0 end,
      "items_per_row must be a power of two: a row is added by halving")
check({ "items_per_row", "work_group_size" },
      function(p, t) return p.items_per_row <= p.work_group_size end,
      "items_per_row must not exceed work_group_size: one work-group adds a row")

check({ "least_items_per_row" },
      function(p, t) return p.least_items_per_row & (p.least_items_per_row - 1) == 0 end,
      "least_items_per_row must be a power of two: it doubles")
check({ "least_items_per_row", "items_per_row" },
      function(p, t) return p.least_items_per_row <= p.items_per_row end,
      "least_items_per_row must not exceed items_per_row, the most work-items of a row")
check({ "least_items_per_row", "nonzeros_per_item" },
      function(p, t)
          return t.form ~= "simd" or p.least_items_per_row == 1 and p.nonzeros_per_item == 1
      end,
      "least_items_per_row and nonzeros_per_item must be 1 on CPUs: every row of the vCSR part " ..
      "is added by the same vectors")

-- On CPUs a work-item is a lane of one of the vectors in flight.
check({ "alignment", "lanes" },
      function(p, t) return t.form ~= "simd" or p.alignment % p.lanes == 0 end,
      "alignment must be a multiple of lanes: a slice is a whole number of vectors")
check({ "rows_per_item" },
      function(p, t) return t.form ~= "simt" or p.rows_per_item <= 16 end,
      "rows_per_item must be at most 16: a work-item has no registers for more rows")
check({ "items_per_row", "lanes" },
      function(p, t) return t.form ~= "simd" or p.items_per_row % p.lanes == 0 end,
      "items_per_row must be a multiple of lanes: a row is added by whole vectors")
check({ "items_per_row", "lanes" },
      function(p, t) return t.form ~= "simd" or p.items_per_row <= 32 * p.lanes end,
      "items_per_row must be at most 32 * lanes: no CPU has more than 32 vector registers for a " ..
      "row's sums")
check({ "rows_per_item", "alignment", "lanes" },
      function(p, t) return t.form ~= "simd" or p.rows_per_item * p.alignment <= 32 * p.lanes end,
      "rows_per_item * alignment must be at most 32 * lanes: no CPU has more than 32 vector " ..
      "registers for the sums")
check({ "value_width", "load_width" }, function(p, t) return p.load_width % p.value_width == 0 end,
      "load_width must be a multiple of value_width: a load of values takes a part of them")
check({ "load_width", "alignment" }, function(p, t) return p.alignment % p.load_width == 0 end,
      "alignment must be a multiple of load_width: every slice begins where a load may")

-- A work-item of the vCSR part is a lane if the vector has items_per_row lanes. With several
-- vectors, a row's last entries go to other sums than on work-items. boundary and alignment decide
-- which rows are in the vCSR part: rows that fill no slice go there with the longer ones. More
-- work-items than nonzeros give the same sum, so least_items_per_row alone affects no bits.
bits(function(p, t)
    local vectors = t.form == "simd" and p.lanes ~= p.items_per_row
    local windows = (p.busy_items > 0 and "busy_items=" .. p.busy_items .. ", " or "") ..
                    (p.sort_window > 0 and "sort_window=" .. p.sort_window .. ", " or "")
    local widths = p.nonzeros_per_item > 1 and
                   "nonzeros_per_item=" .. p.nonzeros_per_item ..
                   ", least_items_per_row=" .. p.least_items_per_row .. ", " or ""
    return windows .. widths .. (vectors and "lanes=" .. p.lanes .. ", " or "") ..
           "items_per_row=" .. p.items_per_row ..
           ", boundary=" .. p.boundary .. ", alignment=" .. p.alignment ..
           ", chunk_weight=" .. p.chunk_weight ..
           (p.split_at > p.chunk_weight and ", split_at=" .. p.split_at or "") ..
           (p.constant > 0 and ", constant=" .. p.constant or "") ..
           ", work_group_size=" .. p.work_group_size
end)
