/* group_columns.c: see group_columns.h. */
#include "bench/report/group_columns.h"

#include <math.h>
#include <string.h>

typedef bench_group_frame frame;

static bool is_timed(const bench_record_result *r)
{
    return r->correct && r->seconds > 0;
}

bool bench_group_is_timed(const bench_record_result *r)
{
    return is_timed(r);
}

bool bench_group_has_kernels(const bench_record_result *r)
{
    return !isnan(r->kernels_seconds);
}

static double time_by(const bench_record_result *r, bool by_ratio)
{
    return by_ratio ? 1 / r->ratio : r->seconds;
}

double bench_group_time_by(const bench_record_result *r, bool by_ratio)
{
    return time_by(r, by_ratio);
}

/* Bytes of X and Y that a multiplication moves. */
static double vector_bytes(const bench_record_matrix *m)
{
    return bench_record_x_bytes(m) + bench_record_y_bytes(m) * (m->beta != 0 ? 2 : 1);
}

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
    add_number(table, "%.2f", is_timed(r)
                   ? time_by(f->peer, f->by_ratio) / time_by(r, f->by_ratio) : NAN);
}

static void cell_of_a(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.2f", r->of_a_ratio);
}

static void cell_of_one(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.2f", r->of_one_ratio);
}

/* "of one" if time were bytes. */
static void cell_bound(bench_table *table, const frame *f, const bench_record_result *r)
{
    const bench_record_matrix *m = f->matrix;
    const double vectors = vector_bytes(m), matrix = (double)r->matrix_bytes;

    add_number(table, "%.2f", r->matrix_bytes < 0 ? NAN
                   : (matrix + vectors) / (matrix + vectors / (double)m->columns));
}

static void cell_of_type(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.2f", r->of_type_ratio);
}

static void cell_bytes(bench_table *table, const frame *f, const bench_record_result *r)
{
    (void)f;
    add_number(table, "%.2f", r->of_type_bytes);
}

static void cell_gflops(bench_table *table, const frame *f, const bench_record_result *r)
{
    const double flops = bench_record_flops(f->matrix);

    add_number(table, "%.3f", is_timed(r) ? 1e-9 * flops / r->seconds : NAN);
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
    add_number(table, "%.2f", r->layout_bytes >= 0
                   ? (double)r->layout_bytes / (m->csr_bytes - vector_bytes(m)) : NAN);
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

const bench_group_column bench_group_columns[] = {
    { "method", ALWAYS, cell_method },
    { "target", WITH_TARGETS, cell_target },
    { "parameters", WITH_SETS, cell_set },
    { NULL, ALWAYS, cell_time },
    { "+-", ALWAYS, cell_interval },
    { "over CSR", ALWAYS, cell_over_csr },
    { "over peer", WITH_PEERS, cell_over_peer },
    { "of A x", WITH_OF_A, cell_of_a },
    { "of one", WITH_OF_ONE, cell_of_one },
    { "bound", WITH_OF_ONE, cell_bound },
    { "of type", WITH_OF_TYPE, cell_of_type },
    { "bytes", WITH_OF_TYPE, cell_bytes },
    { "GFlop/s", ALWAYS, cell_gflops },
    { "GB/s", WITH_DETAILS, cell_gbytes },
    { "of read", WITH_DETAILS, cell_of_read },
    { "prepare", WITH_PREPARE, cell_prepare },
    { "update", WITH_DETAILS, cell_update },
    { "kernels ms", WITH_DETAILS | WITH_KERNELS, cell_kernels },
    { "host ms", WITH_DETAILS | WITH_KERNELS, cell_host },
    { "copies ms", WITH_DETAILS | WITH_KERNELS, cell_copies },
    { "layout", WITH_DETAILS, cell_layout },
    { "error", WITH_DETAILS, cell_error },
    { "correct", ALWAYS, cell_correct },
    { "target", WITH_ONE_TARGET, cell_target },
};

const size_t bench_group_column_count =
    sizeof bench_group_columns / sizeof bench_group_columns[0];
