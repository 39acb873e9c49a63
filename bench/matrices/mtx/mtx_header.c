/* mtx_header.c: the banner and the size line. See mtx_header.h. */
#define _POSIX_C_SOURCE 200809L
#include "bench/matrices/mtx/mtx_header.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "bench/matrices/mtx/mtx_scan.h"

enum { WORDS_MAX = 6, COMPLEX = -1 };

typedef struct word {
    const char *begin, *end;
} word;

/* A line without its newline, as words; WORDS_MAX stands for that number or more. */
typedef struct line {
    const char *begin, *end;
    int64_t number;
    int word_count;
    word word[WORDS_MAX];
} line;

/* Messages show the first name of a value. */
typedef struct name {
    const char *text;
    int value;
} name;

static const name format_names[] = {
    { "coordinate", MTX_COORDINATE }, { "array", MTX_ARRAY }, { NULL, 0 }
};
static const name field_names[] = {
    { "real", MTX_REAL }, { "integer", MTX_INTEGER }, { "pattern", MTX_PATTERN },
    { "complex", COMPLEX }, { "double", MTX_REAL }, { "unsigned-integer", MTX_INTEGER }, { NULL, 0 }
};
static const name symmetry_names[] = {
    { "general", MTX_GENERAL }, { "symmetric", MTX_SYMMETRIC },
    { "skew-symmetric", MTX_SKEW_SYMMETRIC }, { "hermitian", MTX_HERMITIAN }, { NULL, 0 }
};
static const name object_names[] = { { "matrix", 0 }, { NULL, 0 } };
static const name banner_names[] = { { "%%MatrixMarket", 0 }, { NULL, 0 } };

/* The words of a banner in their order. */
static const struct {
    const char *what, *expected;
    const name *names;
} banner[] = {
    { "banner", "'%%MatrixMarket'", banner_names },
    { "object", "'matrix'", object_names },
    { "format", "'coordinate' or 'array'", format_names },
    { "field", "'real', 'integer' or 'pattern'", field_names },
    { "symmetry", "'general', 'symmetric', 'skew-symmetric' or 'hermitian'", symmetry_names },
};
enum { BANNER_WORDS = sizeof banner / sizeof banner[0] };

static const char *name_text(const name *names, int value)
{
    for (; names->text; names++)
        if (names->value == value)
            return names->text;
    return "?";
}

const char *mtx_format_name(mtx_format format)
{
    return name_text(format_names, (int)format);
}

const char *mtx_field_name(mtx_field field)
{
    return name_text(field_names, (int)field);
}

