/* foreign_file.c: see foreign_file.h. The suite "python foreign" makes a sample of each format, and
 * runs each command of the table. */
#define _POSIX_C_SOURCE 200809L
#include "common/foreign_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/foreign_text.h"

static bool starts_with(const sg_file_head *head, size_t at, const char *bytes, size_t size)
{
    return head->size >= at + size && !memcmp(head->bytes + at, bytes, size);
}

/* For strings with zero bytes. */
#define STARTS(head, at, text) starts_with(head, at, text, sizeof(text) - 1)

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool is_empty(const sg_file_head *head)
{
    return head->size == 0;
}

static bool is_marked_text(const sg_file_head *head)
{
    return STARTS(head, 0, "\xef\xbb\xbf");
}

static bool is_utf16(const sg_file_head *head)
{
    return STARTS(head, 0, "\xff\xfe") || STARTS(head, 0, "\xfe\xff");
}

/* gzip's or compress's, which gzip reads. */
static bool is_gzip(const sg_file_head *head)
{
    return STARTS(head, 0, "\x1f\x8b") || STARTS(head, 0, "\x1f\x9d");
}

static bool is_bzip2(const sg_file_head *head)
{
    return STARTS(head, 0, "BZh") && STARTS(head, 4, "1AY&SY");
}

static bool is_xz(const sg_file_head *head)
{
    return STARTS(head, 0, "\xfd" "7zXZ\0");
}

static bool is_zstd(const sg_file_head *head)
{
    return STARTS(head, 0, "\x28\xb5\x2f\xfd");
}

static bool is_tar(const sg_file_head *head)
{
    return STARTS(head, 257, "ustar");
}

static bool is_zip(const sg_file_head *head)
{
    return STARTS(head, 0, "PK\3\4") || STARTS(head, 0, "PK\5\6");
}

/* A zip archive whose first file is an array. */
static bool is_npz(const sg_file_head *head)
{
    enum { LENGTH = 26, NAME = 30 };
    if (!is_zip(head) || head->size < NAME)
        return false;
    const unsigned char *at = (const unsigned char *)head->bytes + LENGTH;
    size_t length = at[0] + 256u * at[1];
    return length >= 4 && STARTS(head, NAME + length - 4, ".npy");
}

static bool is_npy(const sg_file_head *head)
{
    return STARTS(head, 0, "\x93NUMPY");
}

static bool is_matlab(const sg_file_head *head)
{
    return STARTS(head, 0, "MATLAB 5.0 MAT-file");
}

/* MATLAB writes 512 bytes of its own first. */
static bool is_hdf5(const sg_file_head *head)
{
    return STARTS(head, 0, "\x89HDF\r\n\x1a\n") || STARTS(head, 512, "\x89HDF\r\n\x1a\n");
}

/* The class of matrices, 1211216, in big-endian order. */
static bool is_petsc(const sg_file_head *head)
{
    return STARTS(head, 0, "\0\x12\x7b\x50");
}

static bool is_lfs_pointer(const sg_file_head *head)
{
    return STARTS(head, 0, "version https://git-lfs.github.com/spec/");
}

static size_t skip_blanks(const sg_file_head *head)
{
    size_t at = 0;
    while (at < head->size && memchr(" \t\r\n", head->bytes[at], 4))
        at++;
    return at;
}

static bool is_html(const sg_file_head *head)
{
    static const char *const starts[] = { "<!doctype", "<html", "<head", "<?xml" };
    size_t at = skip_blanks(head);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        size_t length = strlen(starts[i]);
        if (head->size - at >= length && !strncasecmp(head->bytes + at, starts[i], length))
            return true;
    }
    return false;
}

