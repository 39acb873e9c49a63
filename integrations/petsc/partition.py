#!/usr/bin/env python3
"""partition.py: what a product y = A*x sends, by PETSc's partition of the rows over ranks.

Needs NumPy. Rank r owns consecutive rows, and the entries of x and y with the same numbers. Its
diagonal block has the columns that it owns, its off-diagonal block the others. It receives each
entry of x that a column of its off-diagonal block names once a product, in one message from each
rank that owns some.
"""
import argparse
import math

import numpy as np

from matrices import cut, laplacian, open_matrix, write_petsc

VALUE, INDEX = 8, 4             # bytes of PetscScalar and PetscInt


def boxes_of_ranks(dimensions, ranks):
    """The numbers of boxes per axis that DMDACreate2d and DMDACreate3d choose for a cube."""
    if dimensions == 2:
        m = max(1, int(0.5 + math.sqrt(ranks)))
        while ranks % m:
            m -= 1
        return m, ranks // m
    n = max(1, int(0.5 + ranks ** (1 / 3)))
    while ranks % n:
        n -= 1
    m = max(1, int(0.5 + math.sqrt(ranks / n)))
    while (ranks // n) % m:
        m -= 1
    p = ranks // (m * n)
    return m, n, p


class Counts:
    """One entry per rank of each array.

    rows, nonzeros (both blocks), off_nonzeros, off_rows (rows with a nonzero in the off-diagonal
    block), received and sent (entries of x), messages_received and messages_sent.
    """

    NAMES = ("rows", "nonzeros", "off_nonzeros", "off_rows", "received", "sent",
             "messages_received", "messages_sent")

    def __init__(self, ranks):
        for name in self.NAMES:
            setattr(self, name, np.zeros(ranks, dtype=np.int64))

    @property
    def diagonal_bytes(self):
        """Of the diagonal block in CSR."""
        return (self.nonzeros - self.off_nonzeros) * (VALUE + INDEX) + (self.rows + 1) * INDEX

    @property
    def off_bytes(self):
        """Of the off-diagonal block in CSR: offset and number of each row that is not empty."""
        return self.off_nonzeros * (VALUE + INDEX) + self.off_rows * 2 * INDEX


def count(matrix, row_cuts, column_cuts):
    ranks = len(row_cuts) - 1
    counts = Counts(ranks)
    for rank in range(ranks):
        begin, end = row_cuts[rank], row_cuts[rank + 1]
        lengths, columns = matrix.row_lengths_and_columns(begin, end)
        off = (columns < column_cuts[rank]) | (columns >= column_cuts[rank + 1])
        counts.rows[rank] = end - begin
        counts.nonzeros[rank] = len(columns)
        counts.off_nonzeros[rank] = np.count_nonzero(off)
        row_of_entry = np.repeat(np.arange(end - begin), lengths)
        counts.off_rows[rank] = len(np.unique(row_of_entry[off]))
        ghosts = np.unique(columns[off])
        owner = np.searchsorted(column_cuts, ghosts, side="right") - 1
        from_owner = np.bincount(owner, minlength=ranks)
        counts.received[rank] = len(ghosts)
        counts.messages_received[rank] = np.count_nonzero(from_owner)
        counts.sent += from_owner
        counts.messages_sent += from_owner > 0
    return counts


def partition(name, ranks, boxes=False, opened=None):
    """Counts of a matrix on `ranks` ranks. opened: the matrix, if it is open already."""
    if not boxes:
        matrix = opened or open_matrix(name)
        return count(matrix, cut(matrix.rows, ranks), cut(matrix.cols, ranks))
    grid = open_matrix(name)
    matrix = open_matrix(name, boxes_of_ranks(grid.dimensions, ranks))
    sizes = [np.prod([high - low for low, high in zip(lows, highs)])
             for lows, highs in matrix.all_boxes()]
    if min(sizes) == 0:
        raise ValueError(f"{name} has fewer grid points along an axis than {ranks} ranks have "
                         "boxes")
    cuts = np.concatenate(([0], np.cumsum(sizes)))
    return count(matrix, cuts, cuts)


def max_and_mean(values):
    return f"{values.max():>12} {values.mean():>14.1f}"


def print_table(name, ranks, counts):
    print(f"{name}, {ranks} ranks{'':>15}max           mean")
    for text, values in (("rows", counts.rows), ("nonzeros", counts.nonzeros),
                         ("nonzeros, off-diagonal block", counts.off_nonzeros),
                         ("bytes of the matrix", counts.diagonal_bytes + counts.off_bytes),
                         ("bytes of x received", counts.received * VALUE),
                         ("bytes of x sent", counts.sent * VALUE),
                         ("messages received", counts.messages_received),
                         ("messages sent", counts.messages_sent)):
        print(f"  {text:<28}{max_and_mean(values)}")


def print_ranks(counts):
    """One line per rank, for comparison with product.c -counts."""
    for rank in range(len(counts.rows)):
        print("counts", rank, *(getattr(counts, name)[rank] for name in Counts.NAMES))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("matrix", help="poisson2d:N, poisson3d:N, FILE.mtx, FILE.mtx.gz, FILE.npz")
    parser.add_argument("--ranks", default="1,2,4", help="numbers of ranks (default 1,2,4)")
    parser.add_argument("--boxes", action="store_true",
                        help="cut the grid into boxes, as DMDA does; default: consecutive rows")
    parser.add_argument("--each", action="store_true", help="print a line for each rank instead")
    parser.add_argument("--write", metavar="FILE",
                        help="also write the matrix of a file for PETSc's MatLoad")
    parser.add_argument("--laplacian", action="store_true",
                        help="take I + D - A of the file's graph instead, which is symmetric "
                             "positive definite")
    args = parser.parse_args()
    try:
        numbers = [int(word) for word in args.ranks.split(",")]
        if min(numbers) < 1:
            parser.error(f"--ranks {args.ranks}: expected numbers from 1")
        matrix = open_matrix(args.matrix)
        if not hasattr(matrix, "values") and (args.write or args.laplacian):
            parser.error("--write and --laplacian are for matrices of files")
        if args.laplacian:
            if matrix.rows != matrix.cols:
                parser.error(f"--laplacian: {args.matrix} is not square")
            matrix = laplacian(matrix)
        if args.write:
            write_petsc(matrix, args.write)
        for ranks in numbers:
            counts = partition(args.matrix, ranks, args.boxes, matrix)
            if args.each:
                print_ranks(counts)
            else:
                print_table(args.matrix, ranks, counts)
    except (OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