const char *mtx_symmetry_name(mtx_symmetry symmetry)
{
    return name_text(symmetry_names, (int)symmetry);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void line_split(line *out)
{
    out->word_count = 0;
    const char *p = mtx_scan_blanks(out->begin);
    while (*p != '\n' && out->word_count < WORDS_MAX) {
        word *w = &out->word[out->word_count++];
        w->begin = p;
        w->end = mtx_scan_word_end(p);
        p = mtx_scan_blanks(w->end);
    }
}

/* At the end of the file begin is NULL, and number is the number of the last line. */
static mtx_status line_next(mtx_input *input, mtx_lines *lines, line *out)
{
    *out = (line){ .number = lines->number };
    if (lines->next == lines->end) {
        mtx_status status = mtx_input_next(input, lines);
        if (status)
            return status;
    }
    if (lines->next == lines->end) {
        out->number = lines->number > 1 ? lines->number - 1 : 1;
        return MTX_OK;
    }
    out->begin = lines->next;
    out->end = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
    lines->next = out->end + 1;
    lines->number++;
    line_split(out);
    return MTX_OK;
}

/* ---- the banner ------------------------------------------------------------------------------ */

static const name *name_find(const name *names, word w)
{
    size_t length = (size_t)(w.end - w.begin);
    for (; names->text; names++)
        if (strlen(names->text) == length && !strncasecmp(names->text, w.begin, length))
            return names;
    return NULL;
}

/* Refuses combinations of words that are valid by themselves. */
static mtx_status banner_check(const mtx_report *report, int field, const mtx_header *header)
{
    if (field == COMPLEX)
        return mtx_report_fail(report, MTX_UNREPRESENTABLE, 1,
                               "field 'complex', expected real, integer or pattern values; complex "
                               "matrices are not supported: convert the file to its real part");
    if (header->field == MTX_PATTERN && header->format == MTX_ARRAY)
        return mtx_report_fail(report, MTX_MALFORMED, 1,
                               "an array of field 'pattern', expected values in an array; correct "
                               "the banner");
    if (header->field == MTX_PATTERN && header->symmetry == MTX_SKEW_SYMMETRIC)
        return mtx_report_fail(report, MTX_MALFORMED, 1,
                               "a skew-symmetric pattern, expected 'general' or 'symmetric' since "
                               "a pattern has no signs; correct the banner");
    return MTX_OK;
}

/* Whether the first line begins as a banner. If it does not, reports that the file has another
 * format, unless its format is unknown. A file of another format may have no lines. */
static mtx_status foreign_check(mtx_input *input, const mtx_report *report, const line *l,
                                mtx_status status)
{
    char answer[SG_FOREIGN_ANSWER];
    if (l->word_count > 0 && name_find(banner_names, l->word[0]))
        return status;
    sg_file_head head = mtx_input_head(input);
    return sg_foreign_file(answer, &head) ? mtx_report_fail(report, MTX_MALFORMED, 0, "%s", answer)
                                          : status;
}

static mtx_status banner_read(mtx_input *input, const mtx_report *report, mtx_lines *lines,
                              mtx_header *out)
{
    char quote[MTX_QUOTE_SIZE];
    int value[BANNER_WORDS];
    line l;
    mtx_status status = line_next(input, lines, &l);
    if (!status || status == MTX_MALFORMED)
        status = foreign_check(input, report, &l, status);
    if (status)
        return status;
    if (l.word_count != BANNER_WORDS)
        return mtx_report_fail(report, MTX_MALFORMED, 1,
                               "banner has %s than 5 words: %s, expected '%%%%MatrixMarket matrix "
                               "FORMAT FIELD SYMMETRY'; add or correct the first line",
                               l.word_count < BANNER_WORDS ? "fewer" : "more",
                               mtx_report_quote(quote, l.begin, l.end));
    for (int i = 0; i < BANNER_WORDS; i++) {
        const name *found = name_find(banner[i].names, l.word[i]);
        if (!found)
            return mtx_report_fail(report, MTX_MALFORMED, 1,
                                   "bad %s %s, expected %s; correct the first line", banner[i].what,
                                   mtx_report_quote(quote, l.word[i].begin, l.word[i].end),
                                   banner[i].expected);
        value[i] = found->value;
    }
    out->format = (mtx_format)value[2];
    out->field = value[3] == COMPLEX ? MTX_REAL : (mtx_field)value[3];
    out->symmetry = (mtx_symmetry)value[4];
    return banner_check(report, value[3], out);
}

/* ---- the size line --------------------------------------------------------------------------- */

/* Reads an integer. An integer beyond 64 bits becomes a number that is too large for any count. */
static bool integer_read(word w, int64_t *out)
{
    const char *p = w.begin;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    if (p == w.end)
        return false;
    int64_t value = 0;
    for (; p < w.end; p++) {
        if (!mtx_scan_is_digit(*p))
            return false;
        value = value > INT64_MAX / 10 - 1 ? INT64_MAX - 9 : value * 10 + (*p - '0');
    }
    *out = negative ? -value : value;
    return true;
}

/* An array stores all places, or one triangle, with the diagonal unless it is skew-symmetric. */
static int64_t array_entries(const mtx_header *header)
{
    return header->symmetry == MTX_GENERAL ? header->rows * header->cols
           : header->symmetry == MTX_SKEW_SYMMETRIC ? header->rows * (header->rows - 1) / 2
                                                    : header->rows * (header->rows + 1) / 2;
}

/* The fewest bytes of an entry: those of "1 1\n", "1 1 1\n", or "1\n". */
static int64_t entry_bytes(const mtx_header *header)
{
    return header->format == MTX_ARRAY ? 2 : header->field == MTX_PATTERN ? 4 : 6;
}

/* A wrong size line must not cost memory, nor make the caller decline the file. */
static mtx_status entries_check(const mtx_input *input, const mtx_report *report, const line *l,
                                const mtx_header *header)
{
    char quote[MTX_QUOTE_SIZE];
    int64_t file_bytes = mtx_input_file_bytes(input);
    if (file_bytes < 0 || header->entries <= file_bytes / entry_bytes(header))
        return MTX_OK;
    return mtx_report_fail(report, MTX_MALFORMED, l->number,
                           "%" PRId64 " entries by the size %s, expected at most %" PRId64
                           " in a file of %" PRId64 " bytes; it may be cut off: get it anew, or "
                           "correct the size line", header->entries,
                           mtx_report_quote(quote, l->begin, l->end),
                           file_bytes / entry_bytes(header), file_bytes);
}

static mtx_status size_check(const mtx_report *report, const line *l, mtx_header *header)
{
    char quote[MTX_QUOTE_SIZE];
    mtx_report_quote(quote, l->begin, l->end);
    if (header->rows < 0 || header->cols < 0 || header->entries < 0)
        return mtx_report_fail(report, MTX_MALFORMED, l->number,
                               "negative size %s, expected counts from 0; correct the size line",
                               quote);
    if (header->rows > INT32_MAX || header->cols > INT32_MAX)
        return mtx_report_fail(report, MTX_UNREPRESENTABLE, l->number,
                               "size %s, expected fewer than 2^31 rows and columns; split the "
                               "matrix", quote);
    if (header->symmetry != MTX_GENERAL && header->rows != header->cols)
        return mtx_report_fail(report, MTX_MALFORMED, l->number,
                               "size %s of a %s matrix, expected as many rows as columns; correct "
                               "the size line or the banner", quote,
                               mtx_symmetry_name(header->symmetry));
    if (header->format == MTX_ARRAY)
        header->entries = array_entries(header);
    return MTX_OK;
}

static mtx_status size_read(mtx_input *input, const mtx_report *report, mtx_lines *lines,
                            mtx_header *out)
{
    char quote[MTX_QUOTE_SIZE];
    line l;
    do {
        mtx_status status = line_next(input, lines, &l);
        if (status)
            return status;
    } while (l.begin && (l.word_count == 0 || *l.word[0].begin == '%'));
    int wanted = out->format == MTX_ARRAY ? 2 : 3;
    const char *expected = out->format == MTX_ARRAY ? "ROWS COLS" : "ROWS COLS ENTRIES";
    if (!l.begin)
        return mtx_report_fail(report, MTX_MALFORMED, l.number,
                               "no size line before the end of the file, expected '%s'; the file "
                               "may be cut off: get it anew", expected);
    int64_t value[3] = { 0, 0, 0 };
    bool good = l.word_count == wanted;
    for (int i = 0; good && i < wanted; i++)
        good = integer_read(l.word[i], &value[i]);
    if (!good)
        return mtx_report_fail(report, MTX_MALFORMED, l.number,
                               "bad size line %s, expected '%s' for %s format; correct it",
                               mtx_report_quote(quote, l.begin, l.end), expected,
                               mtx_format_name(out->format));
    out->rows = value[0];
    out->cols = value[1];
    out->entries = value[2];
    out->size_line = l.number;
    mtx_status status = size_check(report, &l, out);
    return status ? status : entries_check(input, report, &l, out);
}

mtx_status mtx_header_read(mtx_input *input, const mtx_report *report, mtx_lines *lines,
                           mtx_header *out)
{
    *out = (mtx_header){ 0 };
    mtx_status status = banner_read(input, report, lines, out);
    if (!status)
        status = size_read(input, report, lines, out);
    return status;
}
