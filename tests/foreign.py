"""foreign.py: small files of other formats than the Matrix Market's, for the tests of both readers.

Each sample is a file of the matrix MATRIX, or of a graph with its edges, as programs of that format
write it. A sample's `said` are words of the answer; `result` is what the advised command leaves
(None: nothing to read).
"""
import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from dataclasses import dataclass

# Rows, columns and values, column by column; the matrix is 3 x 3.
MATRIX = ((0, 0, 4.0), (2, 0, -1.5), (1, 1, 2.5), (0, 2, 1e-3), (2, 2, 8.0))
# Undirected edges from 1: a path with a chord, and a vertex alone.
EDGES = ((1, 2), (2, 3), (1, 3), (3, 4))
VERTICES = 5

BANNER = "%%MatrixMarket matrix coordinate real general\n"
MTX = (BANNER + "3 3 5\n" + "".join(f"{i + 1} {j + 1} {v}\n" for i, j, v in MATRIX)).encode()


@dataclass
class Sample:
    name: str
    bytes: bytes
    said: str
    result: object = MATRIX      # entries; or a name of `samples`: the file is of that format then
    output: str = "FILE.mtx"     # what the command writes
    needs: str = ""              # a program or a Python module of the command
    shape: tuple = (3, 3)


def tar_of(name, data):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zip_of(name, data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def petsc():
    rows = sorted(MATRIX)
    lengths = [sum(i == r for i, _, _ in rows) for r in range(3)]
    return struct.pack(">12i5d", 1211216, 3, 3, 5, *lengths, *(j for _, j, _ in rows),
                       *(v for _, _, v in rows))


def fixed(numbers, width, count, form="{}"):
    """Lines of a Fortran format: `count` fields of `width` in a line."""
    fields = [form.format(number).rjust(width) for number in numbers]
    return ["".join(fields[i:i + count]) for i in range(0, len(fields), count)]


def boeing(kind, entries, *, old=True, value_format="(1P,3E12.4)", values=None, rhs=False):
    """A file of Harwell-Boeing (old) or Rutherford-Boeing, whose fields of numbers touch."""
    columns = [[i for i, j, _ in entries if j == c] for c in range(3)]
    pointers = [1 + sum(map(len, columns[:c])) for c in range(4)]
    texts = (fixed(pointers, 2, 3), fixed([i + 1 for column in columns for i in column], 1, 4),
             [] if values == "" else fixed([v for _, _, v in entries], 12, 3, values or "{:.4E}"))
    counts = [*map(len, texts), *([1 if rhs else 0] if old else [])]
    counts = [sum(counts), *counts]
    return "\n".join([
        f"{'a small matrix':72}{'SMALL':8}", "".join(f"{count:14d}" for count in counts),
        f"{kind:14}" + "".join(f"{count:14d}" for count in (3, 3, len(entries), 0)),
        f"{'(3I2)':16}{'(4I1)':16}{value_format if values != '' else '':20}",
        *(["F             1             0"] if rhs else []), *sum(texts, []),
        *(["  1.0000E+00  2.0000E+00  3.0000E+00"] if rhs else []), ""]).encode()


def symmetric(sign):
    """The entries of a file that holds the lower triangle, and those of its matrix."""
    lower = [(1, 0, 2.0), (2, 0, 3.5), (2, 1, -4.0)]
    return lower, lower + [(j, i, sign * v) for i, j, v in lower]


def metis(header, lines):
    return (f"% a graph\n{VERTICES} {len(EDGES)}{header}\n"
            + "".join(line + "\n" for line in lines)).encode()


def neighbours(vertex):
    return [b for a, b in EDGES if a == vertex] + [a for a, b in EDGES if b == vertex]


def weight(a, b):
    return a + b


BOTH_WAYS = [(a - 1, b - 1, 1.0) for a, b in EDGES] + [(b - 1, a - 1, 1.0) for a, b in EDGES]
WEIGHTED = [(i, j, weight(i + 1, j + 1)) for i, j, _ in BOTH_WAYS]
ONE_WAY = [(a - 1, b - 1, 1.0) for a, b in EDGES]


def text(*lines):
    return "".join(line + "\n" for line in lines).encode()


def texts():
    """Formats in text, by hand."""
    lower, both = symmetric(1)
    _, skew = symmetric(-1)
    edges = [f"{a}\t{b}" for a, b in EDGES]
    graph = (VERTICES, VERTICES)
    linked = (4, 4)              # a list of edges says nothing of a vertex without edges
    blocked = "a Harwell-Boeing or Rutherford-Boeing file"
    return [
        Sample("HB real", boeing("RUA", MATRIX), blocked),
        Sample("HB D exponents", boeing("RUA", MATRIX, value_format="(3D12.4)",
                                        values="{:.4E}").replace(b"E+", b"D+"), blocked),
        Sample("HB right side", boeing("RUA", MATRIX, rhs=True), blocked),
        Sample("HB symmetric", boeing("RSA", lower), blocked, both),
        Sample("HB skew", boeing("RZA", lower), blocked, skew),
        Sample("HB pattern", boeing("PSA", lower, values=""), blocked,
               [(i, j, 1.0) for i, j, _ in both]),
        Sample("RB real", boeing("rua", MATRIX, old=False), blocked),
        Sample("RB pattern", boeing("pua", MATRIX, old=False, values=""), blocked,
               [(i, j, 1.0) for i, j, _ in MATRIX]),
        Sample("METIS", metis("", [" ".join(map(str, neighbours(v))) for v in range(1, 6)]),
               "a graph in the format of METIS", BOTH_WAYS, shape=graph),
        Sample("METIS weights", metis(" 111 2", [
            " ".join(["7 5 6"] + [f"{n} {weight(v, n)}" for n in neighbours(v)])
            for v in range(1, 6)]), "a graph in the format of METIS", WEIGHTED, shape=graph),
        Sample("METIS cycle", text("4 4", "2 4", "1 3", "2 4", "1 3"),
               "a graph in the format of METIS",
               [(i, j, 1.0) for i in range(4) for j in ((i + 1) % 4, (i + 3) % 4)], shape=linked),
        Sample("DIMACS", text("c a graph", f"p sp {VERTICES} 4",
                              *(f"a {a} {b} {weight(a, b)}" for a, b in EDGES)),
               "a graph in the format of DIMACS",
               [(a - 1, b - 1, weight(a, b)) for a, b in EDGES], shape=graph),
        Sample("DIMACS colours", text("p edge 5 4", *(f"e {a} {b}" for a, b in EDGES)),
               "a graph in the format of DIMACS", ONE_WAY, shape=graph),
        Sample("SNAP", text("# Directed graph", "# FromNodeId\tToNodeId", *edges),
               "a list of edges", ONE_WAY, shape=linked),
        Sample("edges from 0", text(*(f"{a - 1} {b - 1}" for a, b in EDGES)), "a list of edges",
               ONE_WAY, shape=linked),
        Sample("KONECT", text("% sym unweighted", *edges), "a list of edges", ONE_WAY,
               shape=linked),
        Sample("LIBSVM", text("+1 1:4 3:1e-3 # first", "-1 2:2.5", "+1 1:-1.5 3:8"),
               "data in the format of LIBSVM"),
        Sample("LIBSVM ranks", text("3 qid:1 1:4 3:0.001", "2 qid:1 2:2.5", "1 qid:2 1:-1.5 3:8"),
               "data in the format of LIBSVM"),
        Sample("triplets from 0", text(*(f"{i} {j} {v}" for i, j, v in MATRIX)),
               "a list of rows, columns and values"),
        Sample("triplets from 1", text(*(f"  {i + 1}  {j + 1}  {v:.7e}" for i, j, v in MATRIX)),
               "a list of rows, columns and values"),
        Sample("hypre", text("0 2 0 2", *(f"{i} {j} {v:.14e}" for i, j, v in sorted(MATRIX))),
               "a matrix of hypre (IJ)"),
        Sample("HTML", b"\n<!DOCTYPE html>\n<html><title>Sign in</title></html>\n",
               "a page of HTML or XML, perhaps one that asks to log in", None),
        Sample("LFS", text("version https://git-lfs.github.com/spec/v1", "oid sha256:" + 64 * "0",
                           "size 12345"), "a pointer of Git LFS", None),
        Sample("empty", b"", "an empty file", None),
    ]


def archives():
    return [
        Sample("tar", tar_of("small/FILE.mtx", MTX), "a tar archive", output="small/FILE.mtx"),
        Sample("tar.gz", gzip.compress(tar_of("small/FILE.mtx", MTX)), "a tar archive in gzip",
               output="small/FILE.mtx"),
        Sample("zip", zip_of("FILE.mtx", MTX), "a zip archive", needs="unzip"),
        Sample("bz2", bz2.compress(MTX), "compressed by bzip2", output="FILE.plain",
               needs="bzip2"),
        Sample("xz", lzma.compress(MTX), "compressed by xz", output="FILE.plain", needs="xz"),
        # A frame of one block as it is: without a content size, the smallest window.
        Sample("zst", b"\x28\xb5\x2f\xfd\x00\x00" + (len(MTX) << 3 | 1).to_bytes(3, "little") + MTX,
               "compressed by zstd", output="FILE.plain", needs="zstd"),
        Sample("gz twice", gzip.compress(gzip.compress(MTX)), "compressed by gzip in gzip",
               output="FILE.plain"),
        Sample("METIS in gzip", gzip.compress(text("4 4", "2 4", "1 3", "2 4", "1 3")),
               "a graph in the format of METIS in gzip", "METIS cycle", "FILE.plain"),
        Sample("marked", b"\xef\xbb\xbf" + MTX, "text behind a byte-order mark of UTF-8",
               output="FILE.plain"),
        Sample("UTF-16", MTX.decode().encode("utf-16"), "text in UTF-16", output="FILE.plain"),
        Sample("UTF-16, big-endian", b"\xfe\xff" + MTX.decode().encode("utf-16-be"),
               "text in UTF-16", output="FILE.plain"),
        Sample("PETSc", petsc(), "a matrix in PETSc's binary format"),
        Sample("binary", bytes(range(1, 10)) + bytes(100) + b"\n", "a binary file", None),
    ]


def by_scipy():
    """Formats that SciPy and NumPy write."""
    import numpy as np
    import scipy.io
    import scipy.sparse
    rows, cols, values = zip(*MATRIX)
    A = scipy.sparse.csc_matrix((values, (rows, cols)), (3, 3))
    made = []

    def add(name, write, said):
        out = io.BytesIO()
        write(out)
        made.append(Sample(name, out.getvalue(), said))

    add("npz", lambda out: scipy.sparse.save_npz(out, A), "an archive of NumPy (.npz)")
    add("npy", lambda out: np.save(out, A.toarray()), "a dense array of NumPy (.npy)")
    add("MATLAB 5", lambda out: scipy.io.savemat(out, {"first": 1, "A": A}), "a MATLAB file")
    add("MATLAB 5 of SuiteSparse", lambda out: scipy.io.savemat(
        out, {"Problem": {"name": "small", "A": A}}, do_compression=True), "a MATLAB file")
    return made


def matlab73():
    """As MATLAB 7.3 writes; without h5py a signature, whose command is not run."""
    said = "an HDF5 file, as MATLAB 7.3 writes"
    head = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512)
    try:
        import h5py
    except ImportError:
        return Sample("MATLAB 7.3", head + b"\x89HDF\r\n\x1a\n", said, needs="h5py")
    out = io.BytesIO()
    with h5py.File(out, "w", userblock_size=512) as file:
        group = file.create_group("Problem/A")
        group.attrs["MATLAB_sparse"] = 3
        group["ir"] = [i for i, _, _ in MATRIX]
        group["jc"] = [0, 2, 3, 5]
        group["data"] = [v for _, _, v in MATRIX]
    return Sample("MATLAB 7.3", head + out.getvalue()[512:], said, needs="h5py")


def samples():
    return [*texts(), *archives(), matlab73()]
