/* mtx_explain.c: explains refused lines. See mtx_explain.h. */
#include "bench/matrices/mtx/mtx_explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/matrices/mtx/mtx_scan.h"

typedef struct place {
    const mtx_report *report;
    int64_t line;
    const char *p;               /* how far the line was parsed */
    char quote[MTX_QUOTE_SIZE];
} place;

static const char *word_quote(place *at, const char *begin)
{
    return begin == mtx_scan_word_end(begin)
               ? "the end of the line"
               : mtx_report_quote(at->quote, begin, mtx_scan_word_end(begin));
}

/* Explains a row or column number that must be within [1, most]. */
static mtx_status index_explain(place *at, const char *what, int64_t most, int64_t *out)
{
    const char *begin = at->p = mtx_scan_blanks(at->p);
    const char *end = mtx_scan_word_end(begin);
    const char *digits = begin + (*begin == '-');
    int64_t value = 0;
    bool is_integer = digits < end;
    for (const char *p = digits; p < end && is_integer; p++) {
        is_integer = mtx_scan_is_digit(*p);
        if (is_integer && value <= INT32_MAX)
            value = value * 10 + (*p - '0');
    }
    /* The fast path reads 18 digits; a longer index is out of range or has leading zeros. */
    if (!is_integer || (value > 0 && value <= most && digits == begin && end - begin > 18))
        return mtx_report_fail(at->report, MTX_MALFORMED, at->line,
                               "bad index: found %s, expected a %s number from 1 to %" PRId64
                               "; correct the line", word_quote(at, begin), what, most);
    if (digits > begin || value < 1 || value > most)
        return mtx_report_fail(at->report, MTX_MALFORMED, at->line,
                               "index out of range: %s number %s, expected 1 to %" PRId64
                               "; correct the line or the size line", what, word_quote(at, begin),
                               most);
    *out = value;
    at->p = end;
    return MTX_OK;
}

/* Finds the letter or sign in [begin, end) that begins a Fortran exponent: 1d5, 1.5D-3, 2q9, and
 * 1.5-103, where three digits left no room for the letter. NULL: the word is no Fortran number. */
static const char *fortran_exponent(const char *begin, const char *end)
{
    const char *p = begin + (*begin == '-' || *begin == '+');
    int digits = 0;
    for (; mtx_scan_is_digit(*p) || *p == '.'; p++)
        digits += *p != '.';
    const char *exponent = p;
    if (digits == 0 || p == end || !strchr("dDqQ+-", *p))
        return NULL;
    p += *p != '+' && *p != '-';
    p += *p == '+' || *p == '-';
    if (!mtx_scan_is_digit(*p))
        return NULL;
    while (mtx_scan_is_digit(*p))
        p++;
    return p == end ? exponent : NULL;
}

static mtx_status fortran_explain(place *at, const char *begin, const char *exponent)
{
    char wanted[MTX_QUOTE_SIZE], text[MTX_QUOTE_SIZE];
    const char *end = mtx_scan_word_end(begin);
    const char *digits = exponent + (*exponent != '+' && *exponent != '-');
    snprintf(text, sizeof text, "%.*se%.*s", (int)(exponent - begin), begin, (int)(end - digits),
             digits);
    return mtx_report_fail(at->report, MTX_MALFORMED, at->line,
                           "bad value: found %s, whose exponent is written as in Fortran, expected "
                           "%s; write an e in front of the exponents of this file",
                           mtx_report_quote(at->quote, begin, end),
                           mtx_report_quote(wanted, text, text + strlen(text)));
}

static mtx_status value_explain(place *at, const mtx_decimal *decimal, mtx_field field, double *out)
{
    const char *begin = at->p = mtx_scan_blanks(at->p);
    mtx_number kind = mtx_decimal_read(decimal, &at->p, out);
    if (kind == MTX_NUMBER_TOO_LARGE)
        return mtx_report_fail(at->report, MTX_UNREPRESENTABLE, at->line,
                               "value %s is too large for a 64-bit float, expected a magnitude "
                               "below 1.8e308; scale the matrix", word_quote(at, begin));
    const char *exponent = kind == MTX_NUMBER_NONE && field == MTX_REAL
        ? fortran_exponent(begin, mtx_scan_word_end(begin)) : NULL;
    if (exponent)
        return fortran_explain(at, begin, exponent);
    if (kind == MTX_NUMBER_NONE || (field == MTX_INTEGER && kind != MTX_NUMBER_INTEGER))
        return mtx_report_fail(at->report, MTX_MALFORMED, at->line,
                               "bad value: found %s, expected %s; correct the line",
                               word_quote(at, begin),
                               field == MTX_INTEGER ? "an integer as the banner says"
                                                    : "a number such as -1.5e-3");
    return MTX_OK;
}

static mtx_status triangle_explain(const place *at, const mtx_header *header, int64_t row,
                                   int64_t col)
{
    if (row == col)
        return mtx_report_fail(at->report, MTX_MALFORMED, at->line,
                               "a value other than 0 on the diagonal at (%" PRId64 ",%" PRId64 "), "
                               "expected none in a skew-symmetric matrix; correct the line or the "
                               "banner", row, col);
    return mtx_report_fail(at->report, MTX_MALFORMED, at->line,
                           "entry (%" PRId64 ",%" PRId64 ") above or below the diagonal, where "
                           "earlier entries were on its other side, expected one triangle of a %s "
                           "matrix; drop the other, or make the banner general", row, col,
                           mtx_symmetry_name(header->symmetry));
}

mtx_status mtx_explain(const mtx_report *report, const mtx_decimal *decimal,
                       const mtx_header *header, const mtx_tally *tally, const char *text,
                       int64_t line)
{
    place at = { .report = report, .line = line, .p = text };
    mtx_status status = MTX_OK;
    int64_t row = 0, col = 0;
    double value;
    if (tally->stored == header->entries)
        return mtx_report_fail(report, MTX_MALFORMED, line,
                               "trailing data %s after %" PRId64 " entries, expected the end of "
                               "the file as line %" PRId64 " says; drop it or correct that line",
                               word_quote(&at, mtx_scan_blanks(text)), header->entries,
                               header->size_line);
    if (header->format == MTX_COORDINATE) {
        status = index_explain(&at, "row", header->rows, &row);
        if (!status)
            status = index_explain(&at, "column", header->cols, &col);
    }
    if (!status && header->field != MTX_PATTERN)
        status = value_explain(&at, decimal, header->field, &value);
    if (status)
        return status;
    const char *rest = mtx_scan_blanks(at.p);
    if (*rest != '\n')
        return mtx_report_fail(report, MTX_MALFORMED, line,
                               "trailing data: found %s, expected the end of the line after %s; "
                               "drop it or correct the banner", word_quote(&at, rest),
                               header->field == MTX_PATTERN ? "two indices" : "one value");
    return triangle_explain(&at, header, row, col);
}
