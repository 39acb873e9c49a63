/* test_lookalikes.c: look-alikes have the facts that they are made from, and the same bytes for any
 * number of threads.
 *
 *     test_lookalikes [--all]      --all: also the largest
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrices/lookalike/exact.h"
#include "bench/matrices/lookalike/lookalike.h"
#include "bench/matrices/random.h"
#include "tests/tap.h"

enum { SMALL = 3000000, MEDIUM = 10000000 };

/* ---- looking at a matrix ------------------------------------------------------------------- */

/* Hashes offsets, columns and values, independent of their types and of the byte order. */
static uint64_t hash_matrix(const spmv_csr *csr)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (int64_t r = 0; r <= csr->rows; r++)
        hash = (hash ^ (uint64_t)bench_csr_offset(csr, r)) * UINT64_C(0x100000001b3);
    for (int64_t k = 0; k < csr->nnz; k++) {
        const int64_t value = (int64_t)(bench_csr_value(csr, k) * 0x1p23);
        hash = (hash ^ (uint64_t)csr->col_idx[k]) * UINT64_C(0x100000001b3);
        hash = (hash ^ (uint64_t)value) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Returns what is wrong with the columns or the values, or "". */
static const char *find_fault(const spmv_csr *csr)
{
    int64_t negative = 0;

    for (int64_t r = 0; r < csr->rows; r++)
        for (int64_t k = bench_csr_offset(csr, r); k < bench_csr_offset(csr, r + 1); k++) {
            const double value = bench_csr_value(csr, k);
            if (csr->col_idx[k] < 0 || csr->col_idx[k] >= csr->cols)
                return "a column outside";
            if (k > bench_csr_offset(csr, r) && csr->col_idx[k] <= csr->col_idx[k - 1])
                return "columns that do not ascend";
            if (!(value != 0 && value >= -1 && value <= 1))
                return "a value that is 0 or beyond 1";
            negative += value < 0;
        }
    if (csr->nnz > 100 && (negative < csr->nnz / 4 || negative > csr->nnz / 4 * 3))
        return "values that are nearly all of one sign";
    return "";
}

/* Returns the fact that the matrix does not have, or "". */
static const char *find_missed(const bench_facts *facts, const spmv_csr *csr)
{
    const bench_row_lengths lengths = bench_csr_row_lengths(csr);

    return csr->rows != facts->rows ? "rows" : csr->cols != facts->cols ? "cols"
         : csr->nnz != facts->nnz || bench_csr_offset(csr, csr->rows) != csr->nnz ? "nnz"
         : facts->row_min != BENCH_UNKNOWN && lengths.min != facts->row_min ? "row_min"
         : facts->row_max != BENCH_UNKNOWN && lengths.max != facts->row_max ? "row_max" : "";
}

/* ---- the papers' matrices ------------------------------------------------------------------ */

static void test_one(const bench_facts *facts)
{
    bench_lookalike_options options = { .seed = 1, .value_type = SPMV_F64, .threads = 1 };
    spmv_error error = { SPMV_OK, "" };
    bench_matrix *matrix, *other;

    if (!ok(!bench_lookalike_create(facts, &options, &matrix, &error),
            "%s: is made", facts->name)) {
        diag("%s", error.text);
        return;
    }
    const char *missed = find_missed(facts, &matrix->csr), *fault = find_fault(&matrix->csr);
    ok(!*missed, "%s: rows, columns, nonzeros, shortest and longest row are the facts'%s%s",
       facts->name, *missed ? "; not so " : "", missed);
    ok(!*fault, "%s: columns ascend, values are mixed%s%s", facts->name, *fault ? "; but " : "",
       fault);
    if (facts->nnz <= SMALL) {
        const uint64_t hash = hash_matrix(&matrix->csr);
        options = (bench_lookalike_options){ .seed = 1, .value_type = SPMV_F32, .wide = true,
                                             .threads = 3 };
        const bool made = !bench_lookalike_create(facts, &options, &other, &error);
        ok(made && hash_matrix(&other->csr) == hash,
           "%s: the same from three threads, in f32 and with 64-bit row pointers", facts->name);
        bench_matrix_destroy(other);
    }
    bench_matrix_destroy(matrix);
}

static void test_table(int64_t limit)
{
    size_t count;
    const bench_facts *facts = bench_facts_all(&count);

    ok(count == 48, "there are 48 matrices");
    for (size_t i = 0; i < count; i++) {
        if (facts[i].nnz <= limit)
            test_one(&facts[i]);
        else
            diag("%s: left out; --all makes it", facts[i].name);
    }
}

/* Hashes for seed 1. They change only if look-alikes are meant to change; results that were
 * measured before then no longer compare. */
static void test_goldens(void)
{
    static const struct {
        const char *name;
        uint64_t hash;
    } golden[] = {
        { "Circuit", UINT64_C(0xbd42ffa9805b5ef1) }, { "dc2", UINT64_C(0xe3a3811787d06bb0) },
        { "QCD", UINT64_C(0x429c57a9126f38df) }, { "raefsky3", UINT64_C(0xde86136060f7563d) },
        { "Stanford", UINT64_C(0x955a1e6fa0e49a75) },
    };

    for (size_t i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        const bench_lookalike_options options = { .seed = 1, .value_type = SPMV_F64 };
        spmv_error error;
        bench_matrix *matrix;
        uint64_t hash = 0;
        if (!bench_lookalike_create(bench_facts_find(golden[i].name), &options, &matrix, &error))
            hash = hash_matrix(&matrix->csr);
        if (!ok(hash == golden[i].hash, "%s: the same bytes on every machine", golden[i].name))
            diag("now 0x%016llx", (unsigned long long)hash);
        bench_matrix_destroy(matrix);
    }
}

static void test_seeds(void)
{
    bench_lookalike_options options = { .seed = 1, .value_type = SPMV_F64 };
    spmv_error error;
    uint64_t hash[3];
    static const char *const name[3] = { "dc2", "dc2", "ibm-dc1" };

    for (int i = 0; i < 3; i++) {
        bench_matrix *matrix;
        options.seed = i == 1 ? 2 : 1;
        const bench_facts *facts = bench_facts_find(name[i]);
        const bool made = !bench_lookalike_create(facts, &options, &matrix, &error);
        hash[i] = made ? hash_matrix(&matrix->csr) : 0;
        ok(made && !*find_missed(facts, &matrix->csr), "%s, seed %d: the facts hold", name[i],
           (int)options.seed);
        bench_matrix_destroy(matrix);
    }
    ok(hash[0] != hash[1], "another seed gives another matrix");
    ok(hash[0] != hash[2], "matrices of the same sizes are different ones");
}

/* Entries that are at the same place of both matrices, over the entries of one. */
static double share_of_same_places(const spmv_csr *a, const spmv_csr *b)
{
    int64_t same = 0;

    for (int64_t r = 0; r < a->rows; r++) {
        int64_t k = bench_csr_offset(a, r), i = bench_csr_offset(b, r);
        while (k < bench_csr_offset(a, r + 1) && i < bench_csr_offset(b, r + 1)) {
            const int32_t left = a->col_idx[k], right = b->col_idx[i];
            same += left == right;
            k += left <= right;
            i += right <= left;
        }
    }
    return (double)same / (double)a->nnz;
}

/* Whether two numbers differ by at most this share of the larger, or by `least`. */
static bool is_near(double a, double b, double share, double least)
{
    return fabs(a - b) <= fmax(share * fmax(a, b), least);
}

/* Returns the statistic by which two seeds of one class differ too much, or "". Lengths are those
 * of whole nodes; the longest hundredth of the rows are few, so they differ more. */
static const char *find_other_statistic(const bench_statistics *a, const bench_statistics *b,
                                        int32_t node)
{
    for (int q = 0; q < BENCH_QUANTILES; q++)
        if (!is_near((double)a->quantile[q], (double)b->quantile[q],
                     bench_quantile_points[q] < 990000 ? 0.1 : 0.33, node))
            return "row lengths";
    return !is_near(a->empty, b->empty, 0.1, 0.01) ? "empty rows"
         : !is_near(a->run, b->run, 0.1, 0) ? "runs"
         : !is_near(a->distance, b->distance, 0.2, 0.01) ? "distance"
         : !is_near(a->kept, b->kept, 0.1, 0) ? "entries kept from row to row"
         : !is_near(a->lines, b->lines, 0.1, 0) ? "lines of x"
         : !is_near(a->hubs, b->hubs, 0.1, 0.01) ? "hubs" : "";
}

/* Seeds draw matrices of one kind: other places, the same statistics. */
static void test_statistics_of_seeds(void)
{
    static const char *const name[] = { "Circuit", "dc2", "raefsky3", "Stanford" };

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        const bench_facts *facts = bench_facts_find(name[i]);
        bench_matrix *matrix[2] = { NULL, NULL };
        bench_statistics statistics[2];
        spmv_error error;
        bench_model model;
        bool made = bench_model_of(facts, &model);
        for (int s = 0; s < 2; s++) {
            const bench_lookalike_options options = { .seed = (uint64_t)s + 1,
                                                      .value_type = SPMV_F64 };
            made = made && !bench_lookalike_create(facts, &options, &matrix[s], &error) &&
                   !bench_statistics_compute(&matrix[s]->csr, &statistics[s]);
        }
        if (ok(made, "%s: made from two seeds", name[i])) {
            const double same = share_of_same_places(&matrix[0]->csr, &matrix[1]->csr);
            const char *other = find_other_statistic(&statistics[0], &statistics[1],
                                                     model.node);
            ok(same < 0.75, "%s: another seed has other columns: %.0f %% are the same", name[i],
               100 * same);
            ok(!*other, "%s: and the same statistics%s%s", name[i], *other ? "; not so " : "",
               other);
        }
        bench_matrix_destroy(matrix[0]);
        bench_matrix_destroy(matrix[1]);
    }
}

