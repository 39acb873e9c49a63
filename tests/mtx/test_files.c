/* Files on disk: collected unusual and malformed files against their verdicts, matrices against
 * their index, and paths that are no readable file.
 *
 *     test_files SOURCE_ROOT     the matrices lie in $SPMV_MATRICES, else in
 *                                SOURCE_ROOT/../shared/matrices; the cases in ../mtx-cases of it
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"
#include "bench/matrices/mtx/mtx.h"
#include "text.h"

enum { PATH_SIZE = 4096, COLUMNS = 16 };

/* ---- tables ---------------------------------------------------------------------------------- */

/* Splits a line in place. Missing columns become "". */
static void line_split(char *line, char *column[COLUMNS])
{
    static char none[1];
    line[strcspn(line, "\r\n")] = '\0';
    for (int i = 0; i < COLUMNS; i++) {
        column[i] = line ? line : none;
        line = line ? strchr(line, '\t') : NULL;
        if (line)
            *line++ = '\0';
    }
}

/* Finds the number before a word in a sentence such as "5 explicit zeros; "; 0: the word is
 * missing. */
static int64_t number_before(const char *sentence, const char *word)
{
    const char *p = strstr(sentence, word);
    if (!p)
        return 0;
    while (p > sentence && (p[-1] == ' ' || (p[-1] >= '0' && p[-1] <= '9')))
        p--;
    return strtoll(p, NULL, 10);
}

