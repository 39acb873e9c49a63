/* selection.c: see selection.h. */
#include "bench/race/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sweep/grid.h"
#include "bench/sweep/name_list.h"
#include "common/did_you_mean.h"
#include "common/fail.h"

enum { NAMES = 128 };            /* limit for targets, methods or settings */

static const char has_more[] =
    "--list shows what there is, --modules FILE.so brings what you emitted";

/* ---- names --------------------------------------------------------------------------------- */

static bool is_listed(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Adds a name unless the list has it. Returns the number of names. */
static size_t add_name(const char **names, size_t count, const char *name)
{
    if (count < NAMES && !is_listed(names, count, name))
        names[count++] = name;
    return count;
}

/* The targets of a sweep are those of its variants. */
static bool is_of_target(const bench_options *options, const bench_candidate *candidate)
{
    return !options->target || candidate->variant || bench_options_sweep(options) ||
           bench_is_listed(options->target, candidate->module->target);
}

static bool is_of_methods(const bench_options *options, const bench_candidate *candidate)
{
    const char *method = candidate->module->method;

    if (candidate->variant)
        return strcmp(candidate->variant->method, method) == 0;
    if (bench_options_sweep(options) && options->modules.count == 0)
        return options->methods.count == 0 && strcmp(method, bench_sweep_baseline) == 0;
    return options->methods.count == 0 ||
           is_listed(options->methods.name, options->methods.count, method);
}

/* Whether the module has the types that options fix. The type of row pointers may depend on the
 * matrix. Modules for symmetric matrices must be named, since most matrices are not symmetric. */
static bool is_asked_for(const bench_options *options, const bench_candidate *candidate)
{
    const char *type = candidate->module->value_type == SPMV_F32 ? "f32" : "f64";
    const char *offset = candidate->module->offset_type == SPMV_I32 ? "i32" : "i64";

    return !candidate->module->ops->transposes &&
           (!candidate->module->ops->symmetric || options->methods.count > 0) &&
           is_of_target(options, candidate) &&
           bench_is_listed(options->type, type) &&
           (!options->offset || strcmp(options->offset, offset) == 0) &&
           is_of_methods(options, candidate);
}

/* Checks one name of --target. */
static bool check_target(const char *target, const bench_devices *devices, spmv_error *error)
{
    const char *targets[NAMES];
    char hint[128];
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const spmv_module *module = bench_devices_module(devices, i).module;
        if (strcmp(target, module->target) == 0)
            return true;
        count = add_name(targets, count, module->target);
    }
    return sg_fail(error, "no usable kernel for target %s%s; %s", target,
                   sg_did_you_mean(hint, sizeof hint, target, targets, count), has_more);
}

static bool check_targets(const bench_options *options, const bench_devices *devices,
                          spmv_error *error)
{
    for (const char *at = options->target; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char target[128];
        snprintf(target, sizeof target, "%.*s", (int)strcspn(at, ","), at);
        if (!check_target(target, devices, error))
            return false;
    }
    return true;
}

static bool check_method(const bench_options *options, const bench_devices *devices,
                         const char *name, spmv_error *error)
{
    const char *methods[NAMES];
    char hint[128];
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const bench_candidate c = bench_devices_module(devices, i);
        if (is_of_target(options, &c))
            count = add_name(methods, count, c.module->method);
    }
    return is_listed(methods, count, name) ||
           sg_fail(error, "no usable kernel of method %s%s%s%s; %s", name, options->target ? " for "
                   "target " : "", options->target ? options->target : "",
                   sg_did_you_mean(hint, sizeof hint, name, methods, count), has_more);
}

/* ---- settings ------------------------------------------------------------------------------ */

/* The filter of a grid: a module's settings. */
static bool has_setting(const void *module, const char *name)
{
    const spmv_method_ops *ops = ((const spmv_module *)module)->ops;

    for (int32_t i = 0; i < ops->setting_count; i++)
        if (strcmp(ops->settings[i].name, name) == 0)
            return true;
    return false;
}

static bool make_grid(const bench_options *options, bench_grid *out, spmv_error *error)
{
    return bench_grid_create("--setting", options->settings.name, options->settings.count, out,
                             error);
}

/* The names of all settings of the selected modules. */
static size_t list_settings(const bench_options *options, const bench_devices *devices,
                            const char **names, const spmv_setting **settings)
{
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const bench_candidate c = bench_devices_module(devices, i);
        const spmv_module *module = c.module;
        for (int32_t k = 0; is_asked_for(options, &c) && k < module->ops->setting_count; k++) {
            const size_t before = count;
            count = add_name(names, count, module->ops->settings[k].name);
            if (count > before)
                settings[before] = &module->ops->settings[k];
        }
    }
    return count;
}