/* ---- names --------------------------------------------------------------------------------- */

static void test_names(void)
{
    static const char *const same[][2] = {
        { "FEM/Spheres", "Williams/consph" }, { "consph", "fem/spheres" },
        { "Wind Tunnel", "wind_tunnel" }, { "wind-tunnel", "PWTK" }, { "spheres", "consph" },
        { "dc1", "ibm-dc1" }, { "Dense", "dense2" }, { "pre2", "att-pre2" },
    };
    char hint[128];
    size_t count;
    const bench_facts *facts = bench_facts_all(&count);
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += bench_facts_find(facts[i].name) == &facts[i] &&
                 (bench_facts_find(facts[i].suitesparse) == &facts[i] ||
                  strncmp(facts[i].name, "csr_adaptive/", 13) == 0);
    ok(found == count, "each matrix is found by both of its names");
    ok(bench_facts_find("ldoor")->nnz == 46522475, "what two papers print differently is one's");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        ok(bench_facts_find(same[i][0]) && bench_facts_find(same[i][0]) ==
           bench_facts_find(same[i][1]), "'%s' and '%s' are one", same[i][0], same[i][1]);
    ok(!bench_facts_find("") && !bench_facts_find("cant.mtx") && !bench_facts_find("FEM/"),
       "nothing else is found");
    ok(strcmp(bench_facts_suggest(hint, sizeof hint, "conshp"), "; did you mean 'consph'?") == 0,
       "a slip of the finger is understood");
    ok(!*bench_facts_suggest(hint, sizeof hint, "xyzzy"), "nonsense is not");
}

