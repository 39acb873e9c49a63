/* mtx_entries.c: the lines of data. See mtx_entries.h.
 *
 * The loop reads lines in their usual form. Any other line goes to line_skip, which skips blank
 * lines and comments, and then to mtx_explain.
 */
#include "bench/matrices/mtx/mtx_entries.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bench/matrices/mtx/mtx_explain.h"
#include "bench/matrices/mtx/mtx_scan.h"

typedef struct entry {
    int64_t row, col;            /* from 0 */
    double value;
} entry;

typedef struct reader {
    const mtx_report *report;
    const mtx_decimal *decimal;
    const mtx_header *header;
    mtx_store *store;
    mtx_tally *tally;
    entry next;                  /* array format: place of the next value */
} reader;

static inline const char *value_scan(const reader *r, const char *p, entry *e)
{
    mtx_number kind = mtx_decimal_read(r->decimal, &p, &e->value);
    if (kind == MTX_NUMBER_INTEGER)
        return p;
    if (kind == MTX_NUMBER_REAL && r->header->field == MTX_REAL)
        return p;
    if (kind == MTX_NUMBER_SPECIAL && r->header->field == MTX_REAL) {
        r->tally->non_finite++;
        return p;
    }
    return NULL;
}

/* Reads "ROW COL [VALUE]". Returns the newline after it; NULL for any other line. */
static inline const char *coordinate_scan(const reader *r, const char *p, entry *e)
{
    p = mtx_scan_index(mtx_scan_blanks(p), &e->row);
    if (!p)
        return NULL;
    p = mtx_scan_index(mtx_scan_blanks(p), &e->col);
    if (!p)
        return NULL;
    e->row--;
    e->col--;
    if ((uint64_t)e->row >= (uint64_t)r->header->rows ||
        (uint64_t)e->col >= (uint64_t)r->header->cols)
        return NULL;
    e->value = 1;
    if (r->header->field != MTX_PATTERN) {
        p = value_scan(r, mtx_scan_blanks(p), e);
        if (!p)
            return NULL;
    }
    p = mtx_scan_blanks(p);
    return *p == '\n' ? p : NULL;
}

/* Reads a line with one value. Places follow column by column, in a triangle from the diagonal
 * down. */
static inline const char *array_scan(reader *r, const char *p, entry *e)
{
    *e = r->next;
    p = value_scan(r, mtx_scan_blanks(p), e);
    if (!p)
        return NULL;
    p = mtx_scan_blanks(p);
    if (*p != '\n')
        return NULL;
    r->next.row++;
    if (r->next.row == r->header->rows) {
        r->next.col++;
        r->next.row = r->header->symmetry == MTX_GENERAL          ? 0
                      : r->header->symmetry == MTX_SKEW_SYMMETRIC ? r->next.col + 1
                                                                  : r->next.col;
    }
    return p;
}

/* Whether a file of this symmetry may hold the entry, after the earlier ones. */
static inline bool is_in_triangle(const reader *r, const entry *e)
{
    if (r->header->symmetry == MTX_GENERAL)
        return true;
    unsigned triangle = e->row > e->col ? MTX_LOWER : e->row < e->col ? MTX_UPPER : 0;
    if (r->header->symmetry == MTX_SKEW_SYMMETRIC && !triangle && !(e->value == 0))
        return false;
    if ((r->tally->triangles | triangle) == (MTX_LOWER | MTX_UPPER))
        return false;
    r->tally->triangles |= triangle;
    return true;
}

static inline bool entry_append(const reader *r, const entry *e)
{
    mtx_block *block = r->store->last;
    if (!block || block->count == block->capacity) {
        if (!mtx_store_grow(r->store))
            return false;
        block = r->store->last;
    }
    uint32_t i = block->count++;
    block->row[i] = (int32_t)e->row;
    block->col[i] = (int32_t)e->col;
    if (block->val)
        block->val[i] = e->value;
    r->tally->zeros += e->value == 0;
    r->tally->stored++;
    return true;
}

/* Skips a blank line or a comment. Returns its newline; NULL for any other line. */
static mtx_status line_skip(const reader *r, const char *text, const char *end, int64_t number,
                            const char **newline)
{
    const char *p = mtx_scan_blanks(text);
    if (*p != '\n' && *p != '%')
        return mtx_explain(r->report, r->decimal, r->header, r->tally, text, number);
    *newline = memchr(p, '\n', (size_t)(end - p));
    return MTX_OK;
}

/* Counts a finite value whose float is not finite. */
static inline void range_count(const reader *r, double value, int64_t number)
{
    if (!(fabs(value) > FLT_MAX) || isinf(value) || !isinf((float)value))
        return;
    if (r->tally->beyond_float++ == 0)
        r->tally->beyond_float_line = number;
}

static mtx_status slab_read(reader *r, mtx_lines *lines)
{
    mtx_status status = MTX_OK;
    const char *p = lines->next;
    int64_t number = lines->number;
    const bool is_array = r->header->format == MTX_ARRAY;
    while (p < lines->end) {
        entry e;
        const char *newline = NULL;
        if (r->tally->stored < r->header->entries)
            newline = is_array ? array_scan(r, p, &e) : coordinate_scan(r, p, &e);
        if (!newline || !is_in_triangle(r, &e)) {
            status = line_skip(r, p, lines->end, number, &newline);
            if (status)
                return status;
        } else if (!entry_append(r, &e)) {
            return mtx_memory_fail(r->store->memory, r->report, "the entries");
        } else {
            range_count(r, e.value, number);
        }
        p = newline + 1;
        number++;
    }
    lines->next = p;
    lines->number = number;
    return MTX_OK;
}

mtx_status mtx_entries_read(mtx_input *input, const mtx_report *report, const mtx_decimal *decimal,
                            const mtx_header *header, mtx_lines *lines, mtx_store *store,
                            mtx_tally *tally)
{
    *tally = (mtx_tally){ 0 };
    reader r = { .report = report, .decimal = decimal, .header = header, .store = store,
                 .tally = tally };
    r.next.row = header->symmetry == MTX_SKEW_SYMMETRIC;
    mtx_status status = MTX_OK;
    if (lines->next == lines->end)
        status = mtx_input_next(input, lines);
    while (!status && lines->next < lines->end) {
        status = slab_read(&r, lines);
        if (!status)
            status = mtx_input_next(input, lines);
    }
    if (!status && tally->stored < header->entries)
        return mtx_report_fail(report, MTX_MALFORMED, lines->number - 1,
                               "the file ends after %lld entries, expected %lld as line %lld says; "
                               "it may be cut off: get it anew, or correct the size line",
                               (long long)tally->stored, (long long)header->entries,
                               (long long)header->size_line);
    return status;
}
