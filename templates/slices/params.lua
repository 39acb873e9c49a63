method {
    title = "Slices",
    source = "chosen here, from SELL-C-sigma (Kreutzer et al., SISC 2014)",
}

-- Rows are sorted by length within windows. A slice is one subgroup of work-items, `lanes` of them
-- for each of its rows, and has the storage of columns that suits it.

param "work_group_size" {
    min = 1, max = 1024, unit = "work-items",
    meaning = "work-items of a work-group, which adds work_group_size / slice_rows slices",
    source = "chosen here",
    derivation = "128, or the device's work_group_size if that is less; at least slice_rows",
    default = function(t)
        return math.max(t.simd_width or 1, math.min(128, t.work_group_size or 128))
    end,
    tune = function(t) return { 64, 128, 256 } end,
}

include "work_group_limit"
include "subgroup_size"
include "resident_groups"

param "slice_rows" {
    min = 4, max = 128, unit = "work-items",
    meaning = "work-items that add a slice, and its rows if each has one work-item",
    source = "chosen here: a subgroup, whose work-items read contiguous entries",
    derivation = "simd_width, between 4 and 128",
    default = function(t) return math.max(4, math.min(128, t.simd_width or 32)) end,
}

-- load_width columns of a work-item are contiguous.
include "load_width"

param "value_width" {
    min = 1, max = 4, unit = "nonzeros",
    costs = { "registers" },
    meaning = "values of a work-item that are contiguous, as one load takes them",
    source = "chosen here",
    derivation = "the values of a load of load_bits, at most load_width",
    default = function(t)
        return math.min(t.p.load_width, math.max(1, (t.load_bits or 32) // t.value_bits))
    end,
}

param "turn" {
    min = 4, max = 8, unit = "nonzeros",
    costs = { "registers" },
    meaning = "nonzeros that a work-item multiplies at a time, while those of the next turn are " ..
              "under way",
    source = "chosen here; on an H200 turns of 8 were no faster",
    derivation = "4",
    default = function(t) return 4 end,
    tune = function(t) return { 4, 8 } end,
}

param "sort_window" {
    min = 32, max = 1024, unit = "rows",
    meaning = "rows that are sorted together: more of them need less padding, fewer are nearer " ..
              "to each other in x and y",
    source = "chosen here; on an H200 1024 was up to 23 % faster than 256",
    derivation = "1024",
    default = function(t) return 1024 end,
    tune = function(t) return { 256, 512, 1024 } end,
}

param "lane_entries" {
    min = 4, max = 128, unit = "nonzeros",
    meaning = "most nonzeros of each work-item of a row if the matrix has busy_slices slices; " ..
              "rows of more nonzeros are not stored as diagonals",
    source = "chosen here; on an H200 96 was slower",
    derivation = "32",
    default = function(t) return 32 end,
    tune = function(t) return { 16, 32, 64 } end,
}

param "least_lane_entries" {
    min = 4, max = 128, unit = "nonzeros",
    meaning = "the same for a matrix of fewer slices, so that more work-items have less to add",
    source = "chosen here; on an H200 scircuit was 1.4 times faster with 8 than with 32",
    derivation = "8, at most lane_entries",
    default = function(t) return math.min(8, t.p.lane_entries) end,
    tune = function(t) return { 4, 8, 16 } end,
}

param "busy_slices" {
    min = 0, max = 1 << 24, unit = "slices",
    meaning = "slices that the device needs to be busy: a matrix of fewer has shorter lanes",
    source = "chosen here",
    derivation = "8192: the subgroups that 128 compute units of 64 hold",
    default = function(t) return 8192 end,
    tune = function(t) return { 0, 4096, 8192, 16384 } end,
}

param "split_at" {
    min = 32, max = 32640, unit = "nonzeros",
    meaning = "longer rows are cut into parts of at most as many, which a second kernel adds",
    source = "chosen here",
    derivation = "32 * slice_rows: 1024 with 32 work-items",
    default = function(t) return 32 * t.p.slice_rows end,
    tune = function(t)
        local rows = t.p.slice_rows
        return { 16 * rows, 32 * rows, 64 * rows }
    end,
}

param "narrow_span" {
    min = 1, max = 65536, unit = "columns",
    meaning = "a slice whose columns span less than this stores them in 16 bits, as offsets " ..
              "from the smallest; 1: only a slice in one column does",
    source = "chosen here",
    derivation = "65536, all that 16 bits hold",
    default = function(t) return 65536 end,
}

param "runs" {
    min = 1, max = 4, unit = "nonzeros",
    meaning = "longest runs of consecutive columns that share a column of 16 bits; 1: none",
    source = "chosen here; on an H200 runs of 3 gained up to 10 %",
    derivation = "4",
    default = function(t) return 4 end,
    tune = function(t) return { 1, 4 } end,
}

param "diagonal_rows" {
    min = 0, max = 1024, unit = "rows",
    meaning = "rows of a window that have the same distances from the main diagonal are stored " ..
              "without columns if they are at least as many; 0: none are",
    source = "chosen here",
    derivation = "half of slice_rows",
    default = function(t) return t.p.slice_rows // 2 end,
    tune = function(t) return { 0, t.p.slice_rows // 2 } end,
}

local function is_power(n)
    return n & (n - 1) == 0
end

check({ "slice_rows" }, function(p, t) return is_power(p.slice_rows) end,
      "slice_rows must be a power of two: sums are added by halving")
check({ "slice_rows", "subgroup_size" },
      function(p, t) return p.subgroup_size == 1 or p.subgroup_size == p.slice_rows end,
      "slice_rows must equal subgroup_size where there are subgroups: a slice is one of them")
check({ "slice_rows", "work_group_size" },
      function(p, t) return p.work_group_size % p.slice_rows == 0 end,
      "work_group_size must be a multiple of slice_rows: a work-group takes whole slices")
check({ "work_group_size" }, function(p, t) return is_power(p.work_group_size) end,
      "work_group_size must be a power of two: parts of a row are added by halving")
check({ "sort_window" }, function(p, t) return is_power(p.sort_window) end,
      "sort_window must be a power of two, as the table of its rows is")
check({ "turn" }, function(p, t) return is_power(p.turn) end,
      "turn must be a power of two: it consists of whole loads")
check({ "value_width", "load_width" },
      function(p, t) return is_power(p.value_width) and p.value_width <= p.load_width end,
      "value_width must be a power of two, and not greater than load_width")
check({ "lane_entries", "least_lane_entries" },
      function(p, t) return p.least_lane_entries <= p.lane_entries end,
      "least_lane_entries must not exceed lane_entries, which it stands for in small matrices")
check({ "split_at", "slice_rows" },
      function(p, t) return p.split_at % p.slice_rows == 0 and p.split_at <= 255 * p.slice_rows end,
      "split_at must be a multiple of slice_rows, at most 255 times as many: a work-item of a " ..
      "part counts its nonzeros in 8 bits")

-- The storage of columns affects no bit, except that work-items which share a row share its runs.
bits(function(p, t)
    return "slice_rows=" .. p.slice_rows .. ", work_group_size=" .. p.work_group_size ..
           ", sort_window=" .. p.sort_window .. ", lane_entries=" .. p.lane_entries ..
           ", least_lane_entries=" .. p.least_lane_entries .. ", busy_slices=" .. p.busy_slices ..
           ", split_at=" .. p.split_at .. ", narrow_span=" .. p.narrow_span ..
           ", runs=" .. p.runs .. ", diagonal_rows=" .. p.diagonal_rows
end)
