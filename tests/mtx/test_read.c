/* Accepted files: places, order, mirrors, duplicates and counts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "bench/matrices/mtx/mtx.h"
#include "text.h"

/* Writes all entries in the order of the arrays: "0:1=5 0:2=6 3:0=7". */
static void matrix_describe(const mtx_matrix *m, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int64_t r = 0; r < m->rows; r++)
        for (int64_t k = m->row_ptr[r]; k < m->row_ptr[r + 1] && used < size; k++)
            used += (size_t)snprintf(out + used, size - used, "%s%d:%d=%g", used ? " " : "", (int)r,
                                     (int)m->col_idx[k], m->val[k]);
}

static bool reads_bytes_as(const void *bytes, size_t size, const char *expected)
{
    char found[1024];
    mtx_matrix m;
    mtx_error err;
    if (mtx_read_memory("test", bytes, size, NULL, &m, &err)) {
        diag("%s", err.text);
        return false;
    }
    matrix_describe(&m, found, sizeof found);
    bool good = !strcmp(found, expected) && m.row_ptr[0] == 0 && m.row_ptr[m.rows] == m.nnz;
    if (!good)
        diag("found %s", found);
    mtx_free(&m);
    return good;
}

static bool reads_as(const char *text, const char *expected)
{
    return reads_bytes_as(text, strlen(text), expected);
}

#define BANNER(words) "%%MatrixMarket matrix " words "\n"

static void order(void)
{
    ok(reads_as(BANNER("coordinate real general") "3 3 4\n3 1 7\n1 3 1\n1 1 2\n3 3 -4e-1\n",
                "0:2=1 0:0=2 2:0=7 2:2=-0.4"), "entries of a row keep the order of the file");
    ok(reads_as(BANNER("coordinate pattern general") "2 2 2\n2 2\n1 2\n", "0:1=1 1:1=1"),
       "entries of a pattern are 1");
    ok(reads_as(BANNER("coordinate integer symmetric") "3 3 4\n3 1 5\n2 2 9\n2 1 4\n3 3 6\n",
                "0:2=5 0:1=4 1:1=9 1:0=4 2:0=5 2:2=6"),
       "a mirror follows its entry in the order of the file");
    ok(reads_as(BANNER("coordinate real symmetric") "2 2 2\n1 2 5\n1 1 4\n", "0:1=5 0:0=4 1:0=5"),
       "a symmetric file may hold the upper triangle instead");
    ok(reads_as(BANNER("coordinate real skew-symmetric") "3 3 3\n2 1 5\n2 2 0\n3 1 -1\n",
                "0:1=-5 0:2=1 1:0=5 1:1=0 2:0=-1"),
       "a skew-symmetric mirror has the other sign, a zero diagonal none");
    ok(reads_as(BANNER("coordinate real skew-symmetric") "2 2 1\n1 2 5\n", "0:1=5 1:0=-5"),
       "a skew-symmetric file may hold the upper triangle instead");
    ok(reads_as(BANNER("coordinate real hermitian") "2 2 2\n2 1 5\n2 2 1\n", "0:1=5 1:0=5 1:1=1"),
       "a real hermitian matrix is a symmetric one");
    ok(reads_as(BANNER("coordinate pattern hermitian") "2 2 1\n2 1\n", "0:1=1 1:0=1"),
       "a hermitian pattern is a symmetric one");
}

static void arrays(void)
{
    ok(reads_as(BANNER("array real general") "2 3\n1\n2\n0\n4\n5\n6\n",
                "0:0=1 0:1=0 0:2=5 1:0=2 1:1=4 1:2=6"),
       "an array runs down its columns, zeros are kept");
    ok(reads_as(BANNER("array integer symmetric") "3 3\n1\n2\n3\n4\n5\n6\n",
                "0:0=1 0:1=2 0:2=3 1:0=2 1:1=4 1:2=5 2:0=3 2:1=5 2:2=6"),
       "a symmetric array holds the lower triangle");
    ok(reads_as(BANNER("array real skew-symmetric") "3 3\n22\n33\n44\n",
                "0:1=-22 0:2=-33 1:0=22 1:2=-44 2:0=33 2:1=44"),
       "a skew-symmetric array leaves the diagonal out");
    ok(reads_as(BANNER("array real skew-symmetric") "1 1\n", ""),
       "a skew-symmetric number is nothing");
    ok(reads_as(BANNER("array real general") "0 7\n", ""), "an array may have no rows");
}

