/* test_environment.c: all threads of a team use the floating-point environment of the calling
 * thread, so that bits do not depend on the thread that computes a row. */
#include "sample.h"

#include "../tap.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Flushing subnormal numbers to zero; each machine has its own way to set it. */
#if defined(__SSE2__)
#include <xmmintrin.h>
enum { HAS_FLUSH = 1, FLUSH_AND_ZERO = 0x8040 };

static void set_flush(int flush)
{
    _mm_setcsr(flush ? _mm_getcsr() | FLUSH_AND_ZERO : _mm_getcsr() & ~(unsigned)FLUSH_AND_ZERO);
}

static int get_flush(void)
{
    return (_mm_getcsr() & FLUSH_AND_ZERO) != 0;
}
#else
enum { HAS_FLUSH = 0 };

static void set_flush(int flush)
{
    (void)flush;
}

static int get_flush(void)
{
    return 0;
}
#endif

enum { ROWS = 600, THREADS = 7 };

static sample *s;
static spmv_plan *one, *many;

static void create_plans(spmv_device *device, const char *method)
{
    spmv_plan_options options = {.struct_size = sizeof options, .method = method, .threads = 1};

    spmv_plan_create(device, &s->csr, &options, &one, NULL);
    options.threads = THREADS;
    spmv_plan_create(device, &s->csr, &options, &many, NULL);
}

/* Whether both plans give the same bits. y: the result of `many`. */
static int is_same(double *y)
{
    double *alone = sample_vector(s, ROWS, 7);
    int same;

    same = spmv_execute(one, 1.1, s->x, 0, alone, NULL) == SPMV_OK &&
           spmv_execute(many, 1.1, s->x, 0, y, NULL) == SPMV_OK &&
           memcmp(alone, y, ROWS * sizeof *y) == 0;
    free(alone);
    return same;
}

/* The number of threads of the pool that do not round to nearest, or that flush. */
static int count_changed(void)
{
    int changed = 0;

#ifdef _OPENMP
#pragma omp parallel num_threads(THREADS) reduction(+ : changed)
#endif
    changed += fegetround() != FE_TONEAREST || get_flush();
    return changed;
}

static void test_rounding(const char *method)
{
    double *nearest = sample_vector(s, ROWS, 0);
    double *upward = sample_vector(s, ROWS, 0);

    ok(is_same(nearest), "%s: same bits, rounded to nearest", method);
    fesetround(FE_UPWARD);
    ok(is_same(upward), "%s: same bits, rounded upward after the threads were started", method);
    fesetround(FE_TONEAREST);
    ok(memcmp(nearest, upward, ROWS * sizeof *upward) != 0, "which are others");
    ok(count_changed() == 0, "the threads' own rounding is as it was");
    ok(is_same(upward) && memcmp(nearest, upward, ROWS * sizeof *upward) == 0,
       "and the bits are again those of rounding to nearest");
    free(nearest);
    free(upward);
}

static void test_subnormal(const char *method)
{
    double *kept = sample_vector(s, ROWS, 0);
    double *flushed = sample_vector(s, ROWS, 0);

    if (!HAS_FLUSH) {
        skip("%s: no way known to flush subnormal numbers on this machine", method);
    } else {
        is_same(kept);
        set_flush(1);
        ok(is_same(flushed), "%s: same bits, subnormal numbers flushed", method);
        set_flush(0);
        ok(memcmp(kept, flushed, ROWS * sizeof *kept) != 0, "which are others");
        ok(count_changed() == 0, "the threads' own treatment of them is as it was");
    }
    free(kept);
    free(flushed);
}

/* Values whose sums depend on rounding; in every fifth column they are subnormal. */
static void fill_values(double subnormal)
{
    for (int64_t k = 0; k < s->csr.nnz; k++)
        ((double *)s->val)[k] = subnormal != 0 ? subnormal : 1.0 / (double)(k % 97 + 3);
    for (int64_t col = 0; col < s->csr.cols; col++)
        ((double *)s->x)[col] = subnormal != 0 ? 1 : 1.0 / (double)(col + 7);
}

int main(void)
{
    static const char *const methods[] = {"toy_rows", "toy_parts"};
    spmv_device *device = sample_device();

    s = sample_create(ROWS, 300, 0, SPMV_F64, SPMV_I32);
    for (size_t i = 0; i < 2; i++) {
        fill_values(0);
        create_plans(device, methods[i]);
        test_rounding(methods[i]);
        fill_values(1e-310);
        spmv_plan_update_values(one, s->val, NULL);
        spmv_plan_update_values(many, s->val, NULL);
        test_subnormal(methods[i]);
        spmv_plan_destroy(one);
        spmv_plan_destroy(many);
    }
    spmv_device_close(device);
    sample_destroy(s);
    return tap_done();
}