/* ---- models -------------------------------------------------------------------------------- */

static void test_models(void)
{
    size_t count;
    const bench_model *model = bench_models(&count);

    for (size_t i = 0; i < count; i++) {
        int64_t weights = 0;
        bool ascends = true;
        for (int q = 1; q < BENCH_QUANTILES; q++)
            ascends = ascends && model[i].quantile[q] >= model[i].quantile[q - 1];
        for (int w = 0; w < BENCH_PIECES; w++)
            weights += model[i].weight[w];
        ok(ascends && weights > 0 && model[i].node > 0 && model[i].patch > 0 && model[i].run > 0 &&
           model[i].longer < BENCH_WHOLE, "%s: lengths ascend, pieces can be drawn",
           model[i].kind);
    }
    const bench_facts *facts = bench_facts_all(&count);
    for (size_t i = 0; i < count; i++) {
        bench_model own;
        if (!bench_model_of(&facts[i], &own))
            ok(false, "%s: its class has a model", facts[i].name);
    }
}

/* Unusual facts that a matrix can have. */
static bench_facts draw_facts(bench_random *random, const char *kind)
{
    bench_facts f = { .name = "drawn", .suitesparse = "drawn", .kind = kind,
                      .rows = 1 + bench_random_below(random, 200),
                      .cols = 1 + bench_random_below(random, 200), .row_avg = BENCH_UNKNOWN };

    f.row_min = bench_random_below(random, 1 + bench_random_below(random, f.cols + 1));
    f.row_max = f.row_min + bench_random_below(random, f.cols - f.row_min + 1);
    if (f.rows == 1)
        f.row_max = f.row_min;
    const int64_t least = f.row_max + (f.rows - 1) * f.row_min;
    const int64_t most = f.row_min + (f.rows - 1) * f.row_max;
    f.nnz = least + bench_random_below(random, most - least + 1);
    if (bench_random_below(random, 4) == 0)
        f.row_min = BENCH_UNKNOWN;
    if (bench_random_below(random, 4) == 0)
        f.row_max = BENCH_UNKNOWN;
    return f;
}

