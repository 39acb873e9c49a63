/* occupancy.c: each resource that the compiler's table lists bounds the number of waves. */
#include "generator/verify/occupancy.h"

#include "generator/base/text.h"

static int64_t fact_of(const sg_target *target, const char *name)
{
    const sg_fact *fact = sg_target_fact(target, name);

    return fact ? fact->value.integer : 0;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Waves per SIMD unit if a compute unit holds this number of work-groups. */
static int64_t waves_of_groups(const sg_target *target, int64_t groups, int64_t group_size)
{
    const int64_t width = fact_of(target, "simd_width"), simds = fact_of(target, "simds");

    return width && simds ? ceil_div(groups * ceil_div(group_size, width), simds) : INT64_MAX;
}

/* Waves per SIMD unit that the resource allows; INT64_MAX if the resource sets no bound, or if the
 * page or the compiler does not state it. */
static int64_t waves_by(const sg_shared_resource *resource, const sg_target *target,
                        const sg_metrics *metrics, int64_t group_size)
{
    const int64_t total = fact_of(target, resource->total);
    const int64_t step = resource->step ? fact_of(target, resource->step) : 1;
    const bool has_metric = resource->metric < SG_METRICS;
    const int64_t share = !has_metric                          ? 1
                          : metrics->known[resource->metric] ? metrics->value[resource->metric]
                                                               : 0;

    if (!total || !step || !share)
        return INT64_MAX;
    const int64_t count = total / (ceil_div(share, step) * step);
    return resource->is_of_groups ? waves_of_groups(target, count, group_size) : count;
}

sg_occupancy sg_occupancy_of(sg_arena *arena, const sg_compiler *compiler, const sg_target *target,
                             const sg_metrics *metrics, int64_t group_size)
{
    const size_t count = compiler->occupancy_count;
    int64_t *waves = sg_arena_alloc(arena, (count + 1) * sizeof *waves);
    sg_occupancy out = { .most = fact_of(target, "waves_per_simd"), .limit = "" };
    sg_text limit = sg_text_in(arena);

    if (!out.most || !count)
        return (sg_occupancy){ .limit = "" };
    out.waves = out.most;
    for (size_t i = 0; i < count; i++) {
        waves[i] = waves_by(&compiler->occupancy[i], target, metrics, group_size);
        if (waves[i] < out.waves)
            out.waves = waves[i];
    }
    if (metrics->known[SG_WAVES])
        out.waves = metrics->value[SG_WAVES];
    for (size_t i = 0; i < count && out.waves < out.most; i++)
        if (waves[i] <= out.waves)
            sg_text_printf(&limit, "%s%s", limit.length ? ", " : "", compiler->occupancy[i].name);
    if (out.waves < out.most)
        out.limit = limit.length ? limit.data : "other resources";
    return out;
}