/* A setting of the command line that no selected module has, or without a value; or NULL. */
static bool explain_setting(const bench_options *options, const bench_devices *devices,
                            const char *setting, spmv_error *error)
{
    const spmv_setting *settings[NAMES];
    const char *names[NAMES];
    const size_t count = list_settings(options, devices, names, settings);
    const size_t name_length = strcspn(setting, "=");
    char name[64], hint[128], all[256] = "none";
    size_t length = 0;

    for (size_t i = 0; i < count && length < sizeof all; i++)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s (%lld to %lld)",
                                   i ? ", " : "", names[i], (long long)settings[i]->least,
                                   (long long)settings[i]->most);
    if (!setting[name_length])
        return sg_fail(error, "--setting takes NAME=VALUE, not '%s'; there is %s", setting, all);
    snprintf(name, sizeof name, "%.*s", (int)name_length, setting);
    return sg_fail(error, "--setting %s: no method here has such a setting%s; there is %s", setting,
                   sg_did_you_mean(hint, sizeof hint, name, names, count), all);
}

/* Lets libspmv check the settings, by a plan of a matrix without rows. */
static bool try_settings(bench_candidate candidate, const char *settings, spmv_error *error)
{
    const spmv_module *module = candidate.module;
    static const int64_t row_ptr[] = { 0 };      /* valid as 32-bit offsets too */
    static const char begin[] = "options.settings: ";
    const spmv_csr csr = { .row_ptr = row_ptr, .offset_type = module->offset_type,
                           .value_type = module->value_type };
    const spmv_plan_options options = {
        .struct_size = sizeof options, .method = module->method, .target = module->target,
        .threads = 1, .settings = settings,
    };
    spmv_plan *plan = NULL;
    spmv_error err = { SPMV_OK, "" };
    const spmv_status status = spmv_plan_create(candidate.device, &csr, &options, &plan, &err);
    const char *text = strstr(err.text, begin);

    spmv_plan_destroy(plan);
    return status != SPMV_INVALID_ARGUMENT ||
           sg_fail(error, "--setting of %s: %s", module->method,
                   text ? text + strlen(begin) : err.text);
}

/* Tries every combination of the settings that a candidate's module has. */
static bool try_combinations(const bench_grid *settings, bench_candidate candidate,
                             spmv_error *error)
{
    const spmv_module *module = candidate.module;
    const size_t count = bench_grid_combinations(settings, has_setting, module);
    char text[BENCH_SETTINGS_SIZE];

    for (size_t i = 0; i < count; i++) {
        if (bench_grid_text(settings, has_setting, module, i, ',', text, sizeof text) >=
            sizeof text)
            return sg_fail(error, "--setting of %s: more than %d letters", module->method,
                           (int)sizeof text - 1);
        if (text[0] && !try_settings(candidate, text, error))
            return false;
    }
    return true;
}

static bool check_grid(const bench_options *options, const bench_devices *devices,
                       const bench_grid *settings, spmv_error *error)
{
    bool is_taken[BENCH_MAX_NAMES] = { false };

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const bench_candidate c = bench_devices_module(devices, i);

        if (!is_asked_for(options, &c))
            continue;
        for (size_t k = 0; k < settings->count; k++)
            is_taken[k] = is_taken[k] || has_setting(c.module, settings->axis[k].key);
        if (!try_combinations(settings, c, error))
            return false;
    }
    for (size_t k = 0; k < settings->count; k++) {
        char word[256];
        snprintf(word, sizeof word, "%s=%s", settings->axis[k].key, settings->axis[k].value[0]);
        if (!is_taken[k])
            return explain_setting(options, devices, word, error);
    }
    return true;
}

static bool check_settings(const bench_options *options, const bench_devices *devices,
                           spmv_error *error)
{
    bench_grid settings;

    for (size_t k = 0; k < options->settings.count; k++)
        if (!strchr(options->settings.name[k], '='))
            return explain_setting(options, devices, options->settings.name[k], error);
    if (!make_grid(options, &settings, error))
        return false;
    const bool good = check_grid(options, devices, &settings, error);
    bench_grid_destroy(&settings);
    return good;
}

