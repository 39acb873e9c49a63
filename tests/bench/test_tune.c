/* test_tune.c: the parts of `spmvbench tune`, with speeds that a function makes, not the clock. */
#include "bench/tune/halving.h"
#include "bench/tune/holdout.h"
#include "bench/tune/judge.h"
#include "bench/tune/space.h"

#include <math.h>
#include <string.h>

#include "../tap.h"

static const char listed[] =
    "csr5.f32.sigma=16,8\n"
    "csr5.f64.fetch_ahead=4096,1024,2048\n"
    "csr5.f64.gather=hardware,insert\n"
    "csr5.f64.sigma=16,8,12,24,32\n"
    "strips.f64.boundary=128,64\n";

static void test_space(void)
{
    spmv_error error = { SPMV_OK, "" };
    char text[BENCH_POINT_BYTES], words[BENCH_POINT_BYTES];
    size_t count = 0, first = 9;
    bench_space *spaces = bench_spaces_read(listed, &count, &error);
    bench_point point = { { 0 } };

    ok(spaces && count == 3 && strcmp(spaces[1].method, "csr5") == 0 &&
       strcmp(spaces[1].type, "f64") == 0 && spaces[1].grid.count == 3 &&
       bench_space_size(&spaces[1]) == 30, "lines of a method and type are one space");
    bench_space_text(&spaces[1], &point, text, sizeof text);
    bench_space_words(&spaces[1], &point, words, sizeof words);
    ok(text[0] == '\0' && strcmp(words, "as the page is") == 0 &&
       bench_point_changes(&spaces[1], &point, &first) == 0, "the page states nothing");
    point.value[2] = 3;
    point.value[1] = 1;
    bench_space_text(&spaces[1], &point, text, sizeof text);
    bench_space_words(&spaces[1], &point, words, sizeof words);
    ok(strcmp(text, "csr5.f64.gather=insert csr5.f64.sigma=24") == 0 &&
       strcmp(words, "gather=insert sigma=24") == 0 &&
       bench_point_changes(&spaces[1], &point, &first) == 2 && first == 1 &&
       strcmp(bench_space_parameter(&spaces[1], 2), "sigma") == 0,
       "a point states the values that differ from the page's");
    bench_spaces_free(spaces, count);
    ok(!bench_spaces_read("sigma=16\n", &count, &error) &&
       strstr(error.text, "'sigma=16'"), "a line of another form is refused");
    spaces = bench_spaces_read("", &count, &error);
    ok(spaces && count == 0, "a page may have nothing to tune");
    bench_spaces_free(spaces, count);
}

static bool all_differ(const bench_point *point, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (bench_point_equals(&point[i], &point[k]))
                return false;
    return true;
}

static void test_points(void)
{
    enum { MOST = 40 };
    spmv_error error = { SPMV_OK, "" };
    size_t count = 0, first, singles = 0;
    bench_space *spaces = bench_spaces_read(listed, &count, &error);
    const bench_space *space = &spaces[1];
    bench_point all[MOST], some[MOST], again[MOST], other[MOST];

    ok(bench_space_points(space, MOST, 1, all) == 30 && all_differ(all, 30) &&
       bench_point_changes(space, &all[0], &first) == 0,
       "where there is room for them, all combinations are tried, the page first");
    const size_t taken = bench_space_points(space, 12, 1, some);
    for (size_t i = 1; i < 8; i++)
        singles += bench_point_changes(space, &some[i], &first) == 1;
    ok(taken == 12 && all_differ(some, 12) && singles == 7,
       "else the page, every single change, and others");
    bench_space_points(space, 12, 1, again);
    bench_space_points(space, 12, 2, other);
    ok(memcmp(some, again, sizeof some[0] * 12) == 0 &&
       memcmp(some, other, sizeof some[0] * 12) != 0, "which ones depends on the seed alone");
    ok(bench_space_points(space, 3, 1, some) == 3 && all_differ(some, 3),
       "fewer candidates than parameters are possible");
    bench_spaces_free(spaces, count);
}

