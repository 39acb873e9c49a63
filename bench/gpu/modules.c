/* modules.c: see modules.h. */
#include "bench/gpu/modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/race/timing.h"
#include "common/fail.h"

/* Settings that change the time of a multiplication, for methods that have them. */
static const struct {
    const char *name;
    int64_t value;
} settings_of_interest[] = {
    { "permuted_y", 1 },         /* y stays in the method's order, without a scatter */
};
enum { SETTINGS = sizeof settings_of_interest / sizeof settings_of_interest[0] };

typedef struct module_state {
    spmv_device *device;
    const spmv_module *module;
    char settings[64];           /* for the plan; may be "" */
    spmv_plan **plan;            /* of each replica */
    size_t count;
} module_state;

/* ---- plans --------------------------------------------------------------------------------- */

/* Waits for the device, since the plan's copies to it may be asynchronous. */
static bool make_plan(const gpu_contender *c, spmv_plan **plan, double *seconds, spmv_error *error)
{
    const module_state *s = c->state;
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = s->module->method, .target = s->module->target,
        .settings = s->settings[0] ? s->settings : NULL,
    };
    const double begin = bench_seconds();
    const spmv_status status =
        spmv_plan_create(s->device, &c->setup->problem->given, &options, plan, error);

    if (status)
        return false;
    const bool good = GPU_TRY(cudaDeviceSynchronize(), error);
    *seconds = bench_seconds() - begin;
    return good;
}

static bool read_info(gpu_contender *c, spmv_error *error)
{
    const module_state *s = c->state;
    spmv_plan_info info = { .struct_size = sizeof info };

    if (spmv_plan_query(s->plan[0], &info) || info.module != s->module || info.x_permutation)
        return sg_fail(error, "the plan is not what was asked for");
    c->y_permutation = info.y_permutation;
    return true;
}

static bool prepare(gpu_contender *c, spmv_error *error)
{
    module_state *s = c->state;
    double seconds[GPU_MAX_REPLICAS];
    spmv_plan *first = NULL;

    s->plan = calloc(c->setup->vectors->count, sizeof *s->plan);
    if (!s->plan)
        return sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
    /* The first plan of a module compiles its program or fetches it from the cache. */
    const bool works = make_plan(c, &first, &c->first_seconds, error);
    spmv_plan_destroy(first);
    while (works && s->count < c->setup->vectors->count) {
        if (!make_plan(c, &s->plan[s->count], &seconds[s->count], error))
            return false;
        s->count++;
    }
    if (!works || !read_info(c, error))
        return false;
    c->prepare_seconds = c->analysis_seconds = bench_median(seconds, s->count);
    return true;
}

static bool enqueue(const gpu_contender *c, size_t replica, spmv_error *error)
{
    const module_state *s = c->state;
    const gpu_problem *p = c->setup->problem;
    const spmv_enqueue_options options = { .struct_size = sizeof options,
                                           .queue = c->setup->device->stream, .err = error };
    const spmv_status status = spmv_enqueue(s->plan[replica], p->alpha,
                                            c->setup->vectors->x[replica], p->beta,
                                            c->setup->vectors->y[replica], &options);

    return !status;
}

static void destroy(gpu_contender *c)
{
    module_state *s = c->state;

    for (size_t i = 0; i < s->count; i++)
        spmv_plan_destroy(s->plan[i]);
    free(s->plan);
    free(s);
}

static const gpu_kind kind = { "spmv", prepare, enqueue, destroy };

/* ---- the list ------------------------------------------------------------------------------ */

static bool has_setting(const spmv_module *module, const char *name)
{
    for (int32_t i = 0; i < module->ops->setting_count; i++)
        if (strcmp(module->ops->settings[i].name, name) == 0)
            return true;
    return false;
}

static bool make(spmv_device *device, const spmv_module *module, const gpu_setup *setup,
                 const char *settings, gpu_contender *out)
{
    module_state *s = calloc(1, sizeof *s);

    if (!s)
        return false;
    s->device = device;
    s->module = module;
    snprintf(s->settings, sizeof s->settings, "%s", settings);
    *out = (gpu_contender){ .kind = &kind, .setup = setup, .state = s };
    snprintf(out->name, sizeof out->name, "%s", module->method);
    snprintf(out->target, sizeof out->target, "%s", module->target);
    snprintf(out->detail, sizeof out->detail, "%s", settings);
    return true;
}

size_t gpu_modules_list(spmv_device *device, const gpu_setup *setup, gpu_contender *out,
                        size_t room, spmv_error *error)
{
    const spmv_csr *csr = &setup->problem->matrix->csr;
    size_t count = 0;

    for (size_t i = 0; i < spmv_device_module_count(device); i++) {
        const spmv_module *module = spmv_device_module(device, i);
        if (module->value_type != csr->value_type || module->offset_type != csr->offset_type ||
            module->ops->transposes || module->ops->symmetric)
            continue;
        for (size_t k = 0; k < SETTINGS + 1; k++) {
            char settings[64] = "";
            if (k > 0 && !has_setting(module, settings_of_interest[k - 1].name))
                continue;
            if (k > 0)
                snprintf(settings, sizeof settings, "%s=%lld", settings_of_interest[k - 1].name,
                         (long long)settings_of_interest[k - 1].value);
            if (count < room && !make(device, module, setup, settings, &out[count]))
                sg_fail(error, "%s", spmv_status_text(SPMV_OUT_OF_MEMORY));
            count++;
        }
    }
    return count;
}
