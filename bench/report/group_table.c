/* group_table.c: see group_table.h. */
#include "bench/report/group_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output/message.h"
#include "bench/output/terminal.h"

const double bench_noise_bound = 0.02;

/* The spread above which a machine is noisy. */
static const double noisy_spread = 1.5;

/* ---- what is known of a group ---------------------------------------------------------------- */

static bool is_timed(const bench_record_result *r)
{
    return r->correct && r->seconds > 0;
}

static bool has_kernels(const bench_record_result *r)
{
    return !isnan(r->kernels_seconds);
}

static bool is_comparable(const bench_record_result *r)
{
    return r->peer || (!r->benchmark_only && !has_kernels(r));
}

/* See bench_group_time. */
static double time_of(const bench_record_result *r, bool by_ratio)
{
    return by_ratio ? 1 / r->ratio : r->seconds;
}

/* Whether results of the group have different rounds, but all a speed over the plain CSR loop. */
static bool has_own_rounds(const bench_records *records, size_t matrix)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    int64_t samples = -1;
    bool differ = false;

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (!is_timed(r))
            continue;
        if (!(r->ratio > 0))
            return false;
        differ = differ || (samples >= 0 && r->samples != samples);
        samples = r->samples;
    }
    return differ;
}

void bench_group_name(const bench_record_matrix *matrix, char *name, size_t bytes)
{
    static const char *const prefixes[] = { "lookalike:", "model:", "shape:" };
    const char *input = strcmp(matrix->input, "-") == 0 ? "standard input" : matrix->input;
    const char *const slash = strrchr(input, '/');
    bool made = false;
    char begin[201], escaped[BENCH_PRINTABLE_BYTES];

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0] && !made; i++) {
        made = strncmp(input, prefixes[i], strlen(prefixes[i])) == 0;
        input += made ? strlen(prefixes[i]) : 0;
    }
    if (!made && slash && slash[1])
        input = slash + 1;
    snprintf(begin, sizeof begin, "%s", input);
    snprintf(name, bytes, "%s", bench_printable(escaped, begin));
}

double bench_group_time(const bench_records *records, const bench_record_result *result)
{
    return time_of(result, has_own_rounds(records, result->matrix));
}

const bench_record_result *bench_group_best(const bench_records *records, size_t matrix, bool peers)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    const bench_record_result *best = NULL;
    const bool by_ratio = has_own_rounds(records, matrix);

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (is_timed(r) && is_comparable(r) && r->peer == peers &&
            (!best || time_of(r, by_ratio) < time_of(best, by_ratio)))
            best = r;
    }
    return best;
}

double bench_group_spread(const bench_records *records, size_t matrix)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    double spread = 1;

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (is_timed(r) && r->fastest > 0 && r->seconds / r->fastest > spread)
            spread = r->seconds / r->fastest;
    }
    return spread;
}