static bool is_sound(const mtx_matrix *m)
{
    bool good = m->row_ptr[0] == 0 && m->row_ptr[m->rows] == m->nnz;
    for (int64_t r = 0; good && r < m->rows; r++)
        good = m->row_ptr[r] <= m->row_ptr[r + 1];
    for (int64_t k = 0; good && k < m->nnz; k++)
        good = m->col_idx[k] >= 0 && m->col_idx[k] < m->cols;
    return good;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Stored entries with the place of an earlier one; O(entries^2) for a row. */
static int64_t count_duplicates(const mtx_matrix *m)
{
    int64_t found = 0;
    for (int64_t r = 0; r < m->rows; r++)
        for (int64_t k = m->row_ptr[r]; k < m->row_ptr[r + 1]; k++) {
            int64_t first = m->row_ptr[r];
            while (m->col_idx[first] != m->col_idx[k])
                first++;
            found += first < k && (m->symmetry == MTX_GENERAL || m->col_idx[k] <= r);
        }
    return found;
}

/* detail: "7x7 12 integer general coordinate dups=0 5 explicit zeros; 1 non-finite; " */
static bool is_as_detailed(const mtx_matrix *m, const char *detail)
{
    long long rows, cols, entries, duplicates;
    char field[32], symmetry[32], format[32];
    if (sscanf(detail, "%lldx%lld %lld %31s %31s %31s dups=%lld", &rows, &cols, &entries, field,
               symmetry, format, &duplicates) != 7)
        return false;
    const char *rest = strstr(detail, "dups=");
    rest += strcspn(rest, " ");
    return m->rows == rows && m->cols == cols && m->stored_entries == entries &&
           count_duplicates(m) == duplicates && !strcmp(mtx_field_name(m->field), field) &&
           !strcmp(mtx_symmetry_name(m->symmetry), symmetry) &&
           !strcmp(mtx_format_name(m->format), format) &&
           m->explicit_zeros == number_before(rest, "explicit zeros") &&
           m->non_finite == number_before(rest, "non-finite") && is_sound(m);
}

/* A file that cannot be represented may be refused for that reason. */
static bool is_unrepresentable(mtx_status status, const mtx_error *err, const char *detail)
{
    if (status != MTX_UNREPRESENTABLE)
        return false;
    if (strstr(detail, " complex "))
        return strstr(err->text, "complex") != NULL;
    return strstr(detail, "non-finite") && strstr(err->text, "too large for a 64-bit float");
}

/* If detail starts with "line N:", the message must name that line. A file of another format is
 * refused as a whole. */
static bool is_located(const mtx_error *err, const char *path, const char *detail)
{
    long long line = 0;
    char where[PATH_SIZE + 32];
    if (strstr(err->text, ", expected a Matrix Market file; "))
        return err->line == 0;
    if (sscanf(detail, "line %lld:", &line) == 1 && err->line != line)
        return false;
    snprintf(where, sizeof where, "%s:%" PRId64 ": ", path, err->line);
    return err->line > 0 && strstr(err->text, strrchr(where, '/'));
}

/* The verdict "more entries than cells" is one of readers that allow no duplicates. */
static bool has_more_entries_than_places(const mtx_matrix *m)
{
    return m->nnz > m->rows * m->cols && is_sound(m);
}

static void verdict_check(const char *folder, char *column[COLUMNS])
{
    char path[PATH_SIZE];
    mtx_matrix m;
    mtx_error err = { 0 };
    const char *name = column[0], *verdict = column[1], *detail = column[2];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mtx_status status = mtx_read(path, NULL, &m, &err);
    bool good;
    if (!strcmp(verdict, "accept"))
        good = status == MTX_OK ? is_as_detailed(&m, detail)
                                : is_unrepresentable(status, &err, detail);
    else if (!strcmp(detail, "more entries than cells"))
        good = status == MTX_OK ? has_more_entries_than_places(&m)
                                : is_unrepresentable(status, &err, " complex ");
    else
        good = (status == MTX_MALFORMED || status == MTX_UNREPRESENTABLE) &&
               is_located(&err, path, detail);
    if (!ok(good, "%s: %s %s", name, verdict, detail))
        diag("status %d %s", (int)status, err.text);
    mtx_free(&m);
}

static void verdicts(const char *folder)
{
    char path[PATH_SIZE + 32], line[1024];
    char *column[COLUMNS];
    snprintf(path, sizeof path, "%s/VERDICT.tsv", folder);
    FILE *file = fopen(path, "r");
    if (!file) {
        skip("no %s", path);
        return;
    }
    while (fgets(line, sizeof line, file)) {
        line_split(line, column);
        verdict_check(folder, column);
    }
    fclose(file);
}

/* ---- the index of matrices ------------------------------------------------------------------- */

static bool rows_match(const mtx_matrix *m, int64_t shortest, double average, int64_t longest,
                       int64_t empty)
{
    int64_t found_shortest = INT64_MAX, found_longest = 0, found_empty = 0;
    for (int64_t r = 0; r < m->rows; r++) {
        int64_t count = m->row_ptr[r + 1] - m->row_ptr[r];
        found_shortest = count < found_shortest ? count : found_shortest;
        found_longest = count > found_longest ? count : found_longest;
        found_empty += count == 0;
    }
    return found_shortest == shortest && found_longest == longest && found_empty == empty &&
           fabs((double)m->nnz / (double)m->rows - average) < 0.006;
}

static void matrix_check(const char *folder, char *column[COLUMNS])
{
    enum { NAME, ROWS, COLS, STORED, FIELD, SYMMETRY, SHORTEST, AVERAGE, LONGEST, EMPTY, EXPANDED,
           NOTE = 14 };
    char path[PATH_SIZE];
    mtx_matrix m;
    mtx_error err = { 0 };
    snprintf(path, sizeof path, "%s/%s.mtx.gz", folder, column[NAME]);
    mtx_status status = mtx_read(path, NULL, &m, &err);
    bool good;
    if (!strcmp(column[FIELD], "complex"))
        good = status == MTX_UNREPRESENTABLE && strstr(err.text, "complex") && err.line == 1;
    else
        good = status == MTX_OK && is_sound(&m) && m.rows == strtoll(column[ROWS], NULL, 10) &&
               m.cols == strtoll(column[COLS], NULL, 10) &&
               m.stored_entries == strtoll(column[STORED], NULL, 10) &&
               m.nnz == strtoll(column[EXPANDED], NULL, 10) &&
               !strcmp(mtx_field_name(m.field), column[FIELD]) &&
               !strcmp(mtx_symmetry_name(m.symmetry), column[SYMMETRY]) &&
               m.explicit_zeros == number_before(column[NOTE], "explicit zeros") &&
               rows_match(&m, strtoll(column[SHORTEST], NULL, 10), strtod(column[AVERAGE], NULL),
                          strtoll(column[LONGEST], NULL, 10), strtoll(column[EMPTY], NULL, 10));
    if (!ok(good, "%s is as its index says", column[NAME]))
        diag("status %d %s, nnz %" PRId64 ", zeros %" PRId64, (int)status, err.text, m.nnz,
             m.explicit_zeros);
    mtx_free(&m);
}

static void matrices(const char *folder)
{
    char path[PATH_SIZE + 32], line[4096];
    char *column[COLUMNS];
    snprintf(path, sizeof path, "%s/INDEX.tsv", folder);
    FILE *file = fopen(path, "r");
    if (!file) {
        skip("no %s", path);
        return;
    }
    bool is_heading = true;
    while (fgets(line, sizeof line, file)) {
        line_split(line, column);
        if (!is_heading)
            matrix_check(folder, column);
        is_heading = false;
    }
    fclose(file);
}

/* ---- files of our own ------------------------------------------------------------------------ */

static bool file_write(const char *path, const text_buffer *t)
{
    FILE *file = fopen(path, "wb");
    bool good = file && (t->size == 0 || fwrite(t->bytes, 1, t->size, file) == t->size);
    if (file)
        good = fclose(file) == 0 && good;
    return good;
}

static bool cannot_read(const char *path, const char *words)
{
    mtx_matrix m;
    mtx_error err = { 0 };
    mtx_status status = mtx_read(path, NULL, &m, &err);
    diag("%s", err.text);
    mtx_free(&m);
    return status == MTX_CANNOT_READ && err.line == 0 && strstr(err.text, words) &&
           strstr(err.text, strrchr(path, '/'));
}

static void misnamed(const char *folder)
{
    static const char text[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 9\n";
    char path[PATH_SIZE + 32];
    text_buffer plain = { 0 }, gzip = { 0 };
    mtx_matrix m;
    text_add(&plain, text, strlen(text));
    text_add_gzip(&gzip, text, strlen(text));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i ? "plain.mtx.gz" : "gzip.mtx");
        if (ok(file_write(path, i ? &plain : &gzip) && mtx_read(path, NULL, &m, NULL) == MTX_OK,
               "%s text is recognised by its content", i ? "plain" : "gzip")) {
            ok(m.nnz == 1 && m.val[0] == 9, "and read");
            mtx_free(&m);
        }
        unlink(path);
    }
    text_free(&plain);
    text_free(&gzip);
}