/* No text has zero bytes. */
static bool is_binary(const sg_file_head *head)
{
    return memchr(head->bytes, '\0', head->size) != NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct kind {
    bool (*is)(const sg_file_head *head);
    const char *what, *advice;   /* no ": " in the advice: the command follows it */
    const char *command;         /* NULL: none */
    bool takes_gzip;             /* the command reads the file as it is, too, if gzip packed it */
} kind;

#define UNPACK "decompress it and name the new file"
#define CONVERT "convert it, which needs SciPy"
#define PYTHON(code) "python3 -c \"" code "\""
#define WRITE(matrix) "scipy.io.mmwrite('FILE.mtx', " matrix ")"

/* Rows that are surer come first. */
static const kind kinds[] = {
    { is_empty, "an empty file", "get it anew", NULL, true },
    { is_marked_text, "text behind a byte-order mark of UTF-8", "cut the mark off and name the new "
      "file", "tail -c +4 <FILE >FILE.plain", false },
    { is_utf16, "text in UTF-16", "convert it and name the new file",
      "iconv -f UTF-16 -t UTF-8 <FILE >FILE.plain", false },
    { is_gzip, "compressed by gzip", UNPACK, "gzip -dc <FILE >FILE.plain", false },
    { is_bzip2, "compressed by bzip2", UNPACK, "bzip2 -dc <FILE >FILE.plain", false },
    { is_xz, "compressed by xz", UNPACK, "xz -dc <FILE >FILE.plain", false },
    { is_zstd, "compressed by zstd", UNPACK, "zstd -dc <FILE >FILE.plain", false },
    { is_tar, "a tar archive", "unpack it and name the .mtx file in it", "tar xf FILE", true },
    { is_npz, "an archive of NumPy (.npz)", "if scipy.sparse.save_npz wrote it, convert it",
      PYTHON("import scipy.io, scipy.sparse; " WRITE("scipy.sparse.load_npz('FILE')")), false },
    { is_zip, "a zip archive", "unpack it and name the .mtx file in it", "unzip FILE", false },
    { is_npy, "a dense array of NumPy (.npy)", CONVERT,
      PYTHON("import numpy, scipy.io, scipy.sparse; "
             WRITE("scipy.sparse.coo_matrix(numpy.load('FILE'))")), false },
    { is_matlab, "a MATLAB file", "convert the matrix in it, which needs SciPy",
      PYTHON("import scipy.io, scipy.sparse; m = scipy.io.loadmat('FILE'); "
             WRITE("next(filter(scipy.sparse.issparse, [m['Problem']['A'][0, 0]] if 'Problem' in m "
                   "else m.values()))")), false },
    { is_hdf5, "an HDF5 file, as MATLAB 7.3 writes", "convert the matrix in it, which needs SciPy "
      "and h5py",
      PYTHON("import h5py, scipy.io, scipy.sparse; "
             "g = h5py.File('FILE').visititems(lambda _, x: x if 'MATLAB_sparse' in x.attrs else "
             "None); " WRITE("scipy.sparse.csc_matrix((g['data'][:], g['ir'][:], g['jc'][:]), "
                             "(g.attrs['MATLAB_sparse'], len(g['jc']) - 1))")), false },
    { is_petsc, "a matrix in PETSc's binary format", CONVERT,
      PYTHON("import numpy as n, scipy.io, scipy.sparse; b = open('FILE', 'rb').read(); "
             "r, c, z = n.frombuffer(b, '>i4', 3, 4).tolist(); "
             "l, j = [n.frombuffer(b, '>i4', *w).astype(int) for w in ((r, 16), (z, 16 + 4 * r))]; "
             "v = n.frombuffer(b, '>f8', z, 16 + 4 * (r + z)).astype(float); "
             WRITE("scipy.sparse.csr_matrix((v, j, n.r_[0, l.cumsum()]), (r, c))")), false },
    { is_lfs_pointer, "a pointer of Git LFS in place of the file", "fetch the file in its "
      "repository", "git lfs pull", true },
    { is_html, "a page of HTML or XML, perhaps one that asks to log in", "open it in a browser, "
      "then get the file itself", NULL, true },
    { sg_is_harwell_boeing, "a Harwell-Boeing or Rutherford-Boeing file", CONVERT,
      PYTHON("import re, scipy.io, scipy.sparse; L = open('FILE').read().splitlines(); "
             "h = L[1].split(); t, m, n = L[2].split()[:3]; S = iter(L[4 + (h[4:5] > ['0']):]); "
             "p, i, v = [[l[q:q + int(w)] for _ in range(int(k)) for l in [next(S)] "
             "for q in range(0, len(l.rstrip()), int(w))] for k, w in zip(h[1:4], "
             "re.findall('[IDEFG]([0-9]+)', L[3].upper() + 'I1'))]; "
             WRITE("scipy.sparse.csc_matrix(([float(x.upper().replace('D', 'E')) for x in v] or "
                   "[1] * len(i), [int(x) - 1 for x in i], [int(x) - 1 for x in p]), "
                   "(int(m), int(n))), symmetry={'S': 'symmetric', 'Z': 'skew-symmetric'}"
                   ".get(t[1].upper(), 'general')")), false },
    { sg_is_dimacs, "a graph in the format of DIMACS", CONVERT,
      PYTHON("import scipy.io, scipy.sparse; L = [l.split() for l in open('FILE') if l[0] in "
             "'pae']; n = int(L[0][2]); i, j, v = zip(*[(int(l[1]) - 1, int(l[2]) - 1, "
             "float((l + [1])[3])) for l in L[1:]]); "
             WRITE("scipy.sparse.coo_matrix((v, (i, j)), (n, n))")), false },
    { sg_is_hypre, "a matrix of hypre (IJ)", "convert it, with the names of all its files in place "
      "of the last FILE; this needs SciPy",
      PYTHON("import numpy as n, scipy.io, scipy.sparse, sys; i, j, v = n.concatenate(["
             "n.loadtxt(f, skiprows=1, ndmin=2) for f in sys.argv[1:]]).T; "
             WRITE("scipy.sparse.coo_matrix((v, (i.astype(int), j.astype(int))))")) " FILE",
      false },
    { sg_is_metis, "a graph in the format of METIS", CONVERT,
      PYTHON("import scipy.io, scipy.sparse; L = [l.split() for l in open('FILE') if l[0] != '%']; "
             "n, m, f, c = map(int, L[0] + ['0', '1'][len(L[0]) - 2:]); w = 1 + f % 10; "
             "i, j, v = zip(*[(i, int(t[q]) - 1, float(([1] + t[q + 1:])[w - 1])) for i, t in "
             "enumerate(L[1:]) for q in range(f // 100 + f // 10 % 10 * c, len(t), w)]); "
             WRITE("scipy.sparse.coo_matrix((v, (i, j)), (n, n))")), false },
    { sg_is_edge_list, "a list of edges, without a banner and a size line", CONVERT,
      PYTHON("import numpy as n, scipy.io, scipy.sparse; e = n.loadtxt('FILE', int, ['#', '%'], "
             "ndmin=2); e -= e.min() > 0; "
             WRITE("scipy.sparse.coo_matrix((n.ones(len(e)), e.T), 2 * [e.max() + 1])")), false },
    { sg_is_triplets, "a list of rows, columns and values, without a banner and a size line",
      CONVERT,
      PYTHON("import numpy as n, scipy.io, scipy.sparse; t = n.loadtxt('FILE', float, ['#', '%'], "
             "ndmin=2); e = t[:, :2].astype(int).T; "
             WRITE("scipy.sparse.coo_matrix((t[:, 2], e - (e.min() > 0)))")), false },
    { sg_is_libsvm, "data in the format of LIBSVM", CONVERT,
      PYTHON("import scipy.io, scipy.sparse; i, j, v = zip(*[(i, int(w[0]) - 1, float(w[1])) "
             "for i, l in enumerate(open('FILE')) for w in (w.split(':') for w in "
             "l.split('#')[0].split()[1:]) if w[0] != 'qid']); "
             WRITE("scipy.sparse.coo_matrix((v, (i, j)))")), false },
    { is_binary, "a binary file of an unknown format", "this may tell its format", "file FILE",
      true },
};

/* Whether the first word is nearly "%%MatrixMarket". */
static bool is_nearly_matrix_market(const sg_file_head *head)
{
    static const char name[] = "MatrixMarket";
    size_t at = skip_blanks(head);
    while (at < head->size && head->bytes[at] == '%')
        at++;
    return head->size - at >= strlen(name) &&
           !strncasecmp(head->bytes + at, name, strlen(name));
}

bool sg_foreign_file(char answer[SG_FOREIGN_ANSWER], const sg_file_head *head)
{
    answer[0] = '\0';
    if (is_nearly_matrix_market(head))
        return false;
    const kind *k = kinds, *end = kinds + sizeof kinds / sizeof kinds[0];
    while (k < end && !k->is(head))
        k++;
    if (k == end)
        return false;
    bool unpack = head->is_gzip && !k->takes_gzip;
    const char *command = unpack ? "gzip -dc <FILE >FILE.plain" : k->command;
    snprintf(answer, SG_FOREIGN_ANSWER, "is %s%s, expected a Matrix Market file; %s%s%s", k->what,
             head->is_gzip ? " in gzip" : "", unpack ? UNPACK : k->advice, command ? ": " : "",
             command ? command : "");
    return true;
}
