"""matrices.py: the sparsity of a matrix, rank by rank, in the numbering that PETSc gives its rows.

open_matrix(name) takes poisson2d:N, poisson3d:N, FILE.mtx, FILE.mtx.gz and FILE.npz (SciPy's CSR).
A matrix has a number of `rows`, and row_lengths_and_columns(range) for a range of rows.
"""
import gzip
import re

import numpy as np


class Stored:
    """The matrix of a file: row_ptr and columns, each row sorted and without duplicates."""

    def __init__(self, rows, cols, row_of_entry, col_of_entry, values=None):
        key, first = np.unique(row_of_entry.astype(np.int64) * cols + col_of_entry,
                               return_inverse=True)
        self.rows, self.cols = rows, cols
        self.columns = key % cols
        self.row_ptr = np.searchsorted(key, np.arange(rows + 1, dtype=np.int64) * cols)
        self.values = np.bincount(first, values, len(key)) if values is not None \
            else np.ones(len(key))

    def row_lengths_and_columns(self, begin, end):
        start, stop = self.row_ptr[begin], self.row_ptr[end]
        return np.diff(self.row_ptr[begin:end + 1]), self.columns[start:stop]


class Poisson:
    """The 5-point or 7-point stencil on N grid points a side, in two or three dimensions.

    boxes=None: unknowns in the order of the grid. boxes=(m, n[, p]): the grid is cut into m x n x p
    boxes, and the unknowns of a box are consecutive, as PETSc's DMDA numbers them.
    """

    def __init__(self, side, dimensions, boxes=None):
        self.side, self.dimensions = side, dimensions
        self.rows = self.cols = side ** dimensions
        self.cuts = [cut(side, parts) for parts in boxes or (1,) * dimensions]
        self.boxes = None

    def number(self, place):
        """The number of each grid point: x varies fastest, then y, then z, box by box."""
        corner, extent = [], []
        for cuts, coordinate in zip(self.cuts, place):
            box = np.searchsorted(cuts, coordinate, side="right") - 1
            corner.append(cuts[box])
            extent.append(cuts[box + 1] - cuts[box])
        before = np.zeros(len(place[0]), dtype=np.int64)
        inside = np.zeros_like(before)
        stride = np.ones_like(before)
        for axis, coordinate in enumerate(place):
            # The boxes before this one along this axis are as wide as the grid in the faster
            # dimensions, and as wide as this box in the slower ones.
            slab = self.side ** axis * np.prod(extent[axis + 1:], axis=0, dtype=np.int64)
            before += corner[axis] * slab
            inside += (coordinate - corner[axis]) * stride
            stride = stride * extent[axis]
        return before + inside

    def place(self, begin, end):
        """The grid points of the rows begin to end, which lie in one box or in a grid uncut."""
        if all(len(cuts) == 2 for cuts in self.cuts):
            left = np.arange(begin, end, dtype=np.int64)
            place = []
            for _ in range(self.dimensions):
                place.append(left % self.side)
                left = left // self.side
            return place
        if self.boxes is None:
            begins = np.cumsum([0] + [np.prod(np.subtract(highs, lows))
                                      for lows, highs in self.all_boxes()])
            self.boxes = dict(zip(begins, self.all_boxes()))
        lows, highs = self.boxes[begin]
        axes = [np.arange(low, high, dtype=np.int64) for low, high in zip(lows, highs)]
        place = [grid.ravel() for grid in np.meshgrid(*axes[::-1], indexing="ij")[::-1]]
        assert len(place[0]) == end - begin
        return place

    def all_boxes(self):
        """The corners of the boxes, in the order of the ranks."""
        counts = [len(cuts) - 1 for cuts in self.cuts]
        for rank in range(int(np.prod(counts))):
            lows, highs = [], []
            for cuts, count in zip(self.cuts, counts):
                rank, box = divmod(rank, count)
                lows.append(cuts[box])
                highs.append(cuts[box + 1])
            yield lows, highs

    def row_lengths_and_columns(self, begin, end):
        """Columns of a row are in no particular order."""
        place = self.place(begin, end)
        rows = end - begin
        columns, exists = [np.arange(begin, end, dtype=np.int64)], [np.ones(rows, dtype=bool)]
        for axis in range(self.dimensions):
            for step in (-1, 1):
                moved = place[axis] + step
                inside = (moved >= 0) & (moved < self.side)
                neighbour = list(place)
                neighbour[axis] = np.clip(moved, 0, self.side - 1)
                columns.append(self.number(neighbour))
                exists.append(inside)
        exists = np.stack(exists, axis=1)
        return exists.sum(axis=1), np.stack(columns, axis=1)[exists]