bool bench_selection_check(const bench_options *options, const bench_devices *devices,
                           spmv_error *error)
{
    const bool sweeps = bench_options_sweep(options);

    /* A sweep has checked its names, and its variants may all be unusable. */
    if (!sweeps && !check_targets(options, devices, error))
        return false;
    for (size_t i = 0; i < options->methods.count && !sweeps; i++)
        if (!check_method(options, devices, options->methods.name[i], error))
            return false;
    return check_settings(options, devices, error);
}

/* ---- the modules of a matrix --------------------------------------------------------------- */

/* A requested method that has no module; NULL: each has one. */
static const char *find_missing(const bench_options *options, const bench_candidate *candidates,
                                size_t count)
{
    for (size_t i = 0; i < options->methods.count; i++) {
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || strcmp(candidates[k].module->method, options->methods.name[i]) == 0;
        if (!found)
            return options->methods.name[i];
    }
    return NULL;
}

/* Whether there are modules for the other value type, but none for the requested one. */
static bool has_other_type_only(const bench_options *options, const bench_devices *devices,
                                spmv_value_type wanted)
{
    bool other = false;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const bench_candidate c = bench_devices_module(devices, i);
        if (!is_of_target(options, &c) || !is_of_methods(options, &c))
            continue;
        if (c.module->value_type == wanted)
            return false;
        other = true;
    }
    return other;
}

static bool every_key(const void *context, const char *key)
{
    (void)context, (void)key;
    return true;
}

size_t bench_selection_most(const bench_options *options, const bench_devices *devices)
{
    bench_grid settings;
    spmv_error error;
    size_t combinations = 1;

    if (make_grid(options, &settings, &error)) {
        combinations = bench_grid_combinations(&settings, every_key, NULL);
        bench_grid_destroy(&settings);
    }
    return bench_devices_module_count(devices) * combinations;
}

/* Adds the candidate with every combination of its settings. Returns the number of candidates. */
static size_t add_combinations(const bench_grid *settings, bench_candidate candidate,
                               bench_candidate *out, size_t count)
{
    const size_t combinations = bench_grid_combinations(settings, has_setting, candidate.module);

    for (size_t i = 0; i < combinations; i++) {
        bench_grid_text(settings, has_setting, candidate.module, i, ',', candidate.settings,
                        sizeof candidate.settings);
        out[count++] = candidate;
    }
    return count;
}

static size_t select_candidates(const bench_options *options, const bench_devices *devices,
                                const spmv_csr *csr, const bench_grid *settings,
                                bench_candidate *out)
{
    const bool all = options->all || options->modules.count > 0;
    const bool each_target = options->target && !bench_options_sweep(options);
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const bench_candidate c = bench_devices_module(devices, i);
        bool taken = !is_asked_for(options, &c) || c.module->value_type != csr->value_type ||
                     c.module->offset_type != csr->offset_type;
        for (size_t k = 0; k < count && !all; k++)
            taken = taken || (out[k].device == c.device &&
                              strcmp(out[k].module->method, c.module->method) == 0 &&
                              (!each_target ||
                               strcmp(out[k].module->target, c.module->target) == 0));
        if (!taken)
            count = add_combinations(settings, c, out, count);
    }
    return count;
}

size_t bench_selection_make(const bench_options *options, const bench_devices *devices,
                            const spmv_csr *csr, bench_candidate *out, spmv_error *error)
{
    bench_grid settings;

    if (!make_grid(options, &settings, error))
        return 0;
    const size_t count = select_candidates(options, devices, csr, &settings, out);
    bench_grid_destroy(&settings);
    const char *missing = bench_options_sweep(options) ? NULL
                                                         : find_missing(options, out, count);
    if (count > 0 && !missing)
        return count;
    const bool other_only = has_other_type_only(options, devices, csr->value_type);
    const char *target = getenv("SPMV_TARGET");
    const bool is_limited = !options->target && target && *target;
    sg_fail(error, "no usable kernel%s%s%s%s%s%.40s%s for f%d values and i%d row pointers; %s",
            missing ? " of method " : "", missing ? missing : "", options->target ? " for target " :
            "", options->target ? options->target : "", is_limited ? " for the target that "
            "SPMV_TARGET names, '" : "", is_limited ? target : "", is_limited ? "'," : "",
            (int)csr->value_type, (int)csr->offset_type,
            !other_only ? has_more : csr->value_type == SPMV_F64 ? "there are kernels for f32 "
            "only: --type f32 takes them" : "there are kernels for f64 only: --type f64 takes "
            "them");
    return 0;
}
