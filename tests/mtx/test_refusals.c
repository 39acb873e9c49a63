/* Refused files: the status, the line and the words of the message. */
#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "bench/matrices/mtx/mtx.h"
#include "text.h"

#define BANNER(words) "%%MatrixMarket matrix " words "\n"
#define GENERAL BANNER("coordinate real general")
#define INTEGER BANNER("coordinate integer general")
#define PATTERN BANNER("coordinate pattern general")
#define SYMMETRIC BANNER("coordinate real symmetric")
#define SKEW BANNER("coordinate real skew-symmetric")
#define ARRAY BANNER("array real general")

typedef struct refusal {
    const char *bytes;
    int status;
    int line;
    const char *words;           /* part of the message after FILE:LINE: */
} refusal;

enum { BAD = MTX_MALFORMED, BEYOND = MTX_UNREPRESENTABLE };

static const refusal refusals[] = {
    { "", BAD, 0, "is an empty file, expected a Matrix Market file; get it anew" },
    { "\n", BAD, 1, "banner has fewer than 5 words" },
    { "3 3 1\n1 1 1\n", BAD, 1, "banner has fewer than 5 words: '3 3 1'" },
    { BANNER("coordinate real general x") "1 1 0\n", BAD, 1, "banner has more than 5" },
    { "%MatrixMarket matrix coordinate real general\n", BAD, 1, "bad banner '%MatrixM" },
    { "%%MatrixMarket vector coordinate real general\n", BAD, 1, "bad object 'vector'" },
    { BANNER("sparse real general"), BAD, 1, "bad format 'sparse', expected 'coordi" },
    { BANNER("array float general"), BAD, 1, "bad field 'float', expected 'real'" },
    { BANNER("array unsigned general"), BAD, 1, "bad field 'unsigned', expected 'real'" },
    { BANNER("array real lower"), BAD, 1, "bad symmetry 'lower', expected 'general'" },
    { BANNER("array complex general"), BEYOND, 1, "field 'complex', expected real" },
    { BANNER("coordinate complex hermitian"), BEYOND, 1, "complex matrices are not" },
    { BANNER("array pattern general"), BAD, 1, "an array of field 'pattern'" },
    { BANNER("coordinate pattern skew-symmetric"), BAD, 1, "a skew-symmetric pattern" },

    { GENERAL, BAD, 1, "no size line" },
    { GENERAL "% c\n\n", BAD, 3, "no size line" },
    { GENERAL "%\n2 2\n", BAD, 3, "bad size line '2 2', expected 'ROWS COLS ENTRIES'" },
    { GENERAL "2 2 2 2\n", BAD, 2, "bad size line '2 2 2 2'" },
    { GENERAL "2 2 2.0\n", BAD, 2, "bad size line '2 2 2.0'" },
    { GENERAL "2 x 2\n", BAD, 2, "bad size line '2 x 2'" },
    { GENERAL "2 - 2\n", BAD, 2, "bad size line '2 - 2'" },
    { ARRAY "2 2 4\n", BAD, 2, "bad size line '2 2 4', expected 'ROWS COLS'" },
    { GENERAL "-2 2 1\n", BAD, 2, "negative size '-2 2 1'" },
    { GENERAL "2 2 -1\n", BAD, 2, "negative size '2 2 -1'" },
    { GENERAL "2147483648 1 0\n", BEYOND, 2, "expected fewer than 2^31 rows" },
    { GENERAL "1 99999999999999999999999 0\n", BEYOND, 2, "expected fewer than 2^31" },
    { GENERAL "2 3 7\n", BAD, 2, "the file ends after 0 entries, expected 7 as line 2" },
    { SYMMETRIC "3 3 11\n1 1 1\n", BAD, 2,
      "11 entries by the size '3 3 11', expected at most 10 in a file of 61 bytes; it may be cut" },
    { PATTERN "3 3 16\n1 1\n", BAD, 2, "expected at most 15 in a file of 60 bytes" },
    { ARRAY "5 5\n1\n", BAD, 2, "25 entries by the size '5 5', expected at most 23" },
    { GENERAL "9 9 99999999999999999999999\n", BAD, 2, "9223372036854775798 entries by the size" },
    { SYMMETRIC "3 4 1\n1 1 1\n", BAD, 2, "size '3 4 1' of a symmetric matrix" },
    { SKEW "4 3 1\n1 1 1\n", BAD, 2, "of a skew-symmetric matrix" },

    { GENERAL "2 2 1\n0 1 1\n", BAD, 3, "index out of range: row number '0', expected 1 to 2" },
    { GENERAL "2 2 1\n\n%\n3 1 1\n", BAD, 5, "row number '3', expected 1 to 2" },
    { GENERAL "2 9 1\n2 10 1\n", BAD, 3, "column number '10', expected 1 to 9" },
    { GENERAL "2 2 1\n-1 1 1\n", BAD, 3, "row number '-1', expected 1 to 2" },
    { GENERAL "2 2 1\n1 18446744073709551617 1\n", BAD, 3, "index out of range: column" },
    { GENERAL "2 2 1\n1 4294967297 1\n", BAD, 3, "index out of range: column" },
    { GENERAL "2 2 1\n0000000000000000000001 1 1\n", BAD, 3, "bad index: found '00000" },
    { GENERAL "2 2 1\n1.0 1 1\n", BAD, 3, "bad index: found '1.0', expected a row" },
    { GENERAL "2 2 1\n1 - 1\n", BAD, 3, "bad index: found '-', expected a column" },
    { GENERAL "2 2 1\n1 one 1\n", BAD, 3, "bad index: found 'one', expected a column" },
    { GENERAL "2 2 1\n1\n", BAD, 3, "bad index: found the end of the line" },
    { GENERAL "2 2 1\n1,1,1\n", BAD, 3, "bad index: found '1,1,1'" },
    { GENERAL "2 2 1\n1 1\n", BAD, 3, "bad value: found the end of the line" },
    { GENERAL "2 2 1\n1 1 forty-two\n", BAD, 3, "bad value: found 'forty-two'" },
    { GENERAL "2 2 1\n1 1 0x1p3\n", BAD, 3, "bad value: found '0x1p3'" },
    { GENERAL "2 2 1\n1 1 1D3\n", BAD, 3,
      "bad value: found '1D3', whose exponent is written as in Fortran, expected '1e3'" },
    { GENERAL "2 2 1\n1 1 -.5d+03\n", BAD, 3, "as in Fortran, expected '-.5e+03'; write an e" },
    { GENERAL "2 2 1\n1 1 1.25q-7\n", BAD, 3, "as in Fortran, expected '1.25e-7'" },
    { GENERAL "2 2 1\n1 1 1.25-103\n", BAD, 3, "as in Fortran, expected '1.25e-103'" },
    { GENERAL "2 2 1\n1 1 1d\n", BAD, 3, "bad value: found '1d', expected a number such as" },
    { GENERAL "2 2 1\n1 1 d5\n", BAD, 3, "bad value: found 'd5', expected a number such as" },
    { GENERAL "2 2 1\n1 1 1d5x\n", BAD, 3, "bad value: found '1d5x', expected a number" },
    { INTEGER "2 2 1\n1 1 1d5\n", BAD, 3, "bad value: found '1d5', expected an integer" },
    { BANNER("coordinate unsigned-integer general") "2 2 1\n1 1 1.5\n", BAD, 3,
      "bad value: found '1.5', expected an integer" },
    { GENERAL "2 2 1\n1 1 1,5\n", BAD, 3, "bad value: found '1,5'" },
    { GENERAL "2 2 1\n1 1 \x01\xff\n", BAD, 3, "bad value: found '\\x01\\xff'" },
    { GENERAL "2 2 1\n1 1 1 % note\n", BAD, 3, "trailing data: found '%', expected the end" },
    { GENERAL "2 2 1\n1 1 1 0\n", BAD, 3, "trailing data: found '0'" },
    { PATTERN "2 2 1\n1 1 1\n", BAD, 3, "trailing data: found '1', expected the end" },
    { INTEGER "2 2 1\n1 1 1.5\n", BAD, 3, "bad value: found '1.5', expected an integer" },
    { INTEGER "2 2 1\n1 1 inf\n", BAD, 3, "bad value: found 'inf', expected an integer" },
    { GENERAL "2 2 1\n1 1 1e309\n", BEYOND, 3, "value '1e309' is too large for a 64-bit" },
    { GENERAL "2 2 1\n1 1 -1.8e308\n", BEYOND, 3, "value '-1.8e308' is too large" },
    { ARRAY "2 1\n1 2\n", BAD, 3, "trailing data: found '2', expected the end of the line" },
    { ARRAY "2 1\n1\nx\n", BAD, 4, "bad value: found 'x'" },

    { SYMMETRIC "3 3 2\n2 1 1\n1 3 1\n", BAD, 4, "entry (1,3) above or below the diagonal" },
    { SYMMETRIC "3 3 2\n1 2 1\n3 1 1\n", BAD, 4, "expected one triangle of a symmetric" },
    { SKEW "3 3 2\n2 1 1\n2 2 5\n", BAD, 4, "a value other than 0 on the diagonal at (2,2)" },
    { SKEW "3 3 1\n2 2 nan\n", BAD, 3, "a value other than 0 on the diagonal" },

    { GENERAL "2 2 2\n1 1 1\n", BAD, 3, "the file ends after 1 entries, expected 2 as line 2" },
    { GENERAL "2 2 2\n1 1 1\n%\n\n", BAD, 5, "the file ends after 1 entries" },
    { GENERAL "2 2 2\n", BAD, 2, "the file ends after 0 entries" },
    { GENERAL "2 2 1\n1 1 1\n2 2 2\n", BAD, 4, "trailing data '2' after 1 entries" },
    { GENERAL "2 2 1\n1 1 1\n\n% c\nend\n", BAD, 6, "trailing data 'end' after 1 entries" },
    { GENERAL "2 2 0\n1 1 1\n", BAD, 3, "trailing data '1' after 0 entries" },
    { ARRAY "1 2\n1\n2\n3\n", BAD, 5, "trailing data '3' after 2 entries" },
    { ARRAY "2 2\n1\n2\n3\n", BAD, 5, "the file ends after 3 entries, expected 4" },
    { BANNER("array real symmetric") "2 2\n1\n2\n3\n4\n", BAD, 6, "trailing data '4'" },
};