def cut(size, parts):
    """Where `parts` consecutive parts of `size` begin, and the end, as PETSC_DECIDE cuts rows."""
    part = np.arange(parts, dtype=np.int64)
    lengths = size // parts + (size % parts > part)
    return np.concatenate(([0], np.cumsum(lengths)))


def read_matrix_market(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        header = file.readline().decode("latin-1").split()
        if len(header) < 5 or header[0] != "%%MatrixMarket" or header[2] != "coordinate":
            raise ValueError(f"{path}:1: expected '%%MatrixMarket matrix coordinate ...'; "
                             "'spmvbench inspect FILE' says what another file is")
        line = file.readline()
        while line.startswith(b"%"):
            line = file.readline()
        rows, cols, entries = (int(word) for word in line.split())
        body = np.fromstring(file.read().decode("latin-1"), sep=" ")
    width = {"pattern": 2, "complex": 4}.get(header[3], 3)
    if len(body) != width * entries:
        raise ValueError(f"{path}: expected {entries} entries of {width} numbers, "
                         f"found {len(body)} numbers")
    body = body.reshape(entries, width)
    row, col = (body[:, i].astype(np.int64) - 1 for i in (0, 1))
    values = body[:, 2] if width > 2 else np.ones(entries)
    if header[4] != "general":
        mirrored = row != col
        sign = -1 if header[4] == "skew-symmetric" else 1
        row, col, values = (np.concatenate((row, col[mirrored])),
                            np.concatenate((col, row[mirrored])),
                            np.concatenate((values, sign * values[mirrored])))
    return Stored(rows, cols, row, col, values)


def read_npz(path):
    with np.load(path) as file:
        form = file["format"].item()
        if (form.decode() if isinstance(form, bytes) else form) != "csr":
            raise ValueError(f"{path}: expected a CSR matrix, found {form}; save A.tocsr()")
        rows, cols = (int(size) for size in file["shape"])
        row = np.repeat(np.arange(rows), np.diff(file["indptr"]))
        return Stored(rows, cols, row, file["indices"].astype(np.int64), file["data"])


def open_matrix(name, boxes=None):
    model = re.fullmatch(r"poisson([23])d:(\d+)", name)
    if model:
        return Poisson(int(model[2]), int(model[1]), boxes)
    if boxes is not None:
        raise ValueError(f"{name}: boxes are only for poisson2d:N and poisson3d:N")
    if name.endswith(".npz"):
        return read_npz(name)
    if name.endswith((".mtx", ".mtx.gz")):
        return read_matrix_market(name)
    raise ValueError(f"{name}: expected poisson2d:N, poisson3d:N, FILE.mtx, FILE.mtx.gz or "
                     "FILE.npz")


def laplacian(matrix):
    """I + D - A of a graph: A has 1 for each edge, in both directions; D has the degrees."""
    row = np.repeat(np.arange(matrix.rows), np.diff(matrix.row_ptr))
    row, col = np.concatenate((row, matrix.columns)), np.concatenate((matrix.columns, row))
    edges = Stored(matrix.rows, matrix.cols, row[row != col], col[row != col])
    degrees = np.diff(edges.row_ptr)
    row = np.repeat(np.arange(matrix.rows), degrees)
    every = np.arange(matrix.rows)
    return Stored(matrix.rows, matrix.cols, np.concatenate((row, every)),
                  np.concatenate((edges.columns, every)),
                  np.concatenate((-np.ones(len(row)), degrees + 1.0)))


def write_petsc(matrix, path):
    """Writes a stored matrix to a file for MatLoad."""
    lengths, columns = matrix.row_lengths_and_columns(0, matrix.rows)
    with open(path, "wb") as file:
        file.write(np.array([1211216, matrix.rows, matrix.cols, len(columns)], ">i4").tobytes())
        file.write(lengths.astype(">i4").tobytes())
        file.write(columns.astype(">i4").tobytes())
        file.write(matrix.values.astype(">f8").tobytes())