static void layout_of_text(void)
{
    ok(reads_as("%%matrixmarket  MATRIX\tCoordinate Real GENERAL \r\n\r\n% c\r\n 2  2  2 \r\n"
                "%\r\n\r\n 1 1  1.5 \r\n\t\r\n%%\r\n2\t2\t-2\r\n\r\n% the end",
                "0:0=1.5 1:1=-2"), "CRLF, blanks, comments and cases are taken as they come");
    ok(reads_as(BANNER("coordinate real general") "1 1 1\n1 1 3", "0:0=3"),
       "the last line needs no newline");
    ok(reads_as(BANNER("coordinate real general") "0 0 0\n", ""), "a matrix may be empty");
    ok(reads_as(BANNER("coordinate real general") "3 5 0\n", ""), "a matrix may have no entries");
    ok(reads_as(BANNER("coordinate real general") "007 +7 01\n01 0000002 003\n", "0:1=3"),
       "leading zeros mean nothing");
    ok(reads_as(BANNER("coordinate real general")
                "1 4 4\n1 1 inf\n1 2 -Infinity\n1 3 NaN\n1 4 -0\n",
                "0:0=inf 0:1=-inf 0:2=nan 0:3=-0"), "inf, nan and -0 are values");
    ok(reads_as(BANNER("coordinate integer general") "1 2 2\n1 1 18446744073709551615\n1 2 -3\n",
                "0:0=1.84467e+19 0:1=-3"), "integers beyond 64 bits' sign are rounded");
}

/* Names of fields that SuiteSparse's and other programs write. */
static void other_fields(void)
{
    static const char text[] = BANNER("coordinate Unsigned-Integer general") "1 2 1\n1 2 3\n";
    mtx_matrix m;
    ok(reads_as(BANNER("coordinate double general") "1 1 1\n1 1 2.5\n", "0:0=2.5"),
       "double is real");
    ok(reads_as(BANNER("array double symmetric") "1 1\n2.5\n", "0:0=2.5"), "in arrays, too");
    ok(reads_as(text, "0:1=3"), "unsigned-integer is integer");
    if (mtx_read_memory("fields", text, strlen(text), NULL, &m, NULL) == MTX_OK) {
        ok(!strcmp(mtx_field_name(m.field), "integer"), "and is called so");
        mtx_free(&m);
    }
}

static void beyond_float(void)
{
    static const char text[] = BANNER("coordinate real symmetric")
        "3 3 6\n1 1 3.4028234e38\n2 1 inf\n% c\n2 2 -3.4028236e38\n3 1 nan\n3 2 1e300\n3 3 1\n";
    static const char one[] = BANNER("array real general") "1 1\n1e38\n";
    mtx_matrix m;
    if (!ok(mtx_read_memory("wide", text, strlen(text), NULL, &m, NULL) == MTX_OK,
            "values beyond a float are read"))
        return;
    ok(m.beyond_float == 2 && m.beyond_float_line == 6,
       "those that are finite are counted, without mirrors; the line of the first is known");
    mtx_free(&m);
    if (mtx_read_memory("narrow", one, strlen(one), NULL, &m, NULL) == MTX_OK) {
        ok(m.beyond_float == 0 && m.beyond_float_line == 0, "there may be none");
        mtx_free(&m);
    }
}

static void duplicates(void)
{
    ok(reads_as(BANNER("coordinate real general")
                "3 3 6\n1 3 1\n1 1 2\n1 3 10\n2 2 0\n1 1 20\n1 3 100\n",
                "0:2=1 0:0=2 0:2=10 0:0=20 0:2=100 1:1=0"), "duplicates are kept");
    ok(reads_as(BANNER("coordinate real symmetric") "2 2 3\n2 1 1\n2 2 4\n2 1 2\n",
                "0:1=1 0:1=2 1:0=1 1:1=4 1:0=2"), "so are their mirrors");
}

