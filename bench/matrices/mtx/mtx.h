/* mtx.h: reads Matrix Market files into compressed sparse rows.
 *
 *     mtx_matrix matrix;  mtx_error err;
 *     if (mtx_read("cage5.mtx.gz", NULL, &matrix, &err)) ...err.text...
 *     ...
 *     mtx_free(&matrix);
 *
 * What is read. Coordinate and array files; real, integer and pattern (each entry 1) values, the
 * first two also by the names double and unsigned-integer; general, symmetric, skew-symmetric and,
 * for values that are not complex, hermitian (the same as symmetric). Plain text or gzip, told
 * apart by content. Banner words in any case, CRLF, leading blanks, blank lines and comment lines
 * anywhere after the banner, inf and nan as values.
 * Everything else is refused with the line, what stands there, what was expected and what to do.
 * A file is opened once and read once, from its start to its end, so it may be a pipe.
 *
 * Order. The entries of a row stand in the order of the file (of an array file: by column). The
 * mirror (j,i) of a symmetric entry (i,j) takes its place as if it followed (i,j) in the file.
 * Columns within a row are therefore sorted only if the file was. Summed duplicates stand where
 * the first of them stood and are added in file order.
 *
 * Numbers are correctly rounded, whatever the locale. Integers too large for 53 bits are rounded,
 * numbers too small become denormal or zero, finite numbers too large for a double are refused.
 *
 * Nothing here prints, keeps state between calls or shares any: calls may run at once.
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
    MTX_MALFORMED,               /* not what the format allows */
    MTX_UNREPRESENTABLE,         /* well formed, but complex, beyond a double, 2^31 rows ... */
    MTX_OUT_OF_MEMORY,
    MTX_DECLINED                 /* by options.accepts */
} mtx_status;

/* What a failed call has to say: "FILE:LINE: found ..., expected ...; do ...". */
typedef struct mtx_error {
    mtx_status status;
    int64_t line;                /* of the uncompressed text, from 1; 0: the whole file */
    char text[512];
} mtx_error;

typedef enum mtx_format { MTX_COORDINATE, MTX_ARRAY } mtx_format;
typedef enum mtx_field { MTX_REAL, MTX_INTEGER, MTX_PATTERN } mtx_field;
typedef enum mtx_symmetry {
    MTX_GENERAL, MTX_SYMMETRIC, MTX_SKEW_SYMMETRIC, MTX_HERMITIAN
} mtx_symmetry;

/* Zero-initialise for the defaults; fields are added at the end. */
typedef struct mtx_options {
    bool sum_duplicates;         /* one entry for all of the same place; else all are kept */
    uint64_t max_bytes;          /* refuse what needs more at once; 0: this machine's memory */

    /* Called once the header is read, before room for entries is made. False: nothing more is read,
     * and the call ends with MTX_DECLINED. NULL: every size is accepted. */
    bool (*accepts)(void *context, int64_t rows, int64_t cols, int64_t entries);
    void *context;               /* of accepts */
} mtx_options;

typedef struct mtx_matrix {
    int64_t rows, cols;          /* each below 2^31 */
    int64_t nnz;                 /* mirrors included, duplicates as the options say */
    int64_t *row_ptr;            /* rows + 1 offsets, row_ptr[0] == 0 */
    int32_t *col_idx;            /* nnz columns from 0; never NULL */
    double *val;                 /* nnz values; never NULL, 1 for each entry of a pattern */

    mtx_format format;
    mtx_field field;
    mtx_symmetry symmetry;
    int64_t stored_entries;      /* in the file, mirrors not counted */
    int64_t duplicates;          /* stored entries whose place an earlier one has taken */
    int64_t explicit_zeros;      /* stored entries of a coordinate file with value 0 */
    int64_t non_finite;          /* stored entries that are inf or nan */
    int64_t beyond_float;        /* stored entries that are finite, but inf as a float */
    int64_t beyond_float_line;   /* of the first of those; 0: there is none */
    int64_t text_bytes;          /* of the uncompressed file */
} mtx_matrix;

/* Reads a file, or standard input where path is "-". options may be NULL for the defaults, err may
 * be NULL. On failure *out is all zero and nothing is leaked. Peak memory stays below 2.5 times
 * that of the rows (before duplicates are summed), plus about 1 MiB. */
mtx_status mtx_read(const char *path, const mtx_options *options, mtx_matrix *out, mtx_error *err);

/* Reads `size` bytes (plain or gzip) as if they were a file of this name. */
mtx_status mtx_read_memory(const char *name, const void *bytes, size_t size,
                           const mtx_options *options, mtx_matrix *out, mtx_error *err);

/* Frees the arrays and zeroes the rest; an all-zero matrix and NULL are fine. */
void mtx_free(mtx_matrix *matrix);

/* What messages call a path: "standard input" for "-", else the path itself. */
const char *mtx_path_name(const char *path);

/* The word of the banner: "coordinate", "real", "skew-symmetric". */
const char *mtx_format_name(mtx_format format);
const char *mtx_field_name(mtx_field field);
const char *mtx_symmetry_name(mtx_symmetry symmetry);

#ifdef __cplusplus
}
#endif
#endif