static void test_holdout(void)
{
    bool good = true, differs = false;

    for (size_t n = BENCH_FEWEST_MATRICES; n < 30; n++) {
        bench_holdout one = bench_holdout_make(n, 1), two = bench_holdout_make(n, 1);
        bench_holdout three = bench_holdout_make(n, 2);
        bool seen[30] = { false };
        good = good && one.validations == n / 3 && one.searches + one.validations == n;
        for (size_t i = 0; i < one.searches; i++)
            seen[one.search[i]] = true;
        for (size_t i = 0; i < one.validations; i++) {
            good = good && !seen[one.validation[i]] && one.validation[i] == two.validation[i];
            differs = differs || one.validation[i] != three.validation[i];
        }
        bench_holdout_free(&one);
        bench_holdout_free(&two);
        bench_holdout_free(&three);
    }
    ok(good, "a third of the matrices is for the validation, and the search does not see it");
    ok(differs, "which ones depends on the seed");
}

/* ---- halving --------------------------------------------------------------------------------- */

enum { CANDIDATES = 37, PLANTED = 23, BROKEN = 11, MATRICES = 10 };

typedef struct fake {
    size_t rungs, calls, matrices[16], measured[16];
    size_t extended;             /* the number of a candidate that extend adds; 0: none */
    size_t fail_at;              /* the rung that cannot be measured; SIZE_MAX: none */
    bool forgot_winner;
} fake;

static double speed_of(size_t candidate, size_t rung)
{
    const double noise = 0.002 * (double)((candidate * 7 + rung * 3) % 5);

    return candidate == BROKEN ? NAN : candidate == CANDIDATES ? 1.5 + noise
           : candidate == PLANTED ? 1.2 + noise : candidate == 0 ? 1 : 0.9 + noise;
}

static bool measure(void *context, const bench_rung *rung, const size_t *candidate, double *speed)
{
    fake *f = context;
    bool found = false;

    if (rung->index == f->fail_at)
        return false;
    f->rungs = rung->rungs;
    f->matrices[f->calls] = rung->matrices;
    f->measured[f->calls++] = rung->candidates;
    for (size_t i = 0; i < rung->candidates; i++) {
        speed[i] = speed_of(candidate[i], rung->index);
        found = found || candidate[i] == PLANTED;
    }
    f->forgot_winner = f->forgot_winner || !found;
    return true;
}

static size_t extend(void *context, const double *speed, size_t count)
{
    fake *f = context;

    f->extended = count == CANDIDATES && speed[PLANTED] > 1 ? count : 0;
    return f->extended ? 1 : 0;
}

static void test_halving(void)
{
    fake f = { .fail_at = SIZE_MAX };
    bench_halving halving = { .matrices = MATRICES, .measure = measure, .context = &f };
    bench_halved found = bench_halving_run(&halving, CANDIDATES);
    bool halves = true;

    for (size_t i = 1; i < f.calls; i++)
        halves = halves && f.measured[i] <= (f.measured[i - 1] + 1) / 2 &&
                 f.matrices[i] >= f.matrices[i - 1];
    ok(found.best == PLANTED && found.complete && found.speed > 1.19 && !f.forgot_winner,
       "the planted candidate is found, and one that does not run is no obstacle");
    ok(halves && f.calls == f.rungs && f.rungs == bench_halving_rungs(CANDIDATES) &&
       f.matrices[0] == 2 && f.matrices[f.calls - 1] == MATRICES && f.measured[f.calls - 1] == 2,
       "each rung halves the candidates, and the last one has two on all matrices");
    f = (fake){ .fail_at = SIZE_MAX };
    halving.extend = extend;
    found = bench_halving_run(&halving, CANDIDATES);
    ok(found.best == CANDIDATES && f.extended == CANDIDATES && f.measured[1] == CANDIDATES / 2 + 2,
       "a candidate that the first rung suggests takes part from the second on");
    f = (fake){ .fail_at = 2 };
    found = bench_halving_run(&halving, CANDIDATES);
    ok(found.best == CANDIDATES && !found.complete && f.calls == 2,
       "where a rung cannot be measured, the best of the one before it stands");
    f = (fake){ .fail_at = 0 };
    found = bench_halving_run(&halving, CANDIDATES);
    ok(isnan(found.speed) && !found.complete, "without any rung nothing is known");
    f = (fake){ .fail_at = SIZE_MAX };
    found = bench_halving_run(&halving, 1);
    ok(found.best == 0 && found.speed == 1 && found.complete, "the page alone is the best");
}