/* A multigraph has more edges than pairs of vertices. */
static void more_entries_than_places(void)
{
    static const char general[] = BANNER("coordinate pattern general")
        "2 2 6\n1 2\n1 1\n1 2\n2 2\n1 2\n1 1\n";
    static const char skew[] = BANNER("coordinate real skew-symmetric")
        "2 2 4\n2 1 1\n2 1 10\n2 1 100\n2 2 0\n";
    ok(reads_as(general, "0:1=1 0:0=1 0:1=1 0:1=1 0:0=1 1:1=1"),
       "repeated places are entries, as many as there are");
    ok(reads_as(BANNER("coordinate integer symmetric") "1 1 3\n1 1 5\n1 1 6\n1 1 7\n",
                "0:0=5 0:0=6 0:0=7"), "on the diagonal of a symmetric file");
    ok(reads_as(skew, "0:1=-1 0:1=-10 0:1=-100 1:0=1 1:0=10 1:0=100 1:1=0"),
       "beside the diagonal, each with a mirror");
}

static void facts(void)
{
    static const char text[] = BANNER("coordinate real skew-symmetric") "3 3 2\n2 1 inf\n3 2 0\n";
    mtx_matrix m;
    if (!ok(mtx_read_memory("facts", text, strlen(text), NULL, &m, NULL) == MTX_OK,
            "a skew-symmetric file is accepted"))
        return;
    ok(m.rows == 3 && m.cols == 3 && m.nnz == 4 && m.stored_entries == 2,
       "sizes are those of the file");
    ok(m.non_finite == 1 && m.explicit_zeros == 1, "mirrors are not counted");
    ok(m.text_bytes == (int64_t)strlen(text), "the length of the text is known");
    ok(!strcmp(mtx_format_name(m.format), "coordinate") &&
       !strcmp(mtx_field_name(m.field), "real") &&
       !strcmp(mtx_symmetry_name(m.symmetry), "skew-symmetric"),
       "the banner's words are known");
    mtx_free(&m);
    ok(!m.row_ptr && !m.col_idx && !m.val && m.rows == 0, "mtx_free leaves zeros");
    mtx_free(&m);
    mtx_free(NULL);
}

/* ---- against a plain reading of the same entries
 * ---------------------------------------------- */

typedef struct triplets {
    int rows, cols, count;
    mtx_symmetry symmetry;
    int32_t row[60000], col[60000];
    double val[60000];
} triplets;

static uint64_t random_state = UINT64_C(88172645463325252);

static int random_below(int most)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state >> 33) % most;
}

static void triplets_fill(triplets *t, int rows, int cols, int count, mtx_symmetry symmetry)
{
    t->rows = rows;
    t->cols = cols;
    t->count = count;
    t->symmetry = symmetry;
    for (int i = 0; i < count; i++) {
        int a = random_below(rows), b = random_below(cols);
        bool swap = symmetry != MTX_GENERAL && a < b;
        t->row[i] = swap ? b : a;
        t->col[i] = swap ? a : b;
        t->val[i] = symmetry == MTX_SKEW_SYMMETRIC && a == b ? 0 : random_below(2000) / 7.0 - 100;
    }
}

static void triplets_write(const triplets *t, text_buffer *out)
{
    text_printf(out, "%%%%MatrixMarket matrix coordinate real %s\n%d %d %d\n",
                mtx_symmetry_name(t->symmetry), t->rows, t->cols, t->count);
    for (int i = 0; i < t->count; i++) {
        text_printf(out, "%d %d %.17g\n", t->row[i] + 1, t->col[i] + 1, t->val[i]);
        if (random_below(1000) == 0)
            text_printf(out, "%% %*d\n", random_below(3000) + 1, i);
    }
}

