/* test_shipped.c: the project's own pages, methods and tables: all load, all resolve, and
 * values published in papers have the page's line as their origin. */
#define _GNU_SOURCE 1
#include "generator/words/dialect.h"
#include "fixture.h"
#include "generator/method/method.h"
#include "generator/page/target_load.h"

#include <strings.h>

static const char *const types[] = { "f32", "f64" };

static bool has_type(const sg_target *target, const char *type)
{
    const sg_fact *fact = sg_target_fact(target, type);
    return !fact || fact->value.integer;
}

static const sg_method *find_method(const sg_method *const *methods, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(methods[i]->name, name))
            return methods[i];
    return NULL;
}

static void test_all(const char *root)
{
    fixture f = fixture_create(root);
    size_t method_count = 0, target_count = 0, resolved = 0;
    const sg_method *const *methods = sg_method_load_all(f.arena, f.diags, root, &method_count);
    const char *const *targets = sg_target_list(f.arena, f.diags, root, &target_count);

    ok(methods && method_count >= 6 && !*messages(&f), "every params.lua loads");
    ok(target_count >= 13, "every page loads: %zu stand for a device", target_count);
    for (size_t i = 0; i < target_count; i++) {
        const sg_target *target = sg_target_load(f.arena, f.diags, root, targets[i]);
        bool good = target && sg_method_check_assignments(f.diags, target, methods, method_count);
        for (size_t m = 0; good && m < method_count; m++)
            for (size_t t = 0; t < 2; t++) {
                sg_params params;
                if (!has_type(target, types[t]))
                    continue;
                good = sg_method_resolve(f.arena, f.diags, root, methods[m], target, types[t],
                                         &params) &&
                       !params.benchmark_only && good;
                resolved++;
            }
        ok(good, "%s has values for every method and type", targets[i]);
    }
    ok(resolved >= target_count * method_count, "values were resolved: %zu times", resolved);
    if (*messages(&f))
        show(&f);
    fixture_destroy(&f);
}

/* True if --target host requires every CPU flag that a module requires when it is loaded: X86_AVX2
 * is the kernel's avx2. */
static bool requires_all_flags(const sg_lowering *lowering)
{
    static const char prefix[] = "X86_";
    bool all = true;

    for (const char *at = lowering->usable; (at = strstr(at, prefix)) != NULL;) {
        at += strlen(prefix);
        const size_t length = strcspn(at, " |)");
        bool found = false;
        for (const char *const *flag = lowering->cpu_flags; *flag; flag++)
            found = found || (strlen(*flag) == length && !strncasecmp(*flag, at, length));
        if (!found)
            diag("%s: no cpu_flags for %.*s", lowering->isa, (int)length, at);
        all = all && found;
    }
    return all;
}

static void test_tables(const char *root)
{
    fixture f = fixture_create(root);
    size_t count = 0, loaded = 0;
    bool all = true;
    const char *const *targets = sg_target_list(f.arena, f.diags, root, &count);

    for (size_t i = 0; i < count; i++) {
        const sg_target *target = sg_target_load(f.arena, f.diags, root, targets[i]);
        const char *backend = sg_target_string(target, "backend");
        for (size_t t = 0; t < 2 && sg_dialect_exists(root, backend); t++) {
            const sg_lowering *lowering = sg_lowering_load(
                f.arena, f.diags, root, backend, sg_target_string(target, "isa"), types[t]);
            loaded += lowering != NULL;
            all = lowering && requires_all_flags(lowering) && all;
        }
    }
    ok(all, "--target host requires every instruction set that usable() requires");
    ok(loaded >= 12 && !sg_diags_error_count(f.diags),
       "every page's language and instruction set load, where the language exists: %zu", loaded);
    show(&f);
    fixture_destroy(&f);
}

/* ---- published values ------------------------------------------------------------------------ */

typedef struct published {
    const char *target, *type, *method, *param;
    int64_t value;
} published;