/* ---- judgement ------------------------------------------------------------------------------- */

static void test_judge(void)
{
    const bench_interval good[] = { { 1.1, 1.08, 1.12 }, { 0.99, 0.97, 1.01 }, { 0, NAN, NAN } };
    const bench_interval small[] = { { 1.005, 1.004, 1.006 }, { 1.006, 1.005, 1.007 } };
    const bench_interval noisy[] = { { 1.05, 0.9, 1.2 }, { 1.03, 0.95, 1.1 } };
    const bench_interval slow[] = { { 1.2, 1.19, 1.21 }, { 0.9, 0.89, 0.91 } };
    bench_judgement j = bench_judge(&bench_tune_bounds, good, 3);

    ok(j.is_better && !j.reason[0] && j.matrices == 2 && j.least == 1 &&
       fabs(j.speed.median - sqrt(1.1 * 0.99)) < 1e-12,
       "a gain beyond the noise is better, although one matrix may be slower within it");
    j = bench_judge(&bench_tune_bounds, small, 2);
    ok(!j.is_better && strstr(j.reason, "least gain"), "half a percent does not count");
    j = bench_judge(&bench_tune_bounds, noisy, 2);
    ok(!j.is_better && strstr(j.reason, "noise"), "a gain within the noise does not count");
    j = bench_judge(&bench_tune_bounds, slow, 2);
    ok(!j.is_better && strstr(j.reason, "one matrix"),
       "a matrix that is slower beyond the noise refuses a gain on the mean");
    const bench_interval unsure[] = { { 0.95, NAN, NAN }, { 0.8, 0.79, 0.81 }, { 2, 1.9, 2.1 } };
    j = bench_judge(&bench_tune_bounds, unsure, 3);
    ok(!j.is_better && strstr(j.reason, "0.800 times"), "the slowest of such matrices is told");
    j = bench_judge(&bench_tune_bounds, NULL, 0);
    ok(!j.is_better && j.speed.median == 0, "nothing measured is nothing better");
    const bench_interval races[] = { { 1.1, 1.0, 1.3 }, { 1.2, 0.9, 1.25 }, { 0, NAN, NAN } };
    const bench_interval joined = bench_join_races(races, 3);
    ok(fabs(joined.median - sqrt(1.1 * 1.2)) < 1e-12 && joined.low == 0.9 && joined.high == 1.3,
       "several races of a matrix have their widest interval");
}

static void test_keep(void)
{
    const double gains[] = { 1.001, 1.2, NAN, 1.003, 0.9 }, idle[] = { 0.99, 1.001, 1.0 };
    bool keep[5];

    bench_keep_values(gains, 5, keep);
    ok(!keep[0] && keep[1] && keep[2] && keep[3] && !keep[4],
       "values stay that gain, and those without which the kernel does not run");
    bench_keep_values(idle, 3, keep);
    ok(!keep[0] && keep[1] && !keep[2], "where none gains enough, the best one stays");
}

int main(void)
{
    test_space();
    test_points();
    test_holdout();
    test_halving();
    test_judge();
    test_keep();
    return tap_done();
}