static bool is_refused(const char *name, const void *bytes, size_t size, mtx_status status,
                       int line, const char *words)
{
    char where[64];
    mtx_matrix m;
    mtx_error err = { 0 };
    memset(&m, 0x55, sizeof m);
    mtx_status found = mtx_read_memory(name, bytes, size, NULL, &m, &err);
    int length = line ? snprintf(where, sizeof where, "%s:%d: ", name, line)
                      : snprintf(where, sizeof where, "%s: ", name);
    bool good = found == status && err.status == status && err.line == line &&
                !strncmp(err.text, where, (size_t)length) && strstr(err.text, words) &&
                strchr(err.text, ';') && !m.row_ptr && !m.col_idx && !m.val && m.rows == 0;
    if (!good)
        diag("status %d, expected %d: %s", (int)found, (int)status, err.text);
    mtx_free(&m);
    return good;
}

static void table(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const refusal *r = &refusals[i];
        ok(is_refused("a.mtx", r->bytes, strlen(r->bytes), (mtx_status)r->status, r->line,
                      r->words),
           "refused at line %d: %s", r->line, r->words);
    }
    int bad = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const refusal *r = &refusals[i];
        mtx_matrix m;
        bad += (int)mtx_read_memory("a.mtx", r->bytes, strlen(r->bytes), NULL, &m, NULL) !=
               r->status;
    }
    ok(bad == 0, "an mtx_error may be left out");
}

