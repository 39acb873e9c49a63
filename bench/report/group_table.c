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

static bool is_comparable(const bench_record_result *r)
{
    return r->peer || (!r->benchmark_only && !bench_group_has_kernels(r));
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
        if (!bench_group_is_timed(r))
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
    return bench_group_time_by(result, has_own_rounds(records, result->matrix));
}

const bench_record_result *bench_group_best(const bench_records *records, size_t matrix, bool peers)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    const bench_record_result *best = NULL;
    const bool by_ratio = has_own_rounds(records, matrix);

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (bench_group_is_timed(r) && is_comparable(r) && r->peer == peers &&
            (!best || bench_group_time_by(r, by_ratio) < bench_group_time_by(best, by_ratio)))
            best = r;
    }
    return best;
}

/* The median over the fastest sample, the largest of the group; a quiet machine has 1.0 to 1.1. */
static double spread_of(const bench_records *records, size_t matrix)
{
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    double spread = 1;

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (bench_group_is_timed(r) && r->fastest > 0 && r->seconds / r->fastest > spread)
            spread = r->seconds / r->fastest;
    }
    return spread;
}

bool bench_group_is_noisy(const bench_records *records, size_t matrix)
{
    return records->matrix[matrix].competitors > 0 ||
           spread_of(records, matrix) > noisy_spread;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct row {
    const bench_record_result *result;
    double time;                 /* as in bench_group_time_by; HUGE_VAL: not timed */
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
        rows[i] = (row){ r, bench_group_is_timed(r) ? bench_group_time_by(r, by_ratio) : HUGE_VAL };
    }
    if (rows)
        qsort(rows, *count, sizeof *rows, compare_rows);
    return rows;
}

static bool is_shown(const bench_group_column *column, unsigned has)
{
    return (column->needs & ~has) == 0;
}

static void print_rows(const row *rows, size_t count, unsigned has, const bench_group_frame *f,
                       FILE *out)
{
    const bench_group_column *const column = bench_group_columns;
    size_t shown = 0;

    for (size_t i = 0; i < bench_group_column_count; i++)
        shown += is_shown(&column[i], has);
    bench_table *table = bench_table_create(shown, 1 + (size_t)!!(has & WITH_TARGETS) +
                                                   (size_t)!!(has & WITH_SETS));
    for (size_t i = 0; i < bench_group_column_count; i++) {
        if (is_shown(&column[i], has) && column[i].head)
            bench_table_add(table, "%s", column[i].head);
        else if (is_shown(&column[i], has))
            bench_table_add(table, "time %s", f->unit_name);
    }
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < bench_group_column_count; i++)
            if (is_shown(&column[i], has))
                column[i].cell(table, f, rows[k].result);
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
    const bench_record_matrix *m = &records->matrix[matrix];
    size_t count;
    const size_t first = bench_records_first_result(records, matrix, &count);
    int64_t unjudged = 0;

    for (size_t i = first; i < first + count; i++) {
        const bench_record_result *r = &records->result[i];
        if (r->peer ? !r->correct : r->left_out)
            fputc('\n', out);
        if (!r->peer && r->left_out)
            bench_line(out, "note     %s", r->failure);
        if (r->peer && !r->correct)
            bench_line(out, "note     peer %s (%s) %s: %s", r->method, r->module,
                       r->left_out ? "takes no part"
                       : isnan(r->error_over_bound) ? "failed" : "is wrong", r->failure);
        if (r->unjudged_rows > unjudged)
            unjudged = r->unjudged_rows;
    }
    if (unjudged > 0)
        fprintf(out, "\nnote     %lld of %lld rows leave the range of %s and were not judged\n",
                (long long)unjudged, (long long)(m->columns * (m->transposed ? m->cols : m->rows)),
                m->type);
}

/* With one sample for each contender medians say nothing about noise. */
static void print_noise(const bench_records *records, size_t matrix, int width, FILE *out)
{
    const double spread = spread_of(records, matrix);
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
    bench_group_frame f = { .matrix = &records->matrix[matrix],
                .peer = bench_group_best(records, matrix, true), .by_ratio = by_ratio };
    unsigned has = details ? WITH_DETAILS | WITH_PREPARE : 0;

    if (!rows) {
        fputs("(no table: out of memory)\n", out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const bench_record_result *r = rows[i].result;
        has |= r->set[0] || r->settings[0] ? WITH_SETS : 0;
        has |= bench_group_has_kernels(r) ? WITH_KERNELS : 0;
        if (bench_group_is_timed(r) && (f.shortest == 0 || r->seconds < f.shortest))
            f.shortest = r->seconds;
    }
    has |= f.matrix->transposed ? WITH_OF_A | WITH_PREPARE : 0;
    has |= f.matrix->columns > 1 ? WITH_OF_ONE : 0;
    has |= f.matrix->values[0] ? WITH_OF_TYPE : 0;
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