bool bench_group_is_noisy(const bench_records *records, size_t matrix)
{
    return records->matrix[matrix].competitors > 0 ||
           bench_group_spread(records, matrix) > noisy_spread;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* What the cells of a table have in common. */
typedef struct frame {
    const bench_record_matrix *matrix;
    const bench_record_result *peer;     /* the best; NULL: none */
    double unit;                         /* seconds of a unit of time */
    const char *unit_name;
    double shortest;                     /* seconds */
    bool by_ratio;                       /* as in time_of */
} frame;

static void add_number(bench_table *table, const char *format, double number)
{
    bench_table_add(table, isfinite(number) ? format : "-", number);
}

void bench_add_half_width(bench_table *table, const bench_record_result *r)
{
    const double percent = r ? 50 * (r->high - r->low) / r->seconds : NAN;

    if (percent > 999)
        bench_table_add(table, ">999%%");
    else
        add_number(table, percent < 9.95 ? "%.1f%%" : "%.0f%%", percent);
}

static void cell_method(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    bench_table_add(table, "%s%s", r->method, r->benchmark_only ? "*" : "");
}

static void cell_target(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    bench_table_add(table, "%s", r->target);
}

void bench_group_parameters(const bench_record_result *r, char *text, size_t bytes)
{
    const size_t method = strlen(r->method);
    size_t length = 0;

    for (const char *at = r->set; *at && length + 1 < bytes; at++) {
        if ((at == r->set || at[-1] == ' ') && strncmp(at, r->method, method) == 0 &&
            at[method] == '.')
            at += method + 1;
        text[length++] = *at;
    }
    text[length] = '\0';
    snprintf(text + length, bytes - length, "%s%s", length && r->settings[0] ? " " : "",
             r->settings);
}

static void cell_set(bench_table *table, const frame *f, const bench_record_result *r)
{
    char text[1024];

    (void)f;
    bench_group_parameters(r, text, sizeof text);
    bench_table_add(table, "%s", text[0] ? text : "-");
}

static void cell_time(bench_table *table, const frame *f, const bench_record_result *r)
{
    const double shortest = f->shortest / f->unit;

    if (is_timed(r))
        bench_table_add(table, "%.*f", shortest < 10 ? 3 : shortest < 100 ? 2 : 1,
                        r->seconds / f->unit);
    else
        bench_table_add(table, "-");
}

static void cell_interval(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    bench_add_half_width(table, is_timed(r) ? r : NULL);
}

static void cell_over_csr(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.2f", is_timed(r) ? r->ratio : NAN);
}

static void cell_over_peer(bench_table *table, const frame *f, const bench_record_result *r)
{
    add_number(table, "%.2f", is_timed(r) ? time_of(f->peer, f->by_ratio) / time_of(r, f->by_ratio)
                                            : NAN);
}

static void cell_gflops(bench_table *table, const frame *f, const bench_record_result *r)
{
    add_number(table, "%.3f", is_timed(r) ? 2e-9 * (double)f->matrix->nnz / r->seconds : NAN);
}

static void cell_gbytes(bench_table *table, const frame *f, const bench_record_result *r)
{
    add_number(table, "%.2f", is_timed(r) ? 1e-9 * f->matrix->csr_bytes / r->seconds : NAN);
}

static void cell_of_read(bench_table *table, const frame *f, const bench_record_result *r)
{
    add_number(table, "%.0f%%", is_timed(r) && f->matrix->read_rate > 0
                   ? 1e-7 * f->matrix->csr_bytes / r->seconds / f->matrix->read_rate : NAN);
}

static void cell_prepare(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.2f", is_timed(r) ? r->prepare_seconds / r->seconds : NAN);
}

static void cell_update(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.2f", is_timed(r) ? r->update_seconds / r->seconds : NAN);
}

static void cell_kernels(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.4g", r->kernels_seconds * 1e3);
}

static void cell_host(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.4g", r->host_seconds * 1e3);
}

static void cell_copies(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.4g", r->copies_seconds * 1e3);
}

static void cell_layout(bench_table *table, const frame *f, const bench_record_result *r)
{
    const bench_record_matrix *m = f->matrix;
    const double vectors = (double)(m->rows * (m->beta != 0 ? 2 : 1) + m->cols) *
                           bench_record_value_bytes(m);

    add_number(table, "%.2f", r->layout_bytes >= 0
                   ? (double)r->layout_bytes / (m->csr_bytes - vectors) : NAN);
}

static void cell_error(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    bench_table_add(table, isnan(r->error_over_bound) ? "-"
                           : r->error_over_bound < 1000 ? "%.3f" : "%.1e", r->error_over_bound);
}

static void cell_correct(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    bench_table_add(table, "%s",
                    r->correct ? "yes" : !r->left_out ? "NO" : r->peer ? "-" : "declines");
}

/* When a column is shown. */
enum {
    ALWAYS = 0, WITH_SETS = 1, WITH_PEERS = 2, WITH_DETAILS = 4, WITH_KERNELS = 8,
    WITH_TARGETS = 16,           /* kernels of several targets race: the target tells rows apart */
    WITH_ONE_TARGET = 32
};

static const struct {
    const char *head;
    unsigned needs;
    void (*cell)(bench_table *table, const frame *f, const bench_record_result *r);
} columns[] = {
    { "method", ALWAYS, cell_method },
    { "target", WITH_TARGETS, cell_target },
    { "parameters", WITH_SETS, cell_set },
    { "time", ALWAYS, cell_time },
    { "+-", ALWAYS, cell_interval },
    { "over CSR", ALWAYS, cell_over_csr },
    { "over peer", WITH_PEERS, cell_over_peer },
    { "GFlop/s", ALWAYS, cell_gflops },
    { "GB/s", WITH_DETAILS, cell_gbytes },
    { "of read", WITH_DETAILS, cell_of_read },
    { "prepare", WITH_DETAILS, cell_prepare },
    { "update", WITH_DETAILS, cell_update },
    { "kernels ms", WITH_DETAILS | WITH_KERNELS, cell_kernels },
    { "host ms", WITH_DETAILS | WITH_KERNELS, cell_host },
    { "copies ms", WITH_DETAILS | WITH_KERNELS, cell_copies },
    { "layout", WITH_DETAILS, cell_layout },
    { "error", WITH_DETAILS, cell_error },
    { "correct", ALWAYS, cell_correct },
    { "target", WITH_ONE_TARGET, cell_target },
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

typedef struct row {
    const bench_record_result *result;
    double time;                 /* as in time_of; HUGE_VAL: not timed */
} row;

static int compare_rows(const void *a, const void *b)
{
    const row *r = a, *s = b;

    if (r->time != s->time)
        return r->time < s->time ? -1 : 1;
    return r->result < s->result ? -1 : r->result > s->result;
}

/* Whether our contenders are kernels of several targets. */
static bool has_targets(const row *rows, size_t count)
{
    const char *target = NULL;

    for (size_t i = 0; i < count; i++) {
        if (rows[i].result->peer)
            continue;
        if (target && strcmp(target, rows[i].result->target) != 0)
            return true;
        target = rows[i].result->target;
    }
    return false;
}

/* The results, the fastest first; what was not timed is last. NULL: out of memory. */
static row *sorted_rows(const bench_records *records, size_t matrix, bool by_ratio, size_t *count)
{
    const size_t first = bench_records_first_result(records, matrix, count);
    row *rows = malloc((*count + 1) * sizeof *rows);

    for (size_t i = 0; i < *count && rows; i++) {
        const bench_record_result *r = &records->result[first + i];
        rows[i] = (row){ r, is_timed(r) ? time_of(r, by_ratio) : HUGE_VAL };
    }
    if (rows)
        qsort(rows, *count, sizeof *rows, compare_rows);
    return rows;
}

static void print_rows(const row *rows, size_t count, unsigned has,
                       const frame *f, FILE *out)
{
    size_t shown = 0;

    for (size_t i = 0; i < COLUMNS; i++)
        shown += (columns[i].needs & ~has) == 0;
    bench_table *table = bench_table_create(shown, 1 + (size_t)!!(has & WITH_TARGETS) +
                                                   (size_t)!!(has & WITH_SETS));
    for (size_t i = 0; i < COLUMNS; i++)
        if ((columns[i].needs & ~has) == 0) {
            char head[32];
            snprintf(head, sizeof head, columns[i].cell == cell_time ? "time %s" : "%s",
                     columns[i].cell == cell_time ? f->unit_name : columns[i].head);
            bench_table_add(table, "%s", head);
        }
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < COLUMNS; i++)
            if ((columns[i].needs & ~has) == 0)
                columns[i].cell(table, f, rows[k].result);
    bench_table_print(table, out);
    bench_table_destroy(table);
}

/* ---- below the table ------------------------------------------------------------------------- */

static void print_best(const bench_records *records, size_t matrix, FILE *out)
{
    const bench_record_result *own = bench_group_best(records, matrix, false);
    const bench_record_result *peer = bench_group_best(records, matrix, true);
    char text[1024] = "";

    if (own)
        bench_group_parameters(own, text, sizeof text);
    if (own && peer)
        fprintf(out, "\nbest     %s of %s%s%s%s is %.2f times as fast as the best peer, %s\n",
                own->method, own->target, text[0] ? " (" : "", text, text[0] ? ")" : "",
                bench_group_time(records, peer) / bench_group_time(records, own), peer->method);
}

/* The contenders that took no part, and rows whose sums leave the range of their type. */
static void print_notes(const bench_records *records, size_t matrix, FILE *out)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    int64_t unjudged = 0;

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (!r->peer && r->left_out)
            fprintf(out, "\nnote     %s\n", r->failure);
        if (r->peer && !r->correct)
            fprintf(out, "\nnote     peer %s (%s) %s: %s\n", r->method, r->module,
                    r->left_out ? "takes no part"
                    : isnan(r->error_over_bound) ? "failed" : "is wrong", r->failure);
        if (r->unjudged_rows > unjudged)
            unjudged = r->unjudged_rows;
    }
    if (unjudged > 0)
        fprintf(out, "\nnote     %lld of %lld rows leave the range of %s and were not judged\n",
                (long long)unjudged, (long long)records->matrix[matrix].rows,
                records->matrix[matrix].type);
}