static void no_files(const char *folder)
{
    char path[PATH_SIZE + 32];
    text_buffer empty = { 0 };
    mtx_matrix m;
    mtx_error err;
    ok(cannot_read(folder, "is a directory"), "a directory is refused");
    snprintf(path, sizeof path, "%s/missing.mtx", folder);
    ok(cannot_read(path, "cannot be opened (No such file"), "a missing file is refused");
    snprintf(path, sizeof path, "%s/empty.mtx", folder);
    ok(file_write(path, &empty) && mtx_read(path, NULL, &m, &err) == MTX_MALFORMED &&
       err.line == 0 && strstr(err.text, "is an empty file"), "an empty file is refused");
    if (chmod(path, 0) || access(path, R_OK) == 0)
        skip("this user may read every file");
    else
        ok(cannot_read(path, "cannot be opened (Permission"), "an unreadable file is refused");
    unlink(path);
}

static bool accepts_two_rows(void *calls, int64_t rows, int64_t cols, int64_t nnz)
{
    ++*(int *)calls;
    return rows == 2 && cols == 3 && nnz == 1;
}

static bool store_nnz(void *nnz_of_call, int64_t rows, int64_t cols, int64_t nnz)
{
    *(int64_t *)nnz_of_call = nnz;
    return rows == cols && false;
}

