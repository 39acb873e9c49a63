/* mtx.h: reads Matrix Market files into compressed sparse rows.
 *
 *     mtx_matrix matrix;  mtx_error err;
 *     if (mtx_read("cage5.mtx.gz", NULL, &matrix, &err)) ...err.text...
 *     ...
 *     mtx_free(&matrix);
 *
 * Accepted files.
 *     Formats: coordinate and array.
 *     Values: real, integer and pattern (each entry is 1); also the names double and
 *     unsigned-integer; inf and nan.
 *     Symmetries: general, symmetric, skew-symmetric; and hermitian, which is the same as symmetric
 *     for real values.
 *     Plain text or gzip, recognised by content.
 *     Banner words in any case, CRLF, leading blanks, and blank lines and comments anywhere after
 *     the banner.
 * All other files are refused; the message states the line, the text that was found, the expected
 * text and what to do. For a file of another format it states that format, and a command that
 * converts the file (common/foreign_file.h). A file is opened once and read once from start to end,
 * so it may be a pipe.
 *
 * Order. The entries of a row are in the order of the file (array files: by column). The mirror
 * (j,i) of a symmetric entry (i,j) counts as the next entry of the file. So columns within a row
 * are sorted only if the file was sorted. Places may repeat, and then entries may outnumber places:
 * each is an entry of the matrix, and their products add.
 *
 * Numbers are correctly rounded in any locale. Integers too large for 53 bits are rounded, numbers
 * too small become denormal or zero, finite numbers too large for a double are refused.
 *
 * These functions neither print nor keep state, so any number of threads may call them.
 */
#ifndef MTX_H
#define MTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mtx_status {
    MTX_OK = 0,
    MTX_INVALID_ARGUMENT,        /* a null pointer */
    MTX_CANNOT_READ,             /* cannot be opened or read, or its compressed data are damaged */
    MTX_MALFORMED,               /* the format does not allow the text */
    MTX_UNREPRESENTABLE,         /* well formed, but complex, beyond a double, 2^31 rows ... */
    MTX_OUT_OF_MEMORY,
    MTX_DECLINED                 /* options.accepts returned false */
} mtx_status;

/* Message of a failed call: "FILE:LINE: found ..., expected ...; do ...". */
typedef struct mtx_error {
    mtx_status status;
    int64_t line;                /* of the uncompressed text, from 1; 0: the whole file */
    char text[1024];
} mtx_error;

typedef enum mtx_format { MTX_COORDINATE, MTX_ARRAY } mtx_format;
typedef enum mtx_field { MTX_REAL, MTX_INTEGER, MTX_PATTERN } mtx_field;
typedef enum mtx_symmetry {
    MTX_GENERAL, MTX_SYMMETRIC, MTX_SKEW_SYMMETRIC, MTX_HERMITIAN
} mtx_symmetry;

/* Zero-initialise for the defaults; fields are added at the end. */
typedef struct mtx_options {
    uint64_t max_bytes;          /* limit for memory in use; 0: this machine's memory */

    /* Called after the header is read, before entries are allocated. nnz has the mirrors, as if
     * the diagonal were full. False: reading ends with MTX_DECLINED. NULL: every size is
     * accepted. */
    bool (*accepts)(void *context, int64_t rows, int64_t cols, int64_t nnz);
    void *context;               /* argument of accepts */
} mtx_options;

typedef struct mtx_matrix {
    int64_t rows, cols;          /* each below 2^31 */
    int64_t nnz;                 /* with mirrors */
    int64_t *row_ptr;            /* rows + 1 offsets, row_ptr[0] == 0 */
    int32_t *col_idx;            /* nnz columns from 0; never NULL */
    double *val;                 /* nnz values; never NULL, 1 for each entry of a pattern */

    mtx_format format;
    mtx_field field;
    mtx_symmetry symmetry;
    int64_t stored_entries;      /* entries in the file, without mirrors */
    int64_t explicit_zeros;      /* stored entries of a coordinate file with value 0 */
    int64_t non_finite;          /* stored entries that are inf or nan */
    int64_t beyond_float;        /* stored entries that are finite, but inf as a float */
    int64_t beyond_float_line;   /* line of the first of these; 0: none */
    int64_t text_bytes;          /* size of the uncompressed file */
} mtx_matrix;

/* Reads a file, or standard input if path is "-". options and err may be NULL. On failure *out is
 * all zero and nothing is leaked. Peak memory is below 2.5 times the size of the rows, plus about
 * 1 MiB. */
mtx_status mtx_read(const char *path, const mtx_options *options, mtx_matrix *out, mtx_error *err);

/* Reads `size` bytes (plain or gzip) as a file of this name. */
mtx_status mtx_read_memory(const char *name, const void *bytes, size_t size,
                           const mtx_options *options, mtx_matrix *out, mtx_error *err);

/* Frees the arrays and zeroes the members. The matrix may be all zero or NULL. */
void mtx_free(mtx_matrix *matrix);

/* The name of a path in messages: "standard input" for "-", else the path. */
const char *mtx_path_name(const char *path);

/* The banner's words: "coordinate", "real", "skew-symmetric". */
const char *mtx_format_name(mtx_format format);
const char *mtx_field_name(mtx_field field);
const char *mtx_symmetry_name(mtx_symmetry symmetry);

#ifdef __cplusplus
}
#endif
#endif
