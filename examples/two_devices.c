/* two_devices.c: one multiplication on two devices at the same time: the first part of the nonzeros
 * on the CPU, the rest on an OpenCL device, both by the speculative method. Prints how long each
 * fraction takes, and checks y bit by bit against each device alone.
 *
 *     cc -std=c11 two_devices.c $(pkg-config --cflags --libs spmv) -lpthread -o two_devices
 *     ./two_devices [ROWS [RUNS]]
 *
 * The nonzeros are cut where a bunch of tiles begins on both devices, so that every tile is as in
 * the whole matrix. A row may be cut, too: both parts of it are then added. With other parameters
 * than those of the shipped pages, change BORDER.
 */
#define _POSIX_C_SOURCE 200809L  /* clock_gettime */
#include "spmv.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SKIPPED = 77,                /* Meson's exit code of a skipped test */
    BORDER = 3 << 14,            /* a multiple of S * T * W, for all pages with S = 6 */
    FRACTIONS = 5                /* of the nonzeros on the CPU: 0, a quarter, ..., all */
};

static void check(int is_good, const char *what, const char *why)
{
    if (is_good)
        return;
    fprintf(stderr, "cannot %s%s%s\n", what, why[0] != '\0' ? ": " : "", why);
    exit(1);
}

static void *allocate(size_t count, size_t each)
{
    void *memory = calloc(count + 1, each);

    check(memory != NULL, "allocate memory", "");
    return memory;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the matrix ---------------------------------------------------------------------------- */

typedef struct matrix {
    int32_t rows, nnz;
    int32_t *row_ptr, *col_idx;
    double *val;
} matrix;

static unsigned next_number(void)
{
    static unsigned state = 1;

    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* One row in eight is empty, and some are long. */
static int32_t length_of(int32_t row)
{
    return row % 8 == 3 ? 0 : row % 500 == 1 ? 400 : (int32_t)(next_number() % 12);
}

static matrix make_matrix(int32_t rows)
{
    matrix a = { .rows = rows };

    a.row_ptr = (int32_t *)allocate((size_t)rows + 1, sizeof *a.row_ptr);
    for (int32_t r = 0; r < rows; r++)
        a.row_ptr[r + 1] = a.row_ptr[r] + length_of(r);
    a.nnz = a.row_ptr[rows];
    a.col_idx = (int32_t *)allocate((size_t)a.nnz, sizeof *a.col_idx);
    a.val = (double *)allocate((size_t)a.nnz, sizeof *a.val);
    for (int32_t k = 0; k < a.nnz; k++) {
        a.col_idx[k] = (int32_t)(next_number() % (unsigned)rows);
        a.val[k] = (double)(next_number() % 2001) / 1000 - 1;
    }
    return a;
}

/* ---- a part of the nonzeros ---------------------------------------------------------------- */

/* Nonzeros [begin, end) on one device. */
typedef struct part {
    int32_t first_row, rows;
    int32_t *row_ptr;
    spmv_plan *plan;             /* NULL: no nonzeros */
    const double *x;
    double *y;                   /* rows values */
    spmv_status status;
} part;

static part make_part(const matrix *a, int32_t begin, int32_t end, spmv_device *device,
                      int32_t threads, const double *x)
{
    const spmv_plan_options options = { .struct_size = sizeof options, .method = "speculative",
                                        .threads = threads };
    part p = { .x = x };
    int32_t last = a->rows;
    spmv_error err;

    /* The first row that does not end before nonzero `begin`, and the row behind the last nonzero;
     * empty rows at the cut belong to the second part. */
    while (begin < end && a->row_ptr[p.first_row] < begin && a->row_ptr[p.first_row + 1] <= begin)
        p.first_row++;
    while (end < a->nnz && last > 0 && a->row_ptr[last - 1] >= end)
        last--;
    p.rows = begin < end ? last - p.first_row : 0;
    p.row_ptr = (int32_t *)allocate((size_t)p.rows + 1, sizeof *p.row_ptr);
    p.y = (double *)allocate((size_t)p.rows, sizeof *p.y);
    if (begin == end)
        return p;
    for (int32_t r = 0; r <= p.rows; r++) {
        const int32_t k = a->row_ptr[p.first_row + r];
        p.row_ptr[r] = (k < begin ? begin : k > end ? end : k) - begin;
    }
    const spmv_csr csr = { .rows = p.rows, .cols = a->rows, .nnz = end - begin,
                           .row_ptr = p.row_ptr, .col_idx = a->col_idx + begin,
                           .val = a->val + begin, .offset_type = SPMV_I32,
                           .value_type = SPMV_F64 };
    if (spmv_plan_create(device, &csr, &options, &p.plan, &err) != SPMV_OK)
        check(0, "make a plan", err.text);
    return p;
}

static void free_part(part *p)
{
    spmv_plan_destroy(p->plan);
    free(p->row_ptr);
    free(p->y);
}

static void *multiply_part(void *context)
{
    part *p = (part *)context;

    p->status = p->plan == NULL ? SPMV_OK : spmv_execute(p->plan, 1.0, p->x, 0.0, p->y, NULL);
    return NULL;
}

/* y = A*x by both parts at the same time. */
static void multiply(part *cpu, part *device, double *y)
{
    pthread_t thread;
    const int is_shared = cpu->rows > 0 && device->rows > 0;
    const int is_cut = is_shared && device->first_row < cpu->first_row + cpu->rows;

    check(pthread_create(&thread, NULL, multiply_part, device) == 0, "start a thread", "");
    multiply_part(cpu);
    pthread_join(thread, NULL);
    check(cpu->status == SPMV_OK && device->status == SPMV_OK, "multiply", "");
    if (cpu->rows > 0)
        memcpy(y, cpu->y, (size_t)cpu->rows * sizeof *y);
    if (device->rows > 0) {
        const double carry = is_cut ? y[device->first_row] : 0;
        memcpy(y + device->first_row, device->y, (size_t)device->rows * sizeof *y);
        if (is_cut)
            y[device->first_row] = carry + device->y[0];
    }
}

/* ---- the experiment ------------------------------------------------------------------------ */

/* Rows that have not the bits of the device that computed them alone. The row that the cut divides
 * is left out: its additions are in another order. */
static int count_other_bits(const part *device, int is_cut, int32_t rows, const double *of_cpu,
                            const double *of_device, const double *y)
{
    int count = 0;

    for (int32_t r = 0; r < rows; r++) {
        const int is_on_device = device->rows > 0 && r >= device->first_row;
        const double *alone = is_on_device ? of_device : of_cpu;
        if (!(is_cut && r == device->first_row))
            count += memcmp(&alone[r], &y[r], sizeof *y) != 0;
    }
    return count;
}

static spmv_device *open_device(const char *name)
{
    const spmv_device_options options = { .struct_size = sizeof options, .device = name };
    spmv_device *device = NULL;
    spmv_error err;

    if (spmv_device_open(&options, &device, &err) != SPMV_OK) {
        printf("no device '%s': %s\n", name, err.text);
        exit(SKIPPED);
    }
    return device;
}

int main(int argc, char **argv)
{
    const int32_t rows = argc > 1 ? atoi(argv[1]) : 20000;
    const int runs = argc > 2 ? atoi(argv[2]) : 3;

    if (rows < 1 || runs < 1) {
        fprintf(stderr, "usage: two_devices [ROWS [RUNS]], each at least 1\n");
        return 2;
    }
    const matrix a = make_matrix(rows);
    spmv_device *host = open_device("cpu"), *opencl = open_device("opencl");
    double *x = (double *)allocate((size_t)rows, sizeof *x), least[FRACTIONS] = { 0 };
    double *y[FRACTIONS];
    part cpu[FRACTIONS], device[FRACTIONS];
    int wrong = 0;

    for (int32_t r = 0; r < rows; r++)
        x[r] = (double)(next_number() % 2001) / 1000 - 1;
    for (int f = 0; f < FRACTIONS; f++) {
        const int32_t border = a.nnz / (FRACTIONS - 1) * f / BORDER * BORDER;
        const int32_t cut = f == FRACTIONS - 1 ? a.nnz : border;

        y[f] = (double *)allocate((size_t)rows, sizeof **y);
        cpu[f] = make_part(&a, 0, cut, host, 1, x);
        device[f] = make_part(&a, cut, a.nnz, opencl, 1, x);
    }
    for (int i = 0; i < runs; i++)
        for (int f = 0; f < FRACTIONS; f++) {
            const double start = seconds_now();
            multiply(&cpu[f], &device[f], y[f]);
            const double seconds = seconds_now() - start;
            least[f] = i == 0 || seconds < least[f] ? seconds : least[f];
        }
    for (int f = 0; f < FRACTIONS; f++) {
        const int is_cut = cpu[f].rows > 0 && device[f].rows > 0 &&
                           device[f].first_row < cpu[f].rows;
        const int others = count_other_bits(&device[f], is_cut, rows, y[FRACTIONS - 1], y[0], y[f]);

        printf("%3d %% of the nonzeros on the CPU: %8.0f us, %d rows with other bits\n",
               100 * f / (FRACTIONS - 1), 1e6 * least[f], others);
        wrong += others;
    }
    for (int f = 0; f < FRACTIONS; f++) {
        free_part(&cpu[f]);
        free_part(&device[f]);
        free(y[f]);
    }
    spmv_device_close(host);
    spmv_device_close(opencl);
    free(a.row_ptr);
    free(a.col_idx);
    free(a.val);
    free(x);
    return wrong != 0;
}