static const published values[] = {
    { "intel-i3-5010u", "f32", "speculative", "T", 8 },
    { "intel-i3-5010u", "f32", "speculative", "W", 16 },
    { "intel-i3-5010u", "f32", "speculative", "B", 4 },
    { "intel-i3-5010u", "f32", "speculative", "S", 6 },
    { "intel-i3-5010u", "f32", "speculative", "borders", 1 },
    { "amd-a10-7850k", "f32", "speculative", "T", 64 },
    { "amd-a10-7850k", "f32", "speculative", "W", 16 },
    { "amd-a10-7850k", "f32", "speculative", "B", 2 },
    { "amd-a10-7850k", "f32", "speculative", "S", 2 },
    { "amd-a10-7850k", "f64", "speculative", "T", 64 },
    { "amd-a10-7850k", "f64", "speculative", "W", 8 },
    { "amd-a10-7850k", "f64", "speculative", "B", 2 },
    { "amd-a10-7850k", "f64", "speculative", "S", 5 },
    { "amd-a10-7850k", "f64", "speculative", "borders", 1 },
    { "tegra-k1", "f32", "speculative", "T", 32 },
    { "tegra-k1", "f32", "speculative", "W", 8 },
    { "tegra-k1", "f32", "speculative", "B", 5 },
    { "tegra-k1", "f32", "speculative", "S", 7 },
    { "tegra-k1", "f64", "speculative", "T", 32 },
    { "tegra-k1", "f64", "speculative", "W", 4 },
    { "tegra-k1", "f64", "speculative", "B", 5 },
    { "tegra-k1", "f64", "speculative", "S", 7 },
    { "tegra-k1", "f64", "speculative", "borders", 1 },
    { "xeon-e5-2667v3", "f64", "csr5", "omega", 4 },
    { "xeon-e5-2667v3", "f64", "csr5", "sigma", 16 },
    { "xeon-phi-5110p", "f64", "csr5", "omega", 8 },
    { "xeon-phi-5110p", "f64", "csr5", "sigma", 12 },
    { "gtx-980", "f64", "csr5", "omega", 32 },
    { "gtx-980", "f64", "csr5", "r", 4 },
    { "gtx-980", "f64", "csr5", "s", 32 },
    { "gtx-980", "f64", "csr5", "t", 256 },
    { "gtx-980", "f64", "csr5", "u", 4 },
    { "gtx-980", "f32", "csr5", "fast_track", 1 },
    { "gtx-980", "f64", "csr5", "fast_track", 1 },
    { "radeon-r9-290x", "f64", "csr5", "omega", 64 },
    { "radeon-r9-290x", "f32", "csr5", "fast_track", 1 },
    { "radeon-r9-290x", "f64", "csr5", "fast_track", 1 },
    { "firepro-w9100", "f32", "csr_adaptive", "work_group_size", 256 },
    { "firepro-w9100", "f64", "csr_adaptive", "work_group_size", 256 },
    { "firepro-w9100", "f32", "csr_adaptive", "nnz_per_wg", 1024 },
    { "firepro-w9100", "f64", "csr_adaptive", "nnz_per_wg", 1536 },
    { "firepro-w9100", "f32", "csr_adaptive", "nnz_multiplier", 3 },
    { "firepro-w9100", "f64", "csr_adaptive", "nnz_multiplier", 2 },
    { "firepro-w9100", "f32", "csr_adaptive", "num_rows_stream", 2 },
    { "firepro-w9100", "f64", "csr_adaptive", "num_rows_stream", 3 },
    { "firepro-w9100", "f32", "csr_adaptive", "scalar_rows", 129 },
    { "firepro-w9100", "f64", "csr_adaptive", "scalar_rows", 129 },
    { "firepro-w9100", "f64", "csr_adaptive", "long_row", 128 },
    { "firepro-w9100", "f64", "csr_adaptive", "short_row", 32 },
    { "firepro-w9100", "f32", "csr_vector", "whole_group", 1 },
    { "firepro-w9100", "f64", "csr_vector", "whole_group", 1 },
    { "tesla-k20x", "f32", "evc_hyb", "work_group_size", 256 },
    { "tesla-k20x", "f64", "evc_hyb", "work_group_size", 256 },
    { "tesla-k20x", "f64", "evc_hyb", "boundary", 128 },
    { "tesla-k20x", "f64", "evc_hyb", "alignment", 32 },
    { "tesla-k20x", "f64", "evc_hyb", "vcsr_alignment", 32 },
    { "tesla-k20x", "f64", "evc_hyb", "rows_by_longest", 1 },
    { "tesla-k20x", "f64", "evc_hyb", "items_per_row", 256 },
    { "tesla-k20x", "f64", "evc_hyb", "least_items_per_row", 16 },
    { "tesla-k20x", "f64", "evc_hyb", "nonzeros_per_item", 8 },
    { "tesla-k20x", "f64", "evc_hyb", "split_at", 1 << 30 },
    { "tesla-k20x", "f64", "evc_hyb", "first_groups", 1 },
    { "tesla-k20x", "f64", "evc_hyb", "read_only_x", 1 },
    { "tesla-k20x", "f64", "evc_hyb", "ell_storage", 1 },
};

