"""bench/gpu/predict.py counts what kernels execute and read: on listings and matrices that can be
counted by hand."""
import array
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../bench/gpu"))
import tap
import compiled_kernels
import machine_code
import predict
import x_requests

# Two nonzeros a trip: two loads of A, whose columns two loads of x wait for. The code behind EXIT
# is for divergent warps. Addresses are not looked at.
LISTING = """
\t.section\t.text.toy_rows_f64,"ax",@progbits
toy_rows_f64:
        /*0000*/                   S2R R0, SR_TID.X ;
        /*0010*/                   LDG.E.CONSTANT R2, desc[UR4][R4.64] ;
        /*0020*/              @!P0 BRA `(.L_x_2) ;
.L_x_1:
        /*0030*/                   LDG.E.EF.64 R6, desc[UR4][R2.64] ;
        /*0040*/                   LDG.E.EF.128 R12, desc[UR4][R8.64] ;
        /*0050*/               @P1 BRA `(.L_x_3) ;
        /*0060*/                   LDG.E.64.CONSTANT R16, desc[UR4][R6.64] ;
        /*0070*/                   LDG.E.64.CONSTANT R18, desc[UR4][R7.64] ;
        /*0080*/                   DFMA R20, R12, R16, R20 ;
        /*0090*/                   DFMA R20, R14, R18, R20 ;
.L_x_3:
        /*00a0*/                   BRA.DIV UR6, `(.L_x_4) ;
.L_x_5:
        /*00b0*/               @P0 BRA `(.L_x_1) ;
.L_x_2:
        /*00c0*/                   STS.64 [R0], R20 ;
        /*00d0*/                   STG.E.64 desc[UR4][R2.64], R20 ;
        /*00e0*/                   EXIT ;
.L_x_4:
        /*00f0*/                   SHFL.DOWN PT, R5, R11, R7, 0x1f ;
        /*0100*/                   BRA `(.L_x_5) ;
        /*0110*/                   NOP ;
"""
AMD = """
\t.type\ttoy_rows,@function
toy_rows:
\tglobal_load_dword v1, v[2:3], off
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
\tglobal_load_dwordx4 v[4:7], v[2:3], off nt
\ts_waitcnt vmcnt(0)
\ts_waitcnt vmcnt(0)
\tglobal_load_ushort v8, v[4:5], off
\ts_waitcnt lgkmcnt(0)
\tv_fmac_f64_e32 v[10:11], v[4:5], v[6:7]
\ts_cbranch_execnz .LBB0_1
\tglobal_store_dwordx2 v[0:1], v[10:11], off
\ts_endpgm
; NumVgprs: 12
; ScratchSize: 0
; Occupancy: 8
; LDSByteSize: 256 bytes/workgroup (compile time only)
"""


def test_sass():
    kernel = machine_code.sass_kernels(LISTING)["toy_rows_f64"]
    loops = kernel.loops()
    tap.ok(loops == [machine_code.Loop(3, 11)],
           "a jump back from code of divergent warps is no loop", loops)
    counts = machine_code.count(kernel.hot_path(loops[0]))
    expected = {"instructions": 9, "load 128": 1, "load 64": 1, "gathers": 2, "branches": 2,
                "fma": 2, "waits": 2}
    tap.ok({key: value for key, value in counts.items() if value} == expected,
           "a trip of the loop is counted", counts)
    paths = kernel.paths(0, None)
    tap.ok({gathers: len(path) for gathers, path in paths.items()} == {0: 11, 2: 15},
           "paths with and without reading x", paths)
    before, trip, trips, after = predict.trace(kernel, loops[0], 6)
    tap.ok((len(before), len(trip), trips, len(after)) == (3, 9, 3, 3),
           "six nonzeros of a lane take three trips", (len(before), len(trip), trips, len(after)))


def test_lifetime():
    """Loads that are issued together are waited for once."""
    def load(register, address):
        return machine_code.Instruction("LDG.E.EF", "load", 32, True, False, False,
                                        frozenset([address]), frozenset([register]), None)

    together = predict.lifetime([load(1, 0), load(2, 0), load(3, 0)], 1000, 500)
    chained = predict.lifetime([load(1, 0), load(2, 1), load(3, 2)], 1000, 500)
    tap.ok(1000 <= together <= 1010 and 3000 <= chained <= 3010,
           "a chain of three loads takes three times as long as three at once",
           (together, chained))