/* With one sample for each contender medians say nothing about noise. */
static void print_noise(const bench_records *records, size_t matrix, int width, FILE *out)
{
    const double spread = bench_group_spread(records, matrix);
    const int64_t others = records->matrix[matrix].competitors;
    char busy[64] = "", spreads[80] = "", text[400];

    if (!bench_group_is_noisy(records, matrix))
        return;
    if (others > 0)
        snprintf(busy, sizeof busy, "%lld other thread%s running", (long long)others,
                 others == 1 ? " was" : "s were");
    if (spread >= 1.05)          /* printed as 1.1 or more */
        snprintf(spreads, sizeof spreads, "medians are up to %.1f times the fastest samples",
                 spread);
    snprintf(text, sizeof text, "a busy machine (%s%s%s): times mean little%s", busy,
             busy[0] && spreads[0] ? ", " : "", spreads, records->threads <= 1 ? "" :
             "; --threads 1 or OMP_WAIT_POLICY=passive suffer less");
    fputc('\n', out);
    bench_print_wrapped("note", text, width, out);
}

void bench_group_table(const bench_records *records, size_t matrix, bool details, FILE *out)
{
    size_t count;
    const bool by_ratio = has_own_rounds(records, matrix);
    row *rows = sorted_rows(records, matrix, by_ratio, &count);
    frame f = { .matrix = &records->matrix[matrix],
                .peer = bench_group_best(records, matrix, true), .by_ratio = by_ratio };
    unsigned has = details ? WITH_DETAILS : 0;

    if (!rows) {
        fputs("(no table: out of memory)\n", out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const bench_record_result *r = rows[i].result;
        has |= r->set[0] || r->settings[0] ? WITH_SETS : 0;
        has |= has_kernels(r) ? WITH_KERNELS : 0;
        if (is_timed(r) && (f.shortest == 0 || r->seconds < f.shortest))
            f.shortest = r->seconds;
    }
    has |= f.peer ? WITH_PEERS : 0;
    has |= has_targets(rows, count) ? WITH_TARGETS : WITH_ONE_TARGET;
    f.unit = f.shortest < 1e-2 ? 1e-6 : 1e-3;
    f.unit_name = f.shortest < 1e-2 ? "us" : "ms";
    print_rows(rows, count, has, &f, out);
    free(rows);
    print_best(records, matrix, out);
    print_notes(records, matrix, out);
    print_noise(records, matrix, bench_terminal_columns(out), out);
    if (by_ratio) {
        fputc('\n', out);
        bench_print_wrapped("note", "noisy contenders had more rounds than others, so rows are "
                            "ordered by speed over CSR, not by time", bench_terminal_columns(out),
                            out);
    }
    if (!f.matrix->complete)
        fputs("\nnote     interrupted: these are the rounds until then\n", out);
}
