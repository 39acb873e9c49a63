/* selection.c: see selection.h. */
#include "bench/race/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/did_you_mean.h"

enum { NAMES = 128 };            /* limit for targets, methods or settings */

#define fail(...) (snprintf(message, message_bytes, __VA_ARGS__), false)

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

static bool is_of_target(const bench_options *options, const spmv_module *module)
{
    return !options->target || strcmp(options->target, module->target) == 0;
}

static bool is_of_methods(const bench_options *options, const spmv_module *module)
{
    return options->methods.count == 0 ||
           is_listed(options->methods.name, options->methods.count, module->method);
}

/* Whether the module has the types that options fix. The type of row pointers may depend on the
 * matrix. */
static bool is_asked_for(const bench_options *options, const spmv_module *module)
{
    const char *type = module->value_type == SPMV_F32 ? "f32" : "f64";
    const char *offset = module->offset_type == SPMV_I32 ? "i32" : "i64";

    return is_of_target(options, module) && strcmp(options->type, type) == 0 &&
           (!options->offset || strcmp(options->offset, offset) == 0) &&
           is_of_methods(options, module);
}

static bool check_target(const bench_options *options, const bench_devices *devices, char *message,
                         size_t message_bytes)
{
    const char *targets[NAMES];
    char hint[128];
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const spmv_module *module = bench_devices_module(devices, i).module;
        if (is_of_target(options, module))
            return true;
        count = add_name(targets, count, module->target);
    }
    return !options->target ||
           fail("no usable kernel for target %s%s; %s", options->target,
                sg_did_you_mean(hint, sizeof hint, options->target, targets, count), has_more);
}

static bool check_method(const bench_options *options, const bench_devices *devices,
                         const char *name, char *message, size_t message_bytes)
{
    const char *methods[NAMES];
    char hint[128];
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++)
        if (is_of_target(options, bench_devices_module(devices, i).module))
            count = add_name(methods, count, bench_devices_module(devices, i).module->method);
    return is_listed(methods, count, name) ||
           fail("no usable kernel of method %s%s%s%s; %s", name,
                options->target ? " for target " : "", options->target ? options->target : "",
                sg_did_you_mean(hint, sizeof hint, name, methods, count), has_more);
}

/* ---- settings ------------------------------------------------------------------------------ */

static bool has_setting(const spmv_module *module, const char *setting)
{
    const size_t length = strcspn(setting, "=");

    for (int32_t i = 0; i < module->ops->setting_count; i++)
        if (strlen(module->ops->settings[i].name) == length &&
            strncmp(module->ops->settings[i].name, setting, length) == 0)
            return true;
    return false;
}

void bench_selection_settings(const spmv_module *module, const bench_names *settings, char *text,
                              size_t bytes)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t i = 0; i < settings->count; i++)
        if (has_setting(module, settings->name[i]) && length < bytes)
            length += (size_t)snprintf(text + length, bytes - length, "%s%s", length ? "," : "",
                                       settings->name[i]);
}

/* The names of all settings of the selected modules. */
static size_t list_settings(const bench_options *options, const bench_devices *devices,
                            const char **names, const spmv_setting **settings)
{
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const spmv_module *module = bench_devices_module(devices, i).module;
        for (int32_t k = 0; is_asked_for(options, module) && k < module->ops->setting_count; k++) {
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
                            const char *setting, char *message, size_t message_bytes)
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
        return fail("--setting takes NAME=VALUE, not '%s'; there is %s", setting, all);
    snprintf(name, sizeof name, "%.*s", (int)name_length, setting);
    return fail("--setting %s: no method here has such a setting%s; there is %s", setting,
                sg_did_you_mean(hint, sizeof hint, name, names, count), all);
}

/* Lets libspmv check the settings, by a plan of a matrix without rows. */
static bool try_settings(bench_candidate candidate, const char *settings, char *message,
                         size_t message_bytes)
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
           fail("--setting of %s: %s", module->method,
                text ? text + strlen(begin) : err.text);
}

static bool check_settings(const bench_options *options, const bench_devices *devices,
                           char *message, size_t message_bytes)
{
    const bench_names *settings = &options->settings;
    bool is_taken[BENCH_MAX_NAMES] = { false };

    for (size_t k = 0; k < settings->count; k++)
        if (!strchr(settings->name[k], '='))
            return explain_setting(options, devices, settings->name[k], message, message_bytes);
    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const spmv_module *module = bench_devices_module(devices, i).module;
        char text[BENCH_SETTINGS_SIZE];

        if (!is_asked_for(options, module))
            continue;
        for (size_t k = 0; k < settings->count; k++)
            is_taken[k] = is_taken[k] || has_setting(module, settings->name[k]);
        bench_selection_settings(module, settings, text, sizeof text);
        if (text[0] && !try_settings(bench_devices_module(devices, i), text, message,
                                     message_bytes))
            return false;
    }
    for (size_t k = 0; k < settings->count; k++)
        if (!is_taken[k])
            return explain_setting(options, devices, settings->name[k], message, message_bytes);
    return true;
}

bool bench_selection_check(const bench_options *options, const bench_devices *devices,
                           char *message, size_t message_bytes)
{
    if (!check_target(options, devices, message, message_bytes))
        return false;
    for (size_t i = 0; i < options->methods.count; i++)
        if (!check_method(options, devices, options->methods.name[i], message, message_bytes))
            return false;
    return check_settings(options, devices, message, message_bytes);
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
        const spmv_module *module = bench_devices_module(devices, i).module;
        if (!is_of_target(options, module) || !is_of_methods(options, module))
            continue;
        if (module->value_type == wanted)
            return false;
        other = true;
    }
    return other;
}

size_t bench_selection_make(const bench_options *options, const bench_devices *devices,
                            const spmv_csr *csr, bench_candidate *out, char *message,
                            size_t message_bytes)
{
    const bool all = options->all || options->modules.count > 0;
    size_t count = 0;

    for (size_t i = 0; i < bench_devices_module_count(devices); i++) {
        const bench_candidate c = bench_devices_module(devices, i);
        bool taken = !is_asked_for(options, c.module) || c.module->offset_type != csr->offset_type;
        for (size_t k = 0; k < count && !all; k++)
            taken = taken || (out[k].device == c.device &&
                              strcmp(out[k].module->method, c.module->method) == 0);
        if (!taken)
            out[count++] = c;
    }
    const char *missing = find_missing(options, out, count);
    if (count > 0 && !missing)
        return count;
    const bool other_only = has_other_type_only(options, devices, csr->value_type);
    const char *target = getenv("SPMV_TARGET");
    const bool is_limited = !options->target && target && *target;
    snprintf(message, message_bytes, "no usable kernel%s%s%s%s%s%.40s%s for f%d values and i%d "
             "row pointers; %s", missing ? " of method " : "", missing ? missing : "",
             options->target ? " for target " : "", options->target ? options->target : "",
             is_limited ? " for the target that SPMV_TARGET names, '" : "",
             is_limited ? target : "", is_limited ? "'," : "", (int)csr->value_type,
             (int)csr->offset_type, !other_only ? has_more : csr->value_type == SPMV_F64 ?
             "there are kernels for f32 only: --type f32 takes them" :
             "there are kernels for f64 only: --type f64 takes them");
    return 0;
}
