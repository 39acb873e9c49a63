"""matrices.py: Matrix Market files for PETSc's MatLoad. It needs SciPy."""
import numpy as np
import scipy.io


def write_petsc(matrix, path):
    """Writes a matrix of SciPy, real parts only, to a file for MatLoad."""
    csr = matrix.tocsr()
    csr.sum_duplicates()
    with open(path, "wb") as file:
        file.write(np.array([1211216, *csr.shape, csr.nnz], ">i4").tobytes())
        file.write(np.diff(csr.indptr).astype(">i4").tobytes())
        file.write(csr.indices.astype(">i4").tobytes())
        file.write(csr.data.real.astype(">f8").tobytes())


def convert(source, path):
    """Writes the matrix of the Matrix Market file `source`, gzipped or not, for MatLoad."""
    write_petsc(scipy.io.mmread(source), path)
