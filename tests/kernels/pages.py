"""pages.py: target pages that set the parameters of methods to extreme legal values.

    pages.write(FOLDER, PARENT) -> [(path, arguments for spmvgen)]      of those that inherit PARENT

Small tiles and chunks put a boundary between any two nonzeros; large ones put everything into one.
A page is emitted for one value type where the other would only show the same once more.
"""

BASIC = ["--method", "csr_scalar", "--method", "csr_vector", "--method", "csr5"]


PAGES = {
    # A tile of one nonzero, a chunk of one tile; chunks of rows as small as they may be.
    "tiny": ("generic-c", [*BASIC, "--type", "f64"], """
csr_scalar.chunk_weight = 64
csr_vector.lanes = 1
csr_vector.accumulators = 1
csr_vector.scalar_below = 0
csr_vector.chunk_weight = 64
csr5.omega = 1
csr5.lanes = 1
csr5.sigma = 1
csr5.chunk_tiles = 1
"""),
    # Odd numbers, and descriptors that just fit a word.
    "odd": ("generic-c", [*BASIC, "--type", "f32"], """
csr_scalar.chunk_weight = 65
csr_vector.lanes = 2
csr_vector.accumulators = 3
csr_vector.scalar_below = 1
csr_vector.chunk_weight = 127
csr5.omega = 2
csr5.lanes = 2
csr5.sigma = 3
csr5.narrow_span = 64
csr5.chunk_tiles = 3
"""),
    # Descriptors of two words, one bit more than fits one.
    "two-words": ("generic-c", ["--method", "csr5"], """
csr5.omega = 8
csr5.lanes = 8
csr5.sigma = 22
csr5.narrow_span = 300
csr5.chunk_tiles = 2
"""),
    # A page that inherits nothing and gives lanes, as pages of GPUs do, instead of bits.
    "lanes-alone": ("generic-c", ["--type", "f64"], """
backend = "c"
isa = "scalar"
simd_width = 8
evc_hyb.items_per_row = 8
"""),
    # The widest vectors and the deepest tiles.
    "wide": ("generic-c", [*BASIC, "--type", "f32"], """
csr_scalar.chunk_weight = 16777216
csr_vector.lanes = 64
csr_vector.accumulators = 2
csr_vector.scalar_below = 64
csr_vector.chunk_weight = 16777216
csr5.omega = 32
csr5.lanes = 32
csr5.sigma = 64
csr5.chunk_tiles = 65536
"""),
    # sigma from the matrix, by the paper's rule, at both ends of its range.
    "by-matrix": ("generic-c", ["--method", "csr5", "--type", "f64"], """
csr5.sigma = 0
csr5.r = 1
csr5.s = 64
csr5.t = 65
csr5.u = 33
csr5.narrow_span = 64
csr5.chunk_tiles = 1
"""),
    "by-matrix-fixed": ("generic-c", ["--method", "csr5", "--type", "f32"], """
csr5.sigma = 0
csr5.r = 31
csr5.s = 31
csr5.t = 1
csr5.u = 1
csr5.chunk_tiles = 5
"""),
    # The paper's prefix difference: for benchmarks only, and marked so.
    "prefix-difference": ("generic-c", ["--method", "csr5", "--type", "f64"], """
csr5.segmented_sum = "prefix_difference"
csr5.sigma = 5
csr5.chunk_tiles = 2
"""),
    # Vector instructions, with each way of reading x.
    "avx2-gather": ("x86-64-v3", [*BASIC, "--type", "f64"], """
csr_vector.gather = "hardware"
csr_vector.scalar_below = 0
csr_vector.accumulators = 1
csr_vector.chunk_weight = 64
csr5.gather = "hardware"
csr5.sigma = 1
csr5.narrow_span = 64
csr5.chunk_tiles = 1
"""),
    "avx2-insert": ("x86-64-v3", [*BASIC, "--type", "f32"], """
csr_vector.gather = "insert"
csr_vector.scalar_below = 1
csr_vector.accumulators = 4
csr_vector.chunk_weight = 99
csr5.gather = "insert"
csr5.sigma = 64
csr5.narrow_span = 256
csr5.chunk_tiles = 1
"""),
    "avx512-gather": ("x86-64-v4", [*BASIC, "--type", "f32"], """
csr_vector.gather = "hardware"
csr_vector.scalar_below = 0
csr_vector.accumulators = 3
csr_vector.chunk_weight = 64
csr5.gather = "hardware"
csr5.sigma = 27
csr5.narrow_span = 200
csr5.chunk_tiles = 1
"""),
    "avx512-insert": ("x86-64-v4", [*BASIC, "--type", "f64"], """
csr_vector.gather = "insert"
csr_vector.scalar_below = 1
csr_vector.accumulators = 8
csr_vector.chunk_weight = 77
csr5.gather = "insert"
csr5.sigma = 2
csr5.narrow_span = 64
csr5.chunk_tiles = 3
"""),
    # Row blocks as small as they may be: long rows in many parts, every block CSR-Stream.
    "adaptive-tiny": ("generic-c", ["--method", "csr_adaptive", "--type", "f64"], """
csr_adaptive.lanes = 1
csr_adaptive.accumulators = 1
csr_adaptive.work_group_size = 32
csr_adaptive.nnz_per_wg = 64
csr_adaptive.nnz_multiplier = 1
csr_adaptive.num_rows_stream = 1
csr_adaptive.scalar_rows = 1
csr_adaptive.long_row = 2
csr_adaptive.short_row = 1
"""),
    # CSR-Stream for blocks of 64 rows alone; all rows but those that CSR-VectorL takes are short, and a
    # block never breaks for their length.
    "adaptive-vector": ("generic-c", ["--method", "csr_adaptive", "--type", "f32"], """
csr_adaptive.lanes = 2
csr_adaptive.accumulators = 3
csr_adaptive.work_group_size = 64
csr_adaptive.nnz_per_wg = 64
csr_adaptive.nnz_multiplier = 3
csr_adaptive.num_rows_stream = 64
csr_adaptive.long_row = 16384
csr_adaptive.short_row = 16383
"""),
    # The largest blocks: whole matrices in one, rows added by the whole vector alone.
    "adaptive-logarithmic": ("generic-c", ["--method", "csr_adaptive"], """
csr_adaptive.lanes = 64
csr_adaptive.accumulators = 2
csr_adaptive.work_group_size = 1024
csr_adaptive.nnz_per_wg = 4096
csr_adaptive.nnz_multiplier = 64
csr_adaptive.num_rows_stream = 1
csr_adaptive.scalar_rows = 16384
"""),
    # Rows side by side in the lanes wherever they fit, with the sums of vector instructions.
    "adaptive-avx2": ("x86-64-v3", ["--method", "csr_adaptive"], """
csr_adaptive.gather = "hardware"
csr_adaptive.x_ahead = 3
csr_adaptive.x_far = 0
csr_adaptive.accumulators = 1
csr_adaptive.work_group_size = 32
csr_adaptive.nnz_per_wg = 96
csr_adaptive.nnz_multiplier = 1
csr_adaptive.num_rows_stream = 2
csr_adaptive.scalar_rows = 1
csr_adaptive.long_row = 5
csr_adaptive.short_row = 4
"""),
    "adaptive-avx512": ("x86-64-v4", ["--method", "csr_adaptive"], """
csr_adaptive.gather = "hardware"
csr_adaptive.x_ahead = 20
csr_adaptive.x_far = 0
csr_adaptive.accumulators = 8
csr_adaptive.work_group_size = 64
csr_adaptive.nnz_per_wg = 192
csr_adaptive.nnz_multiplier = 2
csr_adaptive.num_rows_stream = 3
csr_adaptive.scalar_rows = 1
"""),
    # NEON: every number of values that a row's rest can have, and tiles that end at once.
    "neon-f64": ("aarch64", [*BASIC, "--method", "csr_adaptive", "--type", "f64"], """
csr_vector.gather = "hardware"
csr_vector.scalar_below = 0
csr_vector.accumulators = 1
csr_vector.chunk_weight = 64
csr5.gather = "hardware"
csr5.sigma = 1
csr5.narrow_span = 64
csr5.chunk_tiles = 1
csr_adaptive.gather = "hardware"
csr_adaptive.x_ahead = 1
csr_adaptive.x_far = 0
csr_adaptive.accumulators = 1
csr_adaptive.work_group_size = 32
csr_adaptive.nnz_per_wg = 96
csr_adaptive.nnz_multiplier = 1
csr_adaptive.num_rows_stream = 2
csr_adaptive.scalar_rows = 1
csr_adaptive.long_row = 5
csr_adaptive.short_row = 4
"""),
    "neon-f32": ("aarch64", [*BASIC, "--method", "csr_adaptive", "--type", "f32"], """
csr_vector.gather = "insert"
csr_vector.scalar_below = 0
csr_vector.accumulators = 3
csr_vector.chunk_weight = 99
csr5.gather = "insert"
csr5.sigma = 27
csr5.narrow_span = 200
csr5.chunk_tiles = 1
csr_adaptive.gather = "insert"
csr_adaptive.x_ahead = 16
csr_adaptive.x_far = 0
csr_adaptive.accumulators = 8
csr_adaptive.work_group_size = 64
csr_adaptive.nnz_per_wg = 192
csr_adaptive.nnz_multiplier = 2
csr_adaptive.num_rows_stream = 3
csr_adaptive.scalar_rows = 1
"""),
    # A slice is a row, everything but rows of one nonzero is vCSR, and a long row is 65 nonzeros.
    "slices-of-one": ("generic-c", ["--method", "evc_hyb", "--type", "f64"], """
evc_hyb.lanes = 1
evc_hyb.alignment = 1
evc_hyb.boundary = 1
evc_hyb.rows_per_item = 1
evc_hyb.items_per_row = 1
evc_hyb.chunk_weight = 64
"""),
    # One vector a slice, many slices at once, y permuted from the start.
    "many-slices": ("generic-c", ["--method", "evc_hyb"], """
evc_hyb.lanes = 2
evc_hyb.alignment = 2
evc_hyb.boundary = 2
evc_hyb.rows_per_item = 16
evc_hyb.items_per_row = 64
evc_hyb.order_of_y = "permuted"
evc_hyb.chunk_weight = 100
"""),
    # Slices of many vectors, long and short of what the boundary cuts.
    "many-vectors": ("generic-c", ["--method", "evc_hyb", "--type", "f32"], """
evc_hyb.lanes = 4
evc_hyb.alignment = 128
evc_hyb.boundary = 127
evc_hyb.rows_per_item = 1
evc_hyb.items_per_row = 4
evc_hyb.chunk_weight = 65
"""),
    # The widest vectors, slices and rows; all of it in one chunk.
    "widest-slices": ("generic-c", ["--method", "evc_hyb", "--type", "f32"], """
evc_hyb.work_group_size = 1024
evc_hyb.lanes = 64
evc_hyb.alignment = 128
evc_hyb.boundary = 4096
evc_hyb.rows_per_item = 4
evc_hyb.items_per_row = 1024
evc_hyb.order_of_y = "permuted"
evc_hyb.chunk_weight = 16777216
"""),
    # Vector instructions: one vector a slice or several, with each way of reading x.
    "avx2-slices": ("x86-64-v3", ["--method", "evc_hyb"], """
evc_hyb.gather = "hardware"
evc_hyb.alignment = 8
evc_hyb.boundary = 128
evc_hyb.rows_per_item = 1
evc_hyb.items_per_row = 8
evc_hyb.chunk_weight = 64
"""),
    "avx512-slices": ("x86-64-v4", ["--method", "evc_hyb"], """
evc_hyb.gather = "hardware"
evc_hyb.alignment = 64
evc_hyb.boundary = 4096
evc_hyb.rows_per_item = 2
evc_hyb.items_per_row = 128
evc_hyb.chunk_weight = 1000
"""),
    # A strip boundary or a part of a split row at almost every nonzero, for one lane and for two.
    "strips-least": ("generic-c", ["--method", "strips", "--type", "f64"], """
strips.lanes = 1
strips.strip_weight = 64
strips.slice_rows = 1
strips.boundary = 1
strips.diagonal_rows = 1
strips.narrow_span = 1
strips.accumulators = 1
"""),
    "strips-odd": ("generic-c", ["--method", "strips", "--type", "f32"], """
strips.lanes = 2
strips.strip_weight = 65
strips.slice_rows = 16
strips.boundary = 4
strips.diagonal_rows = 6
strips.narrow_span = 64
strips.accumulators = 3
strips.expand = "table"
strips.x_ahead = 3
strips.x_far = 0
"""),
    "strips-avx2": ("x86-64-v3", ["--method", "strips"], """
strips.strip_weight = 64
strips.boundary = 5
strips.diagonal_rows = 16
strips.narrow_span = 100
strips.accumulators = 8
strips.gather = "hardware"
fetch_ahead = 1048576
strips.runs_cache = "second"
strips.expand = "table"
strips.x_ahead = 16
strips.x_far = 1000
"""),
    "strips-avx512": ("x86-64-v4", ["--method", "strips"], """
strips.strip_weight = 200
strips.boundary = 255
strips.diagonal_rows = 16
strips.narrow_span = 7
strips.accumulators = 1
strips.gather = "hardware"
fetch_ahead = 64
strips.runs_cache = "second"
strips.expand = "table"
strips.x_ahead = 20
strips.x_far = 0
"""),
    "strips-neon": ("aarch64", ["--method", "strips"], """
strips.strip_weight = 77
strips.boundary = 3
strips.diagonal_rows = 8
strips.narrow_span = 33
strips.expand = "table"
strips.x_ahead = 5
strips.x_far = 0
"""),
    # Tiles of two nonzeros, bunches of one tile, groups of one bunch; all as large as they may be,
    # so that most matrices fit a tile; and what lies between, in each set of instructions.
    "speculative-least": ("generic-c", ["--method", "speculative", "--type", "f64"], """
speculative.lanes = 1
speculative.T = 2
speculative.W = 1
speculative.S = 1
speculative.B = 1
"""),
    "speculative-most": ("generic-c", ["--method", "speculative", "--type", "f32"], """
speculative.lanes = 4
speculative.T = 128
speculative.W = 32
speculative.S = 64
speculative.B = 8
"""),
    "speculative-odd": ("generic-c", ["--method", "speculative"], """
speculative.lanes = 2
speculative.T = 8
speculative.W = 4
speculative.S = 7
speculative.B = 3
"""),
    # The most tiles of a bunch that a word of flags holds, and bunches that no row fits.
    "speculative-flags": ("generic-c", ["--method", "speculative", "--type", "f64"], """
speculative.lanes = 1
speculative.T = 128
speculative.W = 1
speculative.S = 64
speculative.B = 1
"""),
    # The second stage on the device, and on the CPU with records that cross; many dirty tiles and open
    # rows.
    "repair-device": ("pocl", ["--method", "speculative", "--type", "f64"], """
speculative.repair = "device"
speculative.T = 4
speculative.W = 2
speculative.S = 3
speculative.B = 2
"""),
    "repair-records": ("pocl", ["--method", "speculative", "--type", "f64"], """
speculative.repair = "records"
speculative.T = 4
speculative.W = 2
speculative.S = 3
speculative.B = 2
"""),
    "speculative-avx2": ("x86-64-v3", ["--method", "speculative"], """
speculative.f64.T = 4
speculative.f64.W = 4
speculative.f64.S = 3
speculative.f32.T = 8
speculative.f32.W = 32
speculative.f32.S = 1
speculative.B = 32
speculative.gather = "hardware"
speculative.x_ahead = 3
speculative.x_far = 0
"""),
    "speculative-avx512": ("x86-64-v4", ["--method", "speculative"], """
speculative.f64.T = 32
speculative.f64.W = 8
speculative.f64.S = 31
speculative.f32.T = 16
speculative.f32.W = 16
speculative.f32.S = 2
speculative.B = 1
speculative.gather = "hardware"
speculative.x_ahead = 20
speculative.x_far = 0
"""),
    # Loads of several nonzeros, with and without what is left of a depth or length, and slices of both
    # kinds beside each other.
    "loads-of-four": ("pocl", ["--method", "csr5", "--method", "evc_hyb"], """
csr5.load_width = 4
csr5.omega = 4
csr5.sigma = 7
csr5.narrow_span = 64
csr5.work_group_size = 8
evc_hyb.load_width = 4
evc_hyb.alignment = 4
evc_hyb.rows_per_item = 4
evc_hyb.work_group_size = 32
"""),
    "loads-of-two": ("pocl", ["--method", "csr5", "--method", "evc_hyb"], """
csr5.load_width = 2
csr5.omega = 2
csr5.sigma = 0
csr5.r = 1
csr5.s = 64
csr5.narrow_span = 64
csr5.work_group_size = 8
evc_hyb.load_width = 2
evc_hyb.alignment = 2
evc_hyb.rows_per_item = 16
evc_hyb.work_group_size = 32
"""),
    # Several rows, tiles and bunches in a subgroup of 8; then one over several subgroups.
    "subgroups-shared": ("generic-opencl-8", ["--method", "csr5", "--method", "evc_hyb", "--method",
                                              "speculative", "--type", "f64"], """
csr5.omega = 2
csr5.sigma = 5
csr5.narrow_span = 64
csr5.work_group_size = 16
evc_hyb.work_group_size = 32
evc_hyb.items_per_row = 2
evc_hyb.boundary = 2
evc_hyb.chunk_weight = 64
speculative.T = 2
speculative.W = 4
speculative.S = 1
speculative.B = 4
"""),
    "subgroups-joined": ("generic-opencl-8", ["--method", "csr_vector", "--method", "csr_adaptive",
                                              "--method", "speculative", "--type", "f32"], """
csr_vector.lanes = 32
csr_vector.work_group_size = 32
csr_adaptive.work_group_size = 64
csr_adaptive.nnz_per_wg = 64
csr_adaptive.nnz_multiplier = 1
csr_adaptive.scalar_rows = 16384
speculative.T = 16
speculative.W = 2
speculative.S = 3
speculative.B = 3
"""),
    # The same within a warp of 32, and beyond one; then without shuffles.
    "warps-shared": ("sm_90", ["--method", "csr5", "--method", "evc_hyb", "--method", "speculative",
                               "--type", "f64"], """
csr5.omega = 4
csr5.sigma = 5
csr5.load_width = 2
csr5.narrow_span = 1
csr5.work_group_size = 32
evc_hyb.work_group_size = 32
evc_hyb.items_per_row = 2
evc_hyb.boundary = 2
evc_hyb.load_width = 2
evc_hyb.chunk_weight = 64
speculative.T = 4
speculative.W = 4
speculative.S = 1
speculative.B = 8
"""),
    "warps-joined": ("sm_90", ["--method", "csr_vector", "--method", "csr5", "--method", "csr_adaptive",
                               "--method", "speculative", "--type", "f32"], """
csr_vector.lanes = 64
csr_vector.work_group_size = 64
csr5.omega = 64
csr5.sigma = 7
csr5.narrow_span = 500
csr5.work_group_size = 128
csr_adaptive.work_group_size = 64
csr_adaptive.nnz_per_wg = 64
csr_adaptive.nnz_multiplier = 1
csr_adaptive.scalar_rows = 16384
speculative.T = 64
speculative.W = 2
speculative.S = 2
speculative.B = 1
"""),
    "warps-unused": ("sm_90", ["--method", "csr_vector", "--method", "csr5", "--method", "evc_hyb",
                               "--type", "f32"], """
subgroups = false
csr5.omega = 8
csr5.sigma = 3
csr5.narrow_span = 64
csr5.work_group_size = 16
csr_vector.lanes = 8
csr_vector.work_group_size = 16
evc_hyb.work_group_size = 32
evc_hyb.items_per_row = 8
evc_hyb.chunk_weight = 64
"""),
}


def write(folder, wanted):
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, (parent, arguments, text) in PAGES.items():
        if parent != wanted:
            continue
        path = folder / f"{name}.lua"
        content = "" if "backend =" in text else f'inherit "{parent}"\n'
        content += f'description = "{name}: parameters at their ends"\n{text}'
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")
        written.append((path, arguments))
    return written