/* The number that the caller is asked about, for a file of this banner and size. */
static int64_t asked(const char *banner, const char *size)
{
    text_buffer t = { 0 }, compressed = { 0 };
    int64_t nnz = -1;
    const mtx_options options = { .accepts = store_nnz, .context = &nnz };
    mtx_matrix m;
    text_printf(&t, "%%%%MatrixMarket matrix %s\n%s\n", banner, size);
    text_add_gzip(&compressed, t.bytes, t.size);
    mtx_read_memory("a.mtx", compressed.bytes, compressed.size, &options, &m, NULL);
    text_free(&t);
    text_free(&compressed);
    return nnz;
}

static void asked_about_mirrors(void)
{
    ok(asked("coordinate real general", "4 4 100") == 100, "a general file has its entries");
    ok(asked("coordinate real symmetric", "4 4 10") == 16 &&
       asked("array real symmetric", "4 4") == 16, "a symmetric one also mirrors of all but the "
       "diagonal");
    ok(asked("coordinate real symmetric", "4 4 3") == 3, "which may be all that it has");
    ok(asked("coordinate real skew-symmetric", "4 4 6") == 12 &&
       asked("array real skew-symmetric", "4 4") == 12, "a skew-symmetric one has no diagonal");
    ok(asked("coordinate real symmetric", "4 4 9223372036854775807") == INT64_MAX,
       "an absurd number does not overflow");
}

/* Sizes are checked before entries are read: these files have no entries. */
static void declined_sizes(void)
{
    static const char good[] = "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 9\n";
    static const char other[] = "%%MatrixMarket matrix coordinate real general\n%\n3 3 9\n";
    int calls = 0;
    const mtx_options options = { .accepts = accepts_two_rows, .context = &calls };
    mtx_matrix m;
    mtx_error err;
    ok(mtx_read_memory("a.mtx", good, strlen(good), &options, &m, &err) == MTX_OK && calls == 1,
       "a size that the caller accepts is read");
    mtx_free(&m);
    ok(mtx_read_memory("a.mtx", other, strlen(other), &options, &m, &err) == MTX_DECLINED &&
       calls == 2 && err.status == MTX_DECLINED && err.line == 3 && !m.row_ptr,
       "one that the caller declines is not");
    diag("%s", err.text);
    ok(mtx_read_memory("a.mtx", "x", 1, &options, &m, &err) == MTX_MALFORMED && calls == 2,
       "a broken header is never asked about");
}

int main(int argc, char **argv)
{
    char matrices_folder[PATH_SIZE - 64], folder[PATH_SIZE];
    const char *given = getenv("SPMV_MATRICES");
    if (given && *given)
        snprintf(matrices_folder, sizeof matrices_folder, "%s", given);
    else
        snprintf(matrices_folder, sizeof matrices_folder, "%s/../shared/matrices",
                 argc > 1 ? argv[1] : ".");
    matrices(matrices_folder);
    snprintf(folder, sizeof folder, "%s/../mtx-cases/malformed", matrices_folder);
    verdicts(folder);
    snprintf(folder, sizeof folder, "%s/../mtx-cases/variants", matrices_folder);
    verdicts(folder);

    char temporary[] = "/tmp/spmv-mtx-XXXXXX";
    if (!mkdtemp(temporary)) {
        skip("no folder for files under /tmp");
        return tap_done();
    }
    misnamed(temporary);
    no_files(temporary);
    declined_sizes();
    asked_about_mirrors();
    rmdir(temporary);
    return tap_done();
}