static void test_any_facts(void)
{
    enum { DRAWS = 100 };
    bench_random random = { 7 };
    size_t count;
    const bench_model *model = bench_models(&count);

    for (size_t i = 0; i < count; i++) {
        int refused = 0, wrong = 0;
        for (int n = 0; n < DRAWS; n++) {
            const bench_facts facts = draw_facts(&random, model[i].kind);
            const bench_lookalike_options options = { .seed = (uint64_t)n, .value_type = SPMV_F32 };
            spmv_error error;
            bench_matrix *matrix;
            if (bench_lookalike_create(&facts, &options, &matrix, &error)) {
                diag("%s", error.text);
                refused++;
                continue;
            }
            wrong += *find_missed(&facts, &matrix->csr) || *find_fault(&matrix->csr);
            bench_matrix_destroy(matrix);
        }
        ok(refused == 0 && wrong == 0, "%s: %d odd sets of facts hold (%d refused, %d wrong)",
           model[i].kind, DRAWS, refused, wrong);
    }
}

/* ---- structures that are known ------------------------------------------------------------- */

static void test_exact(void)
{
    static const char *const name[] = { "mc2depi", "conf5_4-8x8-05", "pwtk" };

    for (int i = 0; i < 3; i++) {
        bench_facts facts = *bench_facts_find(name[i]);
        int64_t side;
        ok((bench_exact_find(&facts, &side) != NULL) == (i < 2), "%s: is %sknown exactly", name[i],
           i < 2 ? "" : "not ");
        facts.nnz++;
        ok(!bench_exact_find(&facts, &side), "%s: with one entry more it is not", name[i]);
    }
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void test_refusals(void)
{
    static const struct {
        const char *why, *expected;
        bench_facts facts;
    } bad[] = {
        { "too many entries", "do not fit into 2 x 2", { "m", "m", "web", 2, 2, 5, 0, -1, 2 } },
        { "a row wider than the matrix", "<= 4 columns", { "m", "m", "web", 4, 4, 8, 0, 2, 5 } },
        { "shortest above longest", "shortest <= longest", { "m", "m", "web", 4, 4, 8, 3, 2, 2 } },
        { "another average", "are 2 to 2", { "m", "m", "web", 4, 4, 8, 0, 3, 4 } },
        { "too few entries for the bounds",
          "cannot have 4",
          { "m", "m", "fem", 4, 4, 4, 2, 1, 3 } },
        { "too many for the bounds", "cannot have 12", { "m", "m", "fem", 4, 4, 12, 1, 3, 3 } },
        { "entries without rows", "do not fit into 0 x 4", { "m", "m", "web", 0, 4, 1, 0, 0, 3 } },
        { "too many rows", "2^31 - 1", { "m", "m", "web", INT64_C(1) << 31, 4, 8, 0, 0, 4 } },
        { "negative sizes", "2^31 - 1", { "m", "m", "web", -1, 4, 8, 0, 0, 4 } },
        { "an unknown class",
          "no class of matrices is called 'round'",
          { "m", "m", "round", 4, 4, 8, 0, 2, 4 } },
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const bench_lookalike_options options = { .seed = 1, .value_type = SPMV_F64 };
        spmv_error error = { SPMV_OK, "" };
        bench_matrix *matrix;
        const spmv_status status =
            bench_lookalike_create(&bad[i].facts, &options, &matrix, &error);
        ok(status && !matrix && strncmp(error.text, "m: ", 3) == 0 &&
               strstr(error.text, bad[i].expected),
           "%s: refused with the reason", bad[i].why);
        diag("%s", error.text);
        bench_matrix_destroy(matrix);
    }
    bench_facts nothing = { "m", "m", "web", 0, 0, 0, BENCH_UNKNOWN, 0, BENCH_UNKNOWN };
    const bench_lookalike_options options = { .seed = 1, .value_type = SPMV_F64 };
    spmv_error error;
    bench_matrix *matrix;
    ok(!bench_lookalike_create(&nothing, &options, &matrix, &error),
       "no rows and no columns are fine");
    bench_matrix_destroy(matrix);
}

int main(int argc, char **argv)
{
    const bool all = argc > 1 && strcmp(argv[1], "--all") == 0;

    test_names();
    test_models();
    test_exact();
    test_refusals();
    test_any_facts();
    test_seeds();
    test_statistics_of_seeds();
    test_goldens();
    test_table(all ? INT64_MAX : MEDIUM);
    return tap_done();
}