static const sg_param *resolve(fixture *f, const sg_target *target, const char *method,
                               const char *type, const char *param)
{
    size_t count = 0;
    const sg_method *const *methods = sg_method_load_all(f->arena, f->diags, f->root, &count);
    const sg_method *m = find_method(methods, count, method);
    sg_params params;

    if (!m || !target || !sg_method_resolve(f->arena, f->diags, f->root, m, target, type, &params))
        return NULL;
    for (size_t i = 0; i < params.count; i++)
        if (!strcmp(params.param[i].decl->name, param))
            return &params.param[i];
    return NULL;
}

static void test_published(const char *root)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const published *v = &values[i];
        fixture f = fixture_create(root);
        const sg_target *target = sg_target_load(f.arena, f.diags, root, v->target);
        const sg_param *param = resolve(&f, target, v->method, v->type, v->param);
        const char *file = sg_arena_printf(f.arena, "targets/%s.lua", v->target);

        ok(param && param->value == v->value && param->from_page &&
               !strcmp(param->origin.file, file) && param->origin.line > 0,
           "%s: %s.%s.%s is %d, by its page", v->target, v->method, v->type, v->param,
           (int)v->value);
        fixture_destroy(&f);
    }
}

/* The CSR5 paper states <r, s, t, u> of GCN for f64 (3.2), whatever the card; f32 derives sigma. */
static void test_gcn_rule(const char *root)
{
    static const char *const targets[] = { "radeon-r9-290x", "firepro-w9100", "amd-a10-7850k" };
    static const struct {
        const char *param;
        int64_t value;
    } rule[] = { { "sigma", 0 }, { "r", 4 }, { "s", 7 }, { "t", 256 }, { "u", 4 } };

    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        fixture f = fixture_create(root);
        const sg_target *target = sg_target_load(f.arena, f.diags, root, targets[i]);
        bool good = true;

        for (size_t k = 0; k < sizeof rule / sizeof rule[0]; k++) {
            const sg_param *param = resolve(&f, target, "csr5", "f64", rule[k].param);
            good = good && param && param->value == rule[k].value && param->from_page;
        }
        ok(good, "%s: csr5 chooses sigma by <4, 7, 256, 4> in f64", targets[i]);
        const sg_param *sigma = resolve(&f, target, "csr5", "f32", "sigma");
        ok(sigma && sigma->value > 0 && !sigma->from_page, "%s: and derives it in f32", targets[i]);
        fixture_destroy(&f);
    }
}

