"""The order of a matrix's entries: when it was planned, and now.

Many calls of SciPy that only seem to read a matrix, such as abs(A) and spsolve(A, b), sort the
columns of each row of A in place, and add up entries of one place. So a plan of a matrix that is
not in this order copies its arrays, and remembers here where they were. Arrays are held weakly.
"""
import weakref

import numpy as np


def address(array):
    return array.__array_interface__["data"][0]


def is_part(a, b):
    """Whether a has the memory of b, or of its first elements."""
    return (address(a), a.dtype, a.strides) == (address(b), b.dtype, b.strides)


class Memory:
    """The memory of an array, as long as some array owns it: SciPy makes new views of old ones."""

    def __init__(self, array):
        array = np.asarray(array)
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        self._owner = weakref.ref(owner)
        self._view = array.size, array.dtype, address(array) - address(owner)
        self._is_plain = array.flags.c_contiguous and owner.flags.c_contiguous

    def array(self):
        """Returns the array, or None if it has gone or is not contiguous."""
        owner = self._owner()
        if owner is None or not self._is_plain:
            return None
        size, dtype, offset = self._view
        return np.ndarray(size, dtype, owner, offset)


class Source:
    """The arrays of a planned matrix."""

    def __init__(self, A):
        self._matrix = weakref.ref(A)
        self._memory = [Memory(array) for array in (A.indptr, A.indices, A.data)]

    def now(self):
        """Returns indptr, indices and data as they are now, None for those that have gone."""
        A = self._matrix()
        if A is not None:
            return [np.asarray(array) for array in (A.indptr, A.indices, A.data)]
        return [memory.array() for memory in self._memory]


def places(indptr, indices, width):
    """The row and the column of each entry, as one number. width: of a row."""
    starts = np.arange(len(indptr) - 1, dtype=np.int64) * width
    return np.repeat(starts, np.diff(indptr).astype(np.int64)) + indices.astype(np.int64)


def rearranged(data, found, expected):
    """Returns the values of entries at the places `expected`, from those at `found`; None if some
    place is in only one of both. Where entries of one place were added up, the first gets the sum
    and the others get zeros."""
    order, expected_order = (np.argsort(a, kind="stable") for a in (found, expected))
    found, expected = found[order], expected[expected_order]
    values = np.zeros(expected.size, data.dtype)
    if np.array_equal(found, expected):
        values[expected_order] = data[order]
        return values
    first, expected_first = (np.flatnonzero(np.diff(a, prepend=-1)) for a in (found, expected))
    if not np.array_equal(found[first], expected[expected_first]):
        return None
    values[expected_order[expected_first]] = np.add.reduceat(data[order], first)
    return values
