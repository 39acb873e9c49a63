/* occupancy.c: each resource that waves share bounds their number. */
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

/* Waves that fit by their registers. all_fact: registers in all; step_fact: those that are given out
 * at once. */
static int64_t by_registers(const sg_target *target, const sg_metrics *metrics, int metric,
                            const char *all_fact, const char *step_fact)
{
    const int64_t all = fact_of(target, all_fact), step = fact_of(target, step_fact);
    const int64_t taken = metrics->value[metric];

    return all && step && metrics->known[metric] && taken
               ? all / (ceil_div(taken, step) * step)
               : INT64_MAX;
}

/* Waves of a SIMD unit where a compute unit holds so many groups. */
static int64_t waves_of_groups(const sg_target *target, int64_t groups, int64_t group_size)
{
    const int64_t width = fact_of(target, "simd_width"), simds = fact_of(target, "simds");

    return width && simds ? ceil_div(groups * ceil_div(group_size, width), simds) : INT64_MAX;
}

sg_occupancy sg_occupancy_of(sg_arena *arena, const sg_target *target, const sg_metrics *metrics,
                             int64_t group_size)
{
    const int64_t local = fact_of(target, "local_memory"), groups = fact_of(target, "work_groups");
    const int64_t local_bytes = metrics->value[SG_LOCAL_BYTES];
    const struct {
        const char *name;
        int64_t waves;
    } bounds[] = {
        { "registers", by_registers(target, metrics, SG_REGISTERS, "registers", "register_step") },
        { "scalar registers", by_registers(target, metrics, SG_SCALAR_REGISTERS, "scalar_registers",
                                           "scalar_register_step") },
        { "local memory", local && local_bytes
                              ? waves_of_groups(target, local / local_bytes, group_size)
                              : INT64_MAX },
        { "work-groups", groups ? waves_of_groups(target, groups, group_size) : INT64_MAX },
    };
    sg_occupancy out = { .most = fact_of(target, "waves_per_simd"), .limit = "" };
    sg_text limit = sg_text_in(arena);

    /* What registers allow is not known of every compiler. */
    if (!out.most || (!metrics->known[SG_REGISTERS] && !metrics->known[SG_WAVES]))
        return (sg_occupancy){ .limit = "" };
    out.waves = out.most;
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (bounds[i].waves < out.waves)
            out.waves = bounds[i].waves;
    if (metrics->known[SG_WAVES])
        out.waves = metrics->value[SG_WAVES];
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0] && out.waves < out.most; i++)
        if (bounds[i].waves <= out.waves)
            sg_text_printf(&limit, "%s%s", limit.length ? ", " : "", bounds[i].name);
    if (out.waves < out.most)
        out.limit = limit.length ? limit.data : "other resources";
    return out;
}