static void test_facts(const char *root)
{
    static const struct {
        const char *target, *fact;
        int64_t value;
    } facts[] = {
        { "intel-i3-5010u", "f64", 0 },
        { "intel-i3-5010u", "local_memory", 65536 },
        { "intel-i3-5010u", "compute_units", 3 },
        { "intel-i3-5010u", "opencl_version", 200 },
        { "amd-a10-7850k", "compute_units", 8 },
        { "amd-a10-7850k", "local_memory", 65536 },
        { "tegra-k1", "host_bits", 32 },
        { "tegra-k1", "compute_capability", 32 },
        { "tegra-k1", "local_memory", 49152 },
        { "tegra-k1", "simd_width", 32 },
        { "gtx-980", "compute_capability", 52 },
        { "radeon-r9-290x", "opencl_version", 120 },
        { "firepro-w9100", "compute_units", 44 },
        { "firepro-w9100", "local_memory", 65536 },
        { "tesla-k20x", "compute_units", 14 },
        { "tesla-k20x", "compute_capability", 35 },
        { "tesla-k20x", "device_memory", (int64_t)6 << 30 },
        { "xeon-phi-5110p", "simd_bits", 512 },
        { "xeon-e5-2667v3", "simd_bits", 256 },
        { "intel-i3-5010u", "bandwidth", 25600 },
        { "amd-a10-7850k", "bandwidth", 25600 },
        { "tegra-k1", "bandwidth", 14900 },
        { "gtx-980", "bandwidth", 224000 },
        { "radeon-r9-290x", "bandwidth", 345600 },
        { "xeon-phi-5110p", "bandwidth", 320000 },
        { "xeon-e5-2667v3", "bandwidth", 2 * 68300 },
        { "firepro-w9100", "bandwidth", 320000 },
        { "tesla-k20x", "copy_bandwidth", 182750 },
        { "intel-i3-5010u", "l2_cache", 3 * 24 << 10 },
        { "intel-i3-5010u", "l3_cache", 3 << 20 },
        { "tegra-k1", "l2_cache", 128 << 10 },
        { "firepro-w9100", "l2_cache", 1 << 20 },
        { "intel-i3-5010u", "device_memory", (int64_t)8 << 30 },
        { "amd-a10-7850k", "device_memory", (int64_t)8 << 30 },
        { "tegra-k1", "device_memory", (int64_t)2 << 30 },
        { "gtx-980", "device_memory", (int64_t)4 << 30 },
        { "radeon-r9-290x", "device_memory", (int64_t)4 << 30 },
        { "xeon-phi-5110p", "device_memory", (int64_t)8 << 30 },
        { "xeon-e5-2667v3", "device_memory", (int64_t)64 << 30 },
    };
    static const struct {
        const char *target, *fact, *value;
    } words[] = {
        { "intel-i3-5010u", "memory", "svm" },     { "intel-i3-5010u", "cache_sharing", "shared" },
        { "amd-a10-7850k", "memory", "svm" },      { "amd-a10-7850k", "cache_sharing", "snooped" },
        { "tegra-k1", "memory", "unified" },       { "tegra-k1", "cache_sharing", "separate" },
        { "tesla-k20x", "memory", "discrete" },    { "xeon-phi-5110p", "isa", "scalar" },
        { "xeon-e5-2667v3", "isa", "avx2" },       { "tegra-k1", "backend", "cuda" },
        { "radeon-r9-290x", "backend", "opencl" }, { "x86-64-v4", "isa", "avx512" },
    };
    fixture f = fixture_create(root);

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const sg_target *t = sg_target_load(f.arena, f.diags, root, facts[i].target);
        ok(t && sg_target_fact(t, facts[i].fact)->from_page &&
               sg_target_integer(t, facts[i].fact) == facts[i].value,
           "%s states %s", facts[i].target, facts[i].fact);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const sg_target *t = sg_target_load(f.arena, f.diags, root, words[i].target);
        ok(t && !strcmp(sg_target_string(t, words[i].fact), words[i].value), "%s states %s = %s",
           words[i].target, words[i].fact, words[i].value);
    }
    fixture_destroy(&f);
}