static void nul_bytes(void)
{
    static const char in_value[] = GENERAL "1 1 1\n1 1 1\0\n";
    static const char behind[] = GENERAL "1 1 1\n1 1 1\n\0\0\0\0";
    ok(is_refused("a.mtx", in_value, sizeof in_value - 1, MTX_MALFORMED, 3, "found '1\\x00'"),
       "a zero byte in a number is refused");
    ok(is_refused("a.mtx", behind, sizeof behind - 1, MTX_MALFORMED, 4, "trailing data '\\x00"),
       "zero bytes behind the data are refused");
}

/* Of each way to recognise a format one; tests/python/test_foreign.py has all. */
static void foreign_files(void)
{
    static const struct {
        const char *bytes, *words;
    } cases[] = {
        { "# SNAP\n0 1\n1 2\n", "is a list of edges, without a banner and a size line, expected a "
          "Matrix Market file; convert it, which needs SciPy: python3 -c \"import" },
        { "\n <HTML><p>log in\n", "is a page of HTML or XML, perhaps one that asks to log in" },
        { "4 4\n2 4\n1 3\n2 4\n1 3\n", "is a graph in the format of METIS" },
        { "\xef\xbb\xbf" GENERAL "1 1 1\n1 1 1\n", "is text behind a byte-order mark of UTF-8" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(is_refused("a.mtx", cases[i].bytes, strlen(cases[i].bytes), MTX_MALFORMED, 0,
                      cases[i].words), "a foreign file %s", cases[i].words);

    enum { HEADER = 512, MAGIC = 257, NO_LINES = 3 << 20 };
    static char bytes[NO_LINES];
    memcpy(bytes, "a.mtx", 5);
    memcpy(bytes + MAGIC, "ustar", 5);
    ok(is_refused("a", bytes, HEADER, MTX_MALFORMED, 0, "is a tar archive, expected"),
       "a tar archive");
    ok(is_refused("a", bytes, NO_LINES, MTX_MALFORMED, 0, "is a tar archive, expected"),
       "without a newline in a megabyte");
    text_buffer t = { 0 };
    text_add_gzip(&t, bytes, HEADER);
    ok(is_refused("a.tgz", t.bytes, t.size, MTX_MALFORMED, 0, "is a tar archive in gzip"),
       "in gzip");
    ok(is_refused("a.tgz", t.bytes, t.size - 9, MTX_CANNOT_READ, 0, "end early"),
       "gzip that is damaged comes first");
    memset(bytes, '7', NO_LINES);
    ok(is_refused("a", bytes, NO_LINES, MTX_MALFORMED, 1, "a line of more than 1048576 bytes"),
       "text without lines is of no known format");
    text_free(&t);
}

static void damaged_gzip(void)
{
    static const char text[] = GENERAL "2 2 2\n1 1 1\n2 2 2\n";
    text_buffer t = { 0 };
    text_add_gzip(&t, text, strlen(text));
    int bad = 0;
    for (size_t size = 2; size < t.size; size++)
        bad += !is_refused("a.gz", t.bytes, size, MTX_CANNOT_READ, 0, "compressed data end early");
    ok(bad == 0, "a gzip file cut anywhere is refused");
    ok(is_refused("a.gz", "\x1f\x8b", 2, MTX_CANNOT_READ, 0, "end early"),
       "a bare gzip magic is refused");
    ok(is_refused("a.gz", "\x1f\x8bgarbage!", 10, MTX_CANNOT_READ, 0, "expected gzip data"),
       "garbage behind a gzip magic is refused");
    t.bytes[t.size - 6] ^= 1;
    ok(is_refused("a.gz", t.bytes, t.size, MTX_CANNOT_READ, 0, "expected gzip data"),
       "a wrong checksum is refused");
    t.bytes[t.size - 6] ^= 1;
    text_add(&t, "more", 4);
    ok(is_refused("a.gz", t.bytes, t.size, MTX_CANNOT_READ, 0, "garbage follows"),
       "garbage behind the compressed data is refused");
    text_free(&t);

    text_buffer inner = { 0 };
    text_add_gzip(&inner, GENERAL "x\n", strlen(GENERAL "x\n"));
    ok(is_refused("a.gz", inner.bytes, inner.size, MTX_MALFORMED, 2, "bad size line 'x'"),
       "lines of a gzip file are those of its text");
    text_free(&inner);
}

static void long_names_and_lines(void)
{
    char name[2000];
    mtx_matrix m;
    mtx_error err;
    memset(name, 'x', sizeof name);
    strcpy(name + sizeof name - 6, "z.mtx");
    ok(mtx_read_memory(name, "1\n", 2, NULL, &m, &err) == MTX_MALFORMED &&
       strstr(err.text, "xz.mtx:1: banner has fewer") && strstr(err.text, "correct the first line"),
       "a long name leaves room for the message");

    text_buffer t = { 0 };
    text_printf(&t, "%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ");
    for (int i = 0; i < 1100; i++)
        text_printf(&t, "%01000d", 0);
    ok(is_refused("a.mtx", t.bytes, t.size, MTX_MALFORMED, 3, "a line of more than 1048576 bytes"),
       "a line without end is refused");
    text_free(&t);
}

static void arguments(void)
{
    mtx_matrix m;
    mtx_error err;
    ok(mtx_read(NULL, NULL, &m, &err) == MTX_INVALID_ARGUMENT, "a missing path is refused");
    ok(mtx_read("x", NULL, NULL, &err) == MTX_INVALID_ARGUMENT, "a missing matrix is refused");
    ok(mtx_read_memory("x", NULL, 5, NULL, &m, &err) == MTX_INVALID_ARGUMENT,
       "missing bytes are refused");
    ok(mtx_read_memory("x", NULL, 0, NULL, &m, &err) == MTX_MALFORMED,
       "no bytes are an empty file");
}

int main(void)
{
    table();
    nul_bytes();
    foreign_files();
    damaged_gzip();
    long_names_and_lines();
    arguments();
    return tap_done();
}