def test_amd():
    kernel, facts = machine_code.amd_kernels(AMD)["toy_rows"]
    loops = kernel.loops()
    counts = machine_code.count(kernel.hot_path(loops[0]))
    expected = {"instructions": 7, "load 128": 1, "load 16": 1, "branches": 1, "fma": 1, "waits": 1}
    tap.ok({key: value for key, value in counts.items() if value} == expected and len(loops) == 1,
           "AMD: a trip of the loop is counted", counts)
    tap.ok(facts == {"vgprs": 12, "spills": 0, "occupancy": 8, "shared": 256},
           "AMD: registers, spills, occupancy and local memory are read", facts)


def matrix_of(rows, columns_of_row):
    row_ptr, col = array.array("q", [0]), array.array("i")
    for row in range(rows):
        col.extend(columns_of_row(row))
        row_ptr.append(len(col))
    return x_requests.Matrix(rows, rows, row_ptr, col)


def test_requests():
    """256 rows with the diagonal: a warp reads 32 consecutive elements of x, 2 lines, 8 sectors."""
    diagonal = matrix_of(256, lambda row: [row])
    scattered = matrix_of(256, lambda row: [row * 37 % 256])
    page = {"csr5": {"sigma": 4, "omega": 32, "work_group_size": 64},
            "csr_adaptive": {"work_group_size": 64, "nnz_per_wg": 128},
            "csr_vector": {"lanes": 32, "work_group_size": 64, "accumulators": 2},
            "evc_hyb": {"boundary": 128, "busy_items": 0, "sort_window": 0, "work_group_size": 64},
            "slices": {"work_group_size": 64, "lane_entries": 32, "least_lane_entries": 8,
                       "busy_slices": 0, "sort_window": 128, "split_at": 1024, "diagonal_rows": 16,
                       "runs": 4, "narrow_span": 65536},
            "speculative": {"T": 32, "W": 2, "S": 1, "B": 2}}
    lines = {"csr5": 8, "csr_vector": 1}         # csr5 has stride 4; csr_vector 16 rows a warp
    for method, parameters in page.items():
        work = x_requests.work_of(method, diagonal, parameters)
        requests = 16 if method == "csr_vector" else 8
        expected = (256, requests * lines.get(method, 2), 256)
        found = (work.sums["nonzeros"], work.sums["lines"], work.sums["unique"] * 4)
        tap.ok(found == expected, f"{method}: lines and sectors of the diagonal", (found, expected))
        more = x_requests.work_of(method, scattered, parameters)
        if method != "csr5":                     # a sector for each nonzero already
            tap.ok(more.sums["sectors"] > work.sums["sectors"],
                   f"{method}: scattered columns need more sectors", (more.sums, work.sums))
    work = x_requests.work_of("slices", diagonal, page["slices"])
    tap.ok(work.sums["bytes"] == 8 * (32 * 8 + 16 + 64),
           "slices: diagonals store values, heads and words of lanes", work.sums)


def test_read_again():
    """Four sectors are read in 1, 2, 3 and 3 of three epochs. A cache of two sectors keeps the last
    two; of the others, one is read a second time. A larger cache holds all."""
    matrix = matrix_of(16, lambda row: range(4 * (3 - row), 16, 4) if row < 4 else [])
    found = [x_requests.read_again(matrix, 8, 4), x_requests.read_again(matrix, 16, 4)]
    tap.ok(found == [1, 0], "a cache keeps the sectors that most epochs read", found)


def test_tree():
    """The committed kernel, where CUDA's tools are."""
    if not shutil.which("nvcc") or not shutil.which("nvdisasm"):
        tap.skip("nvcc and nvdisasm of CUDA are not in PATH: no kernel is counted")
        return
    with tempfile.TemporaryDirectory() as work:
        one = compiled_kernels.compile_for("sm_90", "csr_vector", pathlib.Path(work))
    counts = machine_code.count(one.kernel.hot_path(predict.loop_of(one.kernel, "csr_vector", "")))
    tap.ok(counts["gathers"] == one.parameters["accumulators"] and one.spills == 0,
           "csr_vector reads x for each accumulator in a trip", (counts, one.parameters))


test_sass()
test_lifetime()
test_amd()
test_requests()
test_read_again()
test_tree()
tap.done()