/* The rule that derives W gives the authors' choice on each of their three devices. */
static void test_derived(const char *root)
{
    static const struct {
        const char *device, *facts, *type;
        int64_t W;
    } cases[] = {
        { "Intel", "simd_width = 8\nlocal_memory = 65536\nspeculative.B = 4\n", "f32", 16 },
        { "AMD", "simd_width = 64\nlocal_memory = 65536\nspeculative.B = 2\n", "f32", 16 },
        { "AMD", "simd_width = 64\nlocal_memory = 65536\nspeculative.B = 2\n", "f64", 8 },
        { "NVIDIA", "simd_width = 32\nlocal_memory = 49152\nspeculative.B = 5\n", "f32", 8 },
        { "NVIDIA", "simd_width = 32\nlocal_memory = 49152\nspeculative.B = 5\n", "f64", 4 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f = fixture_create(root);
        const char *folder = folder_create(f.arena);
        const char *text = sg_arena_printf(f.arena, "backend = \"x\"\n%s", cases[i].facts);
        const char *path = file_write(f.arena, folder, "x.lua", text, strlen(text));
        const sg_target *target = sg_target_load(f.arena, f.diags, root, path);
        const sg_param *W = resolve(&f, target, "speculative", cases[i].type, "W");
        ok(W && W->value == cases[i].W && !W->from_page, "W is derived as published: %s, %s",
           cases[i].device, cases[i].type);
        folder_destroy(f.arena, folder);
        fixture_destroy(&f);
    }

    fixture f = fixture_create(root);
    const sg_target *target = sg_target_load(f.arena, f.diags, root, "xeon-e5-2667v3");
    const sg_param *omega = resolve(&f, target, "csr5", "f32", "omega");
    ok(omega && omega->value == 8 && !omega->from_page,
       "a value that no paper fixes is derived: csr5.f32.omega from the SIMD width");
    fixture_destroy(&f);
}

static void expect_refused(const char *root, const char *page, const char *expected,
                           const char *name)
{
    fixture f = fixture_create(root);
    const char *folder = folder_create(f.arena);
    const char *path = file_write(f.arena, folder, "x.lua", page, strlen(page));
    const sg_target *target = sg_target_load(f.arena, f.diags, root, path);
    size_t count = 0;
    const sg_method *const *methods = sg_method_load_all(f.arena, f.diags, root, &count);
    bool resolved = target != NULL;

    for (size_t m = 0; target && m < count; m++) {
        sg_params params;
        resolved = sg_method_resolve(f.arena, f.diags, root, methods[m], target, "f64", &params) &&
                   resolved;
    }
    ok(!resolved && says(&f, expected), "%s", name);
    folder_destroy(f.arena, folder);
    fixture_destroy(&f);
}

static void test_bandwidths(const char *root)
{
    expect_refused(root, "inherit \"gtx-980\"\nbandwidth = -224000\n",
                   "x.lua:2:1: error: bandwidth must be from 1 to 1073741824 MB/s, found -224000",
                   "a negative bandwidth");
    expect_refused(root, "inherit \"gtx-980\"\nbandwidth = 22.4\n",
                   "x.lua:2:1: error: bandwidth must be an integer, found the number 22.4",
                   "a fraction of a MB/s, or GB/s");
    expect_refused(root, "inherit \"gtx-980\"\ncopy_bandwith = 182750\n",
                   "x.lua:2:1: error: unknown key 'copy_bandwith'; did you mean 'copy_bandwidth'?",
                   "a slip of the finger in copy_bandwidth");
}

static void test_combinations(const char *root)
{
    expect_refused(root, "inherit \"tegra-k1\"\nspeculative.f64.W = 32\nspeculative.f64.B = 8\n",
                   "x.lua:2:1: error: speculative for f64: the local memory of a work-group",
                   "speculative: more local memory than there is");
    expect_refused(root, "inherit \"tegra-k1\"\nspeculative.f64.B = 32\nspeculative.f64.T = 64\n",
                   "x.lua:2:1: error: speculative for f64: T * B must not exceed",
                   "speculative: a group that is too large");
    expect_refused(root, "inherit \"firepro-w9100\"\ncsr_adaptive.f64.nnz_per_wg = 8192\n",
                   "x.lua:2:1: error: csr_adaptive for f64: nnz_per_wg products must fit",
                   "CSR-Adaptive: more local memory than there is");
    expect_refused(root, "inherit \"firepro-w9100\"\ncsr_adaptive.work_group_size = 512\n",
                   "x.lua:2:1: error: csr_adaptive for f64: work_group_size must not exceed",
                   "CSR-Adaptive: a group that is too large");
    expect_refused(root, "inherit \"firepro-w9100\"\ncsr_adaptive.f64.nnz_per_wg = 1500\n",
                   "x.lua:2:1: error: csr_adaptive for f64: nnz_per_wg must be a multiple",
                   "CSR-Adaptive: unequal work");
    expect_refused(root, "inherit \"tesla-k20x\"\nevc_hyb.alignment = 64\n"
                   "evc_hyb.work_group_size = 32\n",
                   "x.lua:3:1: error: evc_hyb for f64: work_group_size must be a multiple of",
                   "EVC-HYB: half a slice");
    expect_refused(root, "inherit \"generic-c\"\nevc_hyb.lanes = 4\nevc_hyb.alignment = 2\n",
                   "x.lua:3:1: error: evc_hyb for f64: alignment must be a multiple of lanes",
                   "EVC-HYB: half a vector");
    expect_refused(root, "inherit \"generic-c\"\nevc_hyb.items_per_row = 2\n",
                   "x.lua:2:1: error: evc_hyb for f64: items_per_row must be a multiple of lanes",
                   "EVC-HYB: a row that is shared by half a vector");
    expect_refused(root, "inherit \"generic-c\"\nevc_hyb.lanes = 1\nevc_hyb.items_per_row = 128\n",
                   "x.lua:3:1: error: evc_hyb for f64: items_per_row must be at most 32 * lanes",
                   "EVC-HYB: more sums of a row than a CPU has room for");
    expect_refused(root, "inherit \"generic-c\"\nevc_hyb.rows_per_item = 64\n",
                   "x.lua:2:1: error: evc_hyb for f64: rows_per_item * alignment must be at most",
                   "EVC-HYB: more sums of slices than a CPU has room for");
    expect_refused(root, "inherit \"tesla-k20x\"\nevc_hyb.chunk_weight = 1000\n",
                   "x.lua:2:1: error: evc_hyb for f64: chunk_weight must be a multiple of",
                   "EVC-HYB: parts of a row that are not aligned");
    expect_refused(root, "inherit \"tesla-k20x\"\nevc_hyb.items_per_row = 8\n",
                   "x.lua:2:1: error: evc_hyb for f64: least_items_per_row must not exceed",
                   "EVC-HYB: more work-items of a row than there may be");
    expect_refused(root, "inherit \"generic-c\"\nevc_hyb.rows_by_longest = \"yes\"\n",
                   "x.lua:2:1: error: evc_hyb for f64: rows_by_longest must be \"no\" on CPUs",
                   "EVC-HYB: rows of a work-item on a CPU");
    expect_refused(root, "inherit \"generic-c\"\nevc_hyb.nonzeros_per_item = 8\n",
                   "x.lua:2:1: error: evc_hyb for f64: least_items_per_row and nonzeros_per_item "
                   "must be 1 on CPUs",
                   "EVC-HYB: work-items of a row on a CPU");
}

/* ---- sources of values ----------------------------------------------------------------------- */

static bool needs_source(const char *line)
{
    static const char *const exempt[] = { "inherit", "description", "source",         "abstract",
                                        "backend", "rank",        "host_candidate", "--" };

    for (size_t i = 0; i < sizeof exempt / sizeof exempt[0]; i++)
        if (!strncmp(line, exempt[i], strlen(exempt[i])))
            return false;
    return *line && *line != ' ' && *line != '\n';
}

/* Each alias leads to one page, and no page has it as its name. */
static void test_aliases(const char *root)
{
    fixture f = fixture_create(root);
    size_t count = 0;
    const char *const *names = sg_target_list(f.arena, f.diags, root, &count);
    sg_text all = sg_text_in(f.arena);

    sg_text_append(&all, " ");
    for (size_t i = 0; i < count; i++)
        sg_text_printf(&all, "%s ", names[i]);
    for (size_t i = 0; i < count; i++) {
        const sg_target *t = sg_target_load(f.arena, f.diags, root, names[i]);
        const char *aliases = t ? sg_target_string(t, "aliases") : "";
        while (*(aliases += strspn(aliases, " "))) {
            const int length = (int)strcspn(aliases, " ");
            const char *word = sg_arena_printf(f.arena, " %.*s ", length, aliases);
            ok(!strstr(all.data, word), "%s alone is called%s", names[i], word);
            sg_text_append(&all, word + 1);
            aliases += length;
        }
    }
    fixture_destroy(&f);
}

static void test_sources(const char *root)
{
    sg_arena *arena = sg_arena_create();
    const char *folder = sg_path_join(arena, root, "targets");
    const char *const *names = NULL;
    size_t count = 0;

    sg_list_dir(arena, folder, &names, &count);
    for (size_t i = 0; i < count; i++) {
        const char *text = "";
        size_t size = 0, missing = 0;
        if (!sg_ends_with(names[i], ".lua") || !strcmp(names[i], "facts.lua"))
            continue;
        sg_read_file(arena, sg_path_join(arena, folder, names[i]), 1 << 20, &text, &size);
        for (const char *line = text; *line; line += *line == '\n') {
            const size_t length = strcspn(line, "\n");
            const char *copy = sg_arena_strndup(arena, line, length);
            line += length;
            if (needs_source(copy) && !strstr(copy, " -- ")) {
                diag("no source: %s", copy);
                missing++;
            }
        }
        ok(missing == 0 && size > 0, "%s gives the source of every value on its line", names[i]);
    }
    sg_arena_destroy(arena);
}

int main(int argc, char **argv)
{
    const char *root = argc > 1 ? argv[1] : ".";

    test_all(root);
    test_tables(root);
    test_published(root);
    test_gcn_rule(root);
    test_facts(root);
    test_derived(root);
    test_bandwidths(root);
    test_combinations(root);
    test_aliases(root);
    test_sources(root);
    return tap_done();
}