/* Compares the entries in file order, with a cursor for each row. */
static bool triplets_match(const triplets *t, const mtx_matrix *m)
{
    int64_t *at = malloc(((size_t)t->rows + 1) * sizeof *at);
    bool good = at != NULL;
    if (good)
        memcpy(at, m->row_ptr, ((size_t)t->rows + 1) * sizeof *at);
    for (int i = 0; good && i < t->count; i++) {
        int64_t k = at[t->row[i]]++;
        good = m->col_idx[k] == t->col[i] && m->val[k] == t->val[i];
        if (!good || t->symmetry == MTX_GENERAL || t->row[i] == t->col[i])
            continue;
        k = at[t->col[i]]++;
        good = m->col_idx[k] == t->row[i] &&
               m->val[k] == (t->symmetry == MTX_SKEW_SYMMETRIC ? -t->val[i] : t->val[i]);
    }
    for (int r = 0; good && r < t->rows; r++)
        good = at[r] == m->row_ptr[r + 1];
    free(at);
    return good;
}

static void against_plain_reading(void)
{
    static const struct {
        int rows, cols, count;
        mtx_symmetry symmetry;
    } shapes[] = {
        { 1000, 1000, 50000, MTX_GENERAL }, { 1, 60000, 50000, MTX_GENERAL },
        { 60000, 1, 50000, MTX_GENERAL },   { 3, 20000, 60000, MTX_GENERAL },
        { 500, 500, 50000, MTX_SYMMETRIC }, { 400, 400, 50000, MTX_SKEW_SYMMETRIC },
        { 30, 30, 400, MTX_HERMITIAN },     { 300, 200, 60000, MTX_GENERAL },
    };
    triplets *t = malloc(sizeof *t);
    for (size_t s = 0; t && s < sizeof shapes / sizeof shapes[0]; s++) {
        text_buffer plain = { 0 }, gzip = { 0 };
        mtx_matrix m, z;
        mtx_error err = { 0 };
        triplets_fill(t, shapes[s].rows, shapes[s].cols, shapes[s].count, shapes[s].symmetry);
        triplets_write(t, &plain);
        text_add_gzip(&gzip, plain.bytes, plain.size);
        if (ok(!mtx_read_memory("plain", plain.bytes, plain.size, NULL, &m, &err),
               "shape %zu is accepted", s)) {
            ok(triplets_match(t, &m), "shape %zu: %zu bytes read as a plain reading has them", s,
               plain.size);
            if (ok(!mtx_read_memory("gzip", gzip.bytes, gzip.size, NULL, &z, &err),
                   "shape %zu is accepted as gzip", s)) {
                ok(z.nnz == m.nnz &&
                   !memcmp(z.val, m.val, (size_t)m.nnz * sizeof *m.val) &&
                   !memcmp(z.col_idx, m.col_idx, (size_t)m.nnz * sizeof *m.col_idx),
                   "shape %zu: gzip gives the same", s);
                mtx_free(&z);
            }
            mtx_free(&m);
        }
        text_free(&plain);
        text_free(&gzip);
    }
    free(t);
}

static void gzip_members(void)
{
    static const char head[] = BANNER("coordinate real general") "2 2 2\n1 1 1";
    static const char tail[] = "5\n2 2 3\n";
    text_buffer t = { 0 };
    text_add_gzip(&t, head, strlen(head));
    text_add_gzip(&t, "", 0);
    text_add_gzip(&t, tail, strlen(tail));
    ok(reads_bytes_as(t.bytes, t.size, "0:0=15 1:1=3"), "gzip members follow one another");
    text_add(&t, "\0\0\0\0\0", 5);
    ok(reads_bytes_as(t.bytes, t.size, "0:0=15 1:1=3"), "zeros may pad a gzip file");
    text_free(&t);
}

static void long_comments(void)
{
    text_buffer t = { 0 };
    text_printf(&t, "%%%%MatrixMarket matrix coordinate real general\n%%");
    for (int i = 0; i < 900; i++)
        text_printf(&t, "%1000d", i);
    text_printf(&t, "\n1 1 1\n1 1 4\n");
    ok(reads_bytes_as(t.bytes, t.size, "0:0=4"), "a comment may be longer than a buffer");
    text_free(&t);
}

int main(void)
{
    order();
    arrays();
    layout_of_text();
    other_fields();
    beyond_float();
    duplicates();
    more_entries_than_places();
    facts();
    against_plain_reading();
    gzip_members();
    long_comments();
    return tap_done();
}
