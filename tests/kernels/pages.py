"""pages.py: target pages that set parameters of methods to the ends of their ranges.

    pages.write(FOLDER, PARENT) -> [(path, arguments for spmvgen)]      of those that inherit PARENT
    pages.text_of(DESCRIPTION, PARENT, METHODS)                         the text of another page

Small tiles and chunks put a boundary between any two nonzeros; large ones put everything into one.
A page is emitted for one value type where the other type would only repeat the same case, and for
one row-pointer type, each in turn: parameters have the same effect on both.
"""

# name: (parent, value type or None for all, {method: its parameters}). Under "" stand keys of the
# page itself; a page that names no method is emitted for all of them.
PAGES = {
    # A tile of one nonzero, a chunk of one tile; chunks of rows as small as they may be.
    "tiny": ("generic-c", "f64", {
        "csr_scalar": "chunk_weight=64",
        "csr_transposed": "part_nonzeros=16 most_parts=3",
        "symmetric": "lanes=1 block_rows=16 segment_reaches=0 least_full=0 fetch_ahead=64",
        "csr_vector": "lanes=1 accumulators=1 scalar_below=0 chunk_weight=64",
        "csr5": "omega=1 lanes=1 sigma=1 chunk_tiles=1"}),
    # Odd numbers, and descriptors that just fit a word.
    "odd": ("generic-c", "f32", {
        "csr_scalar": "chunk_weight=65",
        "csr_transposed": "part_nonzeros=37 most_parts=256",
        "symmetric": "lanes=16 block_rows=48 segments=3 segment_reaches=1 least_full=100 "
                     "least_run_values=0",
        "csr_vector": "lanes=2 accumulators=3 scalar_below=1 chunk_weight=127",
        "csr5": "omega=2 lanes=2 sigma=3 narrow_span=64 chunk_tiles=3"}),
    # Descriptors of two words, one bit more than fits one.
    "two-words": ("generic-c", None, {
        "csr5": "omega=8 lanes=8 sigma=22 narrow_span=300 chunk_tiles=2"}),
    # A page that inherits nothing and states lanes instead of bits, as pages of GPUs do.
    "lanes-alone": ("generic-c", "f64", {
        "": 'backend="c" isa="scalar" simd_width=8 evc_hyb.items_per_row=8'}),
    # The widest vectors and the deepest tiles.
    "wide": ("generic-c", "f32", {
        "csr_scalar": "chunk_weight=16777216",
        "csr_transposed": "part_nonzeros=16777216 most_parts=1",
        "symmetric": "lanes=4 block_rows=1024 segments=1 segment_reaches=64 least_full=0",
        "csr_vector": "lanes=64 accumulators=2 scalar_below=64 chunk_weight=16777216",
        "csr5": "omega=32 lanes=32 sigma=64 chunk_tiles=65536"}),
    # sigma from the matrix, by the paper's rule, at both ends of its range.
    "by-matrix": ("generic-c", "f64", {
        "csr5": "sigma=0 r=1 s=64 t=65 u=33 narrow_span=64 chunk_tiles=1"}),
    "by-matrix-fixed": ("generic-c", "f32", {
        "csr5": "sigma=0 r=31 s=31 t=1 u=1 chunk_tiles=5"}),
    # The paper's prefix difference: for benchmarks only, and marked so.
    "prefix-difference": ("generic-c", "f64", {
        "csr5": 'segmented_sum="prefix_difference" sigma=5 chunk_tiles=2'}),
    # The same on work-items: a tile in local memory; several in a subgroup, or one in several; in
    # warps, where sigma fills its tiles by the matrix.
    "prefix-difference-items": ("pocl", None, {
        "csr5": 'segmented_sum="prefix_difference" omega=8 sigma=5 work_group_size=16'}),
    "prefix-difference-subgroups": ("generic-opencl-8", "f64", {
        "csr5": 'segmented_sum="prefix_difference" omega=4 sigma=3 work_group_size=16'}),
    "prefix-difference-joined": ("generic-opencl-8", "f32", {
        "csr5": 'segmented_sum="prefix_difference" omega=16 sigma=4 work_group_size=32'}),
    "prefix-difference-warps": ("sm_90", "f32", {
        "csr5": 'segmented_sum="prefix_difference" sigma=0 s=7 work_group_size=64'}),
    # The classic segmented sum: chunks of few nonzeros, then of more; groups of one subgroup, and
    # of several, whose number is no power of two.
    "classic": ("generic-c", None, {
        "csr5": 'segmented_sum="classic" omega=1 chunk_tiles=1'}),
    "classic-avx512": ("x86-64-v4", "f32", {
        "csr5": 'segmented_sum="classic" chunk_tiles=3'}),
    "classic-items": ("pocl", None, {
        "csr5": 'segmented_sum="classic" work_group_size=8'}),
    "classic-subgroups": ("generic-opencl-8", "f64", {
        "csr5": 'segmented_sum="classic" work_group_size=24'}),
    "classic-warps": ("sm_90", "f32", {
        "csr5": 'segmented_sum="classic" work_group_size=96'}),
    # Tiles in one row by the fast track, where a target does not have it by itself, and by none;
    # lanes of whole turns, with a rest, and of the rest alone.
    "fast-track-items": ("pocl", "f64", {
        "csr5": 'fast_track="yes" omega=8 sigma=11 load_width=2 work_group_size=16'}),
    "fast-track-subgroups": ("generic-opencl-8", "f32", {
        "csr5": 'fast_track="yes" omega=4 sigma=3 work_group_size=16'}),
    "fast-track-warps": ("sm_90", "f64", {
        "csr5": 'fast_track="yes" sigma=16 narrow_span=64 work_group_size=64'}),
    "no-fast-track": ("generic-c", None, {
        "csr5": 'fast_track="no" sigma=3 narrow_span=64 chunk_tiles=2'}),
    # A descriptor that fills its word: fields of 10, 6 and 16 bits. One of three words, with the
    # deepest tiles of the paper's Fig. 9.
    "full-words": ("pocl", "f32", {
        "csr5": "omega=64 sigma=16 work_group_size=64"}),
    "three-words": ("pocl", "f64", {
        "csr5": "omega=64 sigma=48 work_group_size=64"}),
    # Vector instructions, with each way of reading x. Tiles of few nonzeros and chunks of one tile
    # have different pages: one thread adds the carries of all chunks, and the test of 2^31 nonzeros
    # would have 2^29 of them.
    "avx2-gather": ("x86-64-v3", "f64", {
        "csr_scalar": "",
        "csr_vector": 'gather="hardware" scalar_below=0 accumulators=1 chunk_weight=64',
        "csr5": 'gather="hardware" sigma=1 narrow_span=64 chunk_tiles=8'}),
    "avx2-insert": ("x86-64-v3", "f32", {
        "csr_scalar": "",
        "csr_vector": 'gather="insert" scalar_below=1 accumulators=4 chunk_weight=99',
        "csr5": 'gather="insert" sigma=64 narrow_span=256 chunk_tiles=1'}),
    "avx512-gather": ("x86-64-v4", "f32", {
        "csr_scalar": "",
        "csr_vector": 'gather="hardware" scalar_below=0 accumulators=3 chunk_weight=64',
        "csr5": 'gather="hardware" sigma=27 narrow_span=200 chunk_tiles=1'}),
    "avx512-insert": ("x86-64-v4", "f64", {
        "csr_scalar": "",
        "csr_vector": 'gather="insert" scalar_below=1 accumulators=8 chunk_weight=77',
        "csr5": 'gather="insert" sigma=2 narrow_span=64 chunk_tiles=3'}),
    # Row blocks as small as they may be: long rows in many parts, every block CSR-Stream.
    "adaptive-tiny": ("generic-c", "f64", {
        "csr_adaptive": "lanes=1 accumulators=1 work_group_size=32 nnz_per_wg=64 nnz_multiplier=1 "
                        "num_rows_stream=1 scalar_rows=1 long_row=2 short_row=1"}),
    # CSR-Stream only for blocks of 64 rows. All rows except CSR-VectorL's are short, and a block
    # never ends because of their length.
    "adaptive-vector": ("generic-c", "f32", {
        "csr_adaptive": "lanes=2 accumulators=3 work_group_size=64 nnz_per_wg=64 nnz_multiplier=3 "
                        "num_rows_stream=64 long_row=16384 short_row=16383"}),
    # The largest blocks: a whole matrix in one, rows always added by the whole vector.
    "adaptive-logarithmic": ("generic-c", None, {
        "csr_adaptive": "lanes=64 accumulators=2 work_group_size=1024 nnz_per_wg=4096 "
                        "nnz_multiplier=64 num_rows_stream=1 scalar_rows=16384"}),
    # Every optimisation of HiPC 2015 is off, in blocks as small as they may be: no row is cut.
    "adaptive-off": ("generic-c", "f64", {
        "csr_adaptive": "lanes=2 work_group_size=32 nnz_per_wg=64 nnz_multiplier=0 "
                        "num_rows_stream=1 scalar_rows=1 short_row=0"}),
    "adaptive-off-avx512": ("x86-64-v4", "f32", {
        "csr_adaptive": "work_group_size=32 nnz_per_wg=64 nnz_multiplier=0 num_rows_stream=1 "
                        "scalar_rows=1 short_row=0"}),
    "adaptive-off-opencl": ("pocl", "f64", {
        "csr_adaptive": "work_group_size=32 nnz_per_wg=64 nnz_multiplier=0 num_rows_stream=1 "
                        "scalar_rows=1 short_row=0"}),
    "adaptive-off-cuda": ("sm_90", "f32", {
        "csr_adaptive": "work_group_size=32 nnz_per_wg=64 nnz_multiplier=0 num_rows_stream=1 "
                        "scalar_rows=1 short_row=0"}),
    # Rows side by side in the lanes wherever they fit, with the sums of vector instructions.
    "adaptive-avx2": ("x86-64-v3", None, {
        "csr_adaptive": 'gather="hardware" x_ahead=3 x_far=0 accumulators=1 work_group_size=32 '
                        "nnz_per_wg=96 nnz_multiplier=1 num_rows_stream=2 scalar_rows=1 "
                        "long_row=5 short_row=4"}),
    "adaptive-avx512": ("x86-64-v4", None, {
        "csr_adaptive": 'gather="hardware" x_ahead=20 x_far=0 accumulators=8 work_group_size=64 '
                        "nnz_per_wg=192 nnz_multiplier=2 num_rows_stream=3 scalar_rows=1"}),
    # NEON: every number of values in the rest of a row, and tiles that end at once.
    "neon-f64": ("aarch64", "f64", {
        "csr_scalar": "",
        "csr_vector": 'gather="hardware" scalar_below=0 accumulators=1 chunk_weight=64',
        "csr5": 'gather="hardware" sigma=1 narrow_span=64 chunk_tiles=64',
        "csr_adaptive": 'gather="hardware" x_ahead=1 x_far=0 accumulators=1 work_group_size=32 '
                        "nnz_per_wg=96 nnz_multiplier=1 num_rows_stream=2 scalar_rows=1 "
                        "long_row=5 short_row=4"}),
    "neon-f32": ("aarch64", "f32", {
        "csr_scalar": "",
        "csr_vector": 'gather="insert" scalar_below=0 accumulators=3 chunk_weight=99',
        "csr5": 'gather="insert" sigma=27 narrow_span=200 chunk_tiles=1',
        "csr_adaptive": 'gather="insert" x_ahead=16 x_far=0 accumulators=8 work_group_size=64 '
                        "nnz_per_wg=192 nnz_multiplier=2 num_rows_stream=3 scalar_rows=1"}),
    # A slice is a row, all rows of more than one nonzero are vCSR, and a long row has 65 nonzeros.
    "slices-of-one": ("generic-c", "f64", {
        "evc_hyb": "lanes=1 alignment=1 boundary=1 rows_per_item=1 items_per_row=1 "
                   "vcsr_alignment=64 chunk_weight=64"}),
    # One vector a slice, many slices at once, y permuted from the start.
    "many-slices": ("generic-c", None, {
        "evc_hyb": "lanes=2 alignment=2 boundary=2 rows_per_item=16 items_per_row=64 "
                   'order_of_y="permuted" chunk_weight=100'}),
    # Slices of many vectors, with rows on both sides of the boundary.
    "many-vectors": ("generic-c", "f32", {
        "evc_hyb": "lanes=4 alignment=128 boundary=127 rows_per_item=1 items_per_row=4 "
                   "chunk_weight=65"}),
    # The widest vectors, slices and rows; all in one chunk.
    "widest-slices": ("generic-c", "f32", {
        "evc_hyb": "work_group_size=1024 lanes=64 alignment=128 boundary=4096 rows_per_item=4 "
                   'items_per_row=1024 order_of_y="permuted" chunk_weight=16777216'}),
    # Vector instructions: one vector a slice or several, with each way of reading x.
    "avx2-slices": ("x86-64-v3", None, {
        "evc_hyb": 'gather="hardware" alignment=8 boundary=128 rows_per_item=1 items_per_row=8 '
                   "vcsr_alignment=4 chunk_weight=64"}),
    "avx512-slices": ("x86-64-v4", None, {
        "evc_hyb": 'gather="hardware" alignment=64 boundary=4096 rows_per_item=2 '
                   "items_per_row=128 vcsr_alignment=8 chunk_weight=1000"}),
    # A strip boundary or a part of a split row at almost every nonzero, for one lane and for
    # two.
    "strips-least": ("generic-c", "f64", {
        "strips": "lanes=1 chunk_weight=64 slice_rows=1 boundary=1 diagonal_rows=1 narrow_span=1 "
                  "accumulators=1 narrow_far=0"}),
    "strips-odd": ("generic-c", "f32", {
        "strips": "lanes=2 chunk_weight=65 slice_rows=16 boundary=4 diagonal_rows=6 "
                  'narrow_span=64 accumulators=3 expand_with_table="yes" x_ahead=3 x_far=0 '
                  "table_values=5 narrow_far=0"}),
    "symmetric-avx2": ("x86-64-v3", None, {
        "symmetric": "block_rows=32 segments=5 segment_reaches=1 least_full=0 "
                     "fetch_ahead=1048576"}),
    "symmetric-avx512": ("x86-64-v4", None, {
        "symmetric": "block_rows=16 segments=64 segment_reaches=0 least_full=0"}),
    # All but whole diagonals by runs, in rings that hold few blocks.
    "symmetric-runs": ("generic-c", None, {
        "symmetric": "lanes=2 block_rows=16 segments=64 segment_reaches=0 least_full=100 "
                     "least_run_values=0"}),
    "symmetric-runs-avx2": ("x86-64-v3", None, {
        "symmetric": "block_rows=16 segments=64 segment_reaches=0 least_full=100 "
                     "least_run_values=0"}),
    "symmetric-runs-avx512": ("x86-64-v4", None, {
        "symmetric": "block_rows=16 segments=64 segment_reaches=0 least_full=100 "
                     "least_run_values=0 fetch_ahead=64"}),
    "symmetric-runs-neon": ("aarch64", None, {
        "symmetric": "block_rows=16 segments=64 segment_reaches=0 least_full=100 "
                     "least_run_values=0"}),
    # No table of values in registers, as an instruction set without vectors has it.
    "strips-no-table": ("generic-c", "f32", {
        "strips": "table_values=0 narrow_far=0"}),
    "strips-avx2": ("x86-64-v3", None, {
        "": "fetch_ahead=1048576",
        "strips": "chunk_weight=64 boundary=5 diagonal_rows=16 narrow_span=100 accumulators=8 "
                  'gather="hardware" prefetch_level="second" expand_with_table="yes" '
                  'x_ahead=16 x_far=1000 narrow_far=0'}),
    "strips-avx512": ("x86-64-v4", None, {
        "": "fetch_ahead=64",
        "strips": "chunk_weight=200 boundary=255 diagonal_rows=16 narrow_span=7 accumulators=1 "
                  'gather="hardware" prefetch_level="second" expand_with_table="yes" '
                  'x_ahead=20 x_far=0 narrow_far=0'}),
    "strips-neon": ("aarch64", None, {
        "strips": 'chunk_weight=77 boundary=3 diagonal_rows=8 narrow_span=33 '
                  'expand_with_table="yes" '
                  "x_ahead=5 x_far=0 narrow_far=0"}),
    # Tiles of two nonzeros, bunches of one tile, groups of one bunch; the largest of each, so that
    # most matrices fit a tile; and sizes between, in each instruction set. Some with a second step
    # that moves the sums of dirty tiles, others without.
    "speculative-least": ("generic-c", "f64", {
        "speculative": 'lanes=1 T=2 W=1 S=1 B=1 repair="host"'}),
    "speculative-most": ("generic-c", "f32", {
        "speculative": "lanes=4 T=128 W=32 S=64 B=8"}),
    "speculative-odd": ("generic-c", None, {
        "speculative": 'lanes=2 T=8 W=4 S=7 B=3 repair="host"'}),
    # The most tiles of a bunch that a word of flags holds, and bunches that no row fits.
    "speculative-flags": ("generic-c", "f64", {
        "speculative": 'lanes=1 T=128 W=1 S=64 B=1 repair="host"'}),
    # The second step on the CPU, with the dirty counter; on the device; and on the CPU with copied
    # records. Many dirty tiles and open rows.
    "repair-host": ("pocl", "f64", {
        "speculative": 'repair="host" dirty_counter="yes" T=4 W=2 S=3 B=2'}),
    "repair-device": ("pocl", "f64", {
        "speculative": 'repair="device" T=4 W=2 S=3 B=2'}),
    "repair-records": ("pocl", "f64", {
        "speculative": 'repair="records" T=4 W=2 S=3 B=2'}),
    # Borders that each bunch searches for: more of them than work-items, and fewer; with each way
    # of repair; in local memory, subgroups and warps.
    "borders-host": ("pocl", None, {
        "speculative": 'borders="kernel" repair="host" dirty_counter="yes" T=2 W=2 S=5 B=3'}),
    "borders-device": ("generic-opencl-8", "f32", {
        "speculative": 'borders="kernel" repair="device" T=4 W=2 S=2 B=4'}),
    "borders-records": ("generic-opencl-8", "f64", {
        "speculative": 'borders="kernel" repair="records" T=16 W=2 S=3 B=2'}),
    "borders-warps": ("sm_90", "f64", {
        "speculative": 'borders="kernel" repair="host" T=4 W=4 S=9 B=8'}),
    "speculative-avx2": ("x86-64-v3", None, {
        "speculative": 'f64.T=4 f64.W=4 f64.S=3 f32.T=8 f32.W=32 f32.S=1 B=32 gather="hardware" '
                       "x_ahead=3 x_far=0"}),
    "speculative-avx512": ("x86-64-v4", None, {
        "speculative": 'f64.T=32 f64.W=8 f64.S=31 f32.T=16 f32.W=16 f32.S=2 B=1 gather="hardware" '
                       'x_ahead=20 x_far=0 repair="host"'}),
    # Loads of several nonzeros, with and without a rest of a depth or length, and slices of both
    # kinds beside each other.
    "loads-of-four": ("pocl", None, {
        "csr5": "load_width=4 omega=4 sigma=7 narrow_span=64 work_group_size=8",
        "evc_hyb": "load_width=4 value_width=2 turns=3 alignment=4 rows_per_item=4 narrow_span=0 "
                   "work_group_size=32"}),
    "loads-of-two": ("pocl", None, {
        "csr5": "load_width=2 omega=2 sigma=0 r=1 s=64 narrow_span=64 work_group_size=8",
        "evc_hyb": "load_width=2 value_width=1 turns=2 alignment=2 rows_per_item=16 "
                   "work_group_size=32"}),
    # Windows of few slices, with and without rows that are in the vCSR part for being long.
    "windows": ("pocl", None, {
        "evc_hyb": "load_width=2 turns=2 alignment=4 sort_window=8 boundary=64 busy_items=1048576 "
                   "narrow_span=40 "
                   "work_group_size=32 rows_per_item=4"}),
    # A whole group for each row, in subgroups and without.
    "whole-groups": ("pocl", None, {
        "csr_vector": 'whole_group="yes" lanes=2 work_group_size=32'}),
    "whole-groups-in-subgroups": ("generic-opencl-8", "f64", {
        "csr_vector": 'whole_group="yes" lanes=4 work_group_size=32'}),
    # Each length as one array of columns.
    "columns-by-length": ("pocl", None, {
        "evc_hyb": 'ell_storage="columns" load_width=1 narrow_span=0 alignment=4 boundary=40 '
                   'rows_per_item=4 work_group_size=32 first_groups="shortest"'}),
    "columns-by-length-and-longest": ("sm_90", "f64", {
        "evc_hyb": 'ell_storage="columns" load_width=1 narrow_span=0 alignment=8 sort_window=0 '
                   'boundary=20 rows_by_longest="yes" rows_per_item=2 work_group_size=64'}),
    # The paper's rules with small numbers: rows of a work-item by the longest row, more of them
    # than it adds side by side, and work-items of a row by its length; in windows, too.
    "rows-by-longest": ("pocl", None, {
        "evc_hyb": 'rows_by_longest="yes" rows_per_item=2 load_width=4 value_width=2 turns=2 '
                   "alignment=4 boundary=40 work_group_size=32 items_per_row=16 "
                   "least_items_per_row=2 nonzeros_per_item=3 vcsr_alignment=16 chunk_weight=64 "
                   'first_groups="shortest" split_at=128'}),
    "rows-by-longest-in-windows": ("pocl", "f64", {
        "evc_hyb": 'rows_by_longest="yes" rows_per_item=16 load_width=2 alignment=4 '
                   "sort_window=64 boundary=12 work_group_size=32 items_per_row=32 "
                   "nonzeros_per_item=2 vcsr_alignment=2 chunk_weight=1000"}),
    "one-slice-windows": ("sm_90", None, {
        "evc_hyb": "alignment=32 sort_window=32 boundary=128 busy_items=1 work_group_size=64 "
                   "narrow_span=150 "
                   'order_of_y="permuted"'}),
    # Slices of 4 lanes in windows of 32 rows: every kind, rows of several lanes, parts of rows of
    # more than 32 nonzeros, several windows and groups; then wide columns alone, in turns of 8.
    "slices-least": ("pocl", None, {
        "slices": "slice_rows=4 work_group_size=8 load_width=4 value_width=2 sort_window=32 "
                  "lane_entries=8 least_lane_entries=4 split_at=32 narrow_span=64 "
                  "diagonal_rows=2"}),
    "slices-wide": ("pocl", "f32", {
        "slices": "slice_rows=8 work_group_size=16 load_width=2 value_width=1 turn=8 "
                  "sort_window=64 lane_entries=4 busy_slices=0 split_at=64 narrow_span=1 runs=1 "
                  "diagonal_rows=0"}),
    # The same in subgroups, with as many values as a load may have.
    "slices-in-subgroups": ("generic-opencl-8", "f64", {
        "slices": "work_group_size=16 load_width=4 value_width=4 sort_window=32 lane_entries=32 "
                  "busy_slices=0 split_at=64 narrow_span=300 runs=3 diagonal_rows=4"}),
    "slices-in-warps": ("sm_90", "f64", {
        "slices": "work_group_size=64 sort_window=64 lane_entries=8 least_lane_entries=4 "
                  "split_at=64 narrow_span=100 diagonal_rows=3"}),
    # Several rows, tiles and bunches in a subgroup of 8; then one over several subgroups.
    "subgroups-shared": ("generic-opencl-8", "f64", {
        "csr5": "omega=2 sigma=5 narrow_span=64 work_group_size=16",
        "evc_hyb": "work_group_size=32 items_per_row=2 boundary=2 chunk_weight=64",
        "speculative": "T=2 W=4 S=1 B=4"}),
    "subgroups-joined": ("generic-opencl-8", "f32", {
        "csr_vector": "lanes=32 work_group_size=32",
        "csr_adaptive": "work_group_size=64 nnz_per_wg=64 item_loads=3 nnz_multiplier=1 "
                        "scalar_rows=16384",
        "evc_hyb": "work_group_size=64 items_per_row=64 least_items_per_row=2 boundary=4 "
                   "nonzeros_per_item=2 vcsr_alignment=8",
        "speculative": "T=16 W=2 S=3 B=3"}),
    # The same within a warp of 32, and beyond one; then without shuffles. sigma is no multiple of
    # load_width: behind a turn of wide loads come a pair of values and a single one.
    "warps-shared": ("sm_90", "f64", {
        "csr5": "omega=4 sigma=7 narrow_span=64 work_group_size=32",
        "csr_adaptive": "work_group_size=32 nnz_per_wg=224 item_loads=3 nnz_multiplier=1 "
                        "long_row=40",
        "evc_hyb": "work_group_size=32 items_per_row=2 boundary=2 load_width=2 chunk_weight=64",
        "speculative": "T=4 W=4 S=1 B=8"}),
    "warps-joined": ("sm_90", "f32", {
        "csr_vector": "lanes=64 work_group_size=64",
        "csr5": "omega=64 sigma=7 narrow_span=500 work_group_size=128",
        "csr_adaptive": "work_group_size=64 nnz_per_wg=64 nnz_multiplier=1 scalar_rows=16384",
        "evc_hyb": 'rows_by_longest="yes" work_group_size=256 boundary=8 items_per_row=256 '
                   "least_items_per_row=16 nonzeros_per_item=2 vcsr_alignment=32 turns=2",
        "speculative": "T=64 W=2 S=2 B=1"}),
    "warps-unused": ("sm_90", "f32", {
        "": "subgroups=false",
        "csr_vector": "lanes=8 work_group_size=16",
        "csr5": "omega=8 sigma=3 narrow_span=1 work_group_size=16",
        "evc_hyb": 'work_group_size=32 items_per_row=8 chunk_weight=64 read_only_x="no"',
        "slices": "slice_rows=16 work_group_size=32 sort_window=32 split_at=32"}),
}


def text_of(description, parent, methods):
    lines = [f'description = "{description}"']
    for method, values in methods.items():
        prefix = method + "." if method else ""
        lines += [prefix + value.replace("=", " = ") for value in values.split()]
    # A page that states a backend inherits nothing.
    if not any(line.startswith("backend =") for line in lines):
        lines.insert(0, f'inherit "{parent}"')
    return "\n".join(lines) + "\n"


def write(folder, wanted):
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, (parent, value_type, methods) in PAGES.items():
        if parent != wanted:
            continue
        arguments = [word for method in methods if method for word in ("--method", method)]
        if value_type:
            arguments += ["--type", value_type]
        arguments += ["--offsets", ("i32", "i64")[len(written) % 2]]
        path = folder / f"{name}.lua"
        text = text_of(f"{name}: parameters at their ends", parent, methods)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        written.append((path, arguments))
    return written
