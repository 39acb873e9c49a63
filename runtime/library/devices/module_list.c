/* module_list.c: checking, adding and ordering modules. */
#include "runtime/library/devices/module_list.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/device/program.h"
#include "runtime/library/devices/backend_list.h"
#include "runtime/base/types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- checking one module -------------------------------------------------------------------- */

/* The first fault of a module of the right ABI. NULL: none. */
static const char *module_fault(const spmv_module *module)
{
    const spmv_method_ops *ops = module->ops;
    const struct {
        int bad;
        const char *what;
    } faults[] = {
        {module->name == NULL || module->name[0] == '\0', "it has no name"},
        {module->method == NULL || module->method[0] == '\0', "it names no method"},
        {module->target == NULL || module->target[0] == '\0', "it names no target"},
        {module->generator == NULL, "it names no generator version"},
        {spmv_value_bytes(module->value_type) == 0, "its value_type is unknown"},
        {spmv_offset_bytes(module->offset_type) == 0, "its offset_type is unknown"},
        {module->determinism != SPMV_SAME_BITS && module->determinism != SPMV_BENCHMARK_ONLY,
         "its determinism is unknown"},
        {module->param_count < 0 || (module->param_count > 0 && module->params == NULL),
         "its parameters are missing"},
        {module->usable == NULL, "usable is NULL"},
        {ops == NULL, "ops is NULL"},
        {ops != NULL && (ops->layout_size == NULL || ops->build_steps == NULL ||
                         ops->update_steps == NULL || ops->restore_steps == NULL ||
                         ops->launches == NULL), "one of its ops is NULL"},
        {ops != NULL && (ops->setting_count < 0 || ops->setting_count > SPMV_MAX_SETTINGS ||
                         (ops->setting_count > 0 && ops->settings == NULL)),
         "its settings are missing"},
        {ops != NULL && (ops->number_count < 0 || ops->number_count > SPMV_MAX_NUMBERS ||
                         (ops->number_count > 0 && ops->number_names == NULL &&
                          module->program != NULL)), "the names of its numbers are missing"},
    };

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (faults[i].bad)
            return faults[i].what;
    return NULL;
}

/* The first fault of the module's parameters, settings and numbers. NULL: none. */
static const char *list_fault(const spmv_module *module)
{
    const spmv_method_ops *ops = module->ops;

    for (int32_t i = 0; i < module->param_count; i++)
        if (module->params[i].name == NULL || module->params[i].origin == NULL)
            return "one of its parameters is not described";
    for (int32_t i = 0; i < ops->setting_count; i++) {
        const spmv_setting *setting = &ops->settings[i];
        if (setting->name == NULL || setting->name[0] == '\0' || setting->meaning == NULL)
            return "one of its settings is not described";
        if (setting->initial < setting->least || setting->initial > setting->most)
            return "the initial value of one of its settings is not within its range";
    }
    for (int32_t i = 0; module->program != NULL && i < ops->number_count; i++)
        if (ops->number_names[i] == NULL)
            return "one of its numbers has no name";
    return NULL;
}

static spmv_status check_module(const spmv_module *module, size_t index, const char *where,
                                spmv_error *err)
{
    const char *fault;

    /* With another ABI even the offset of the name is unknown: only `abi` may be read. */
    if (module->abi != SPMV_MODULE_ABI)
        return spmv_error_set(err, SPMV_ABI_MISMATCH,
                              "%s: module %zu (from 0) of the table has ABI %016" PRIx64
                              "; this libspmv %s takes %016" PRIx64
                              ". Emit the modules again with the spmvgen of the same version",
                              where, index, module->abi, SPMV_VERSION, SPMV_MODULE_ABI);
    fault = module_fault(module);
    if (fault == NULL)
        fault = list_fault(module);
    if (fault == NULL && module->program != NULL)
        fault = spmv_program_fault(module->program);
    if (fault != NULL)
        return spmv_error_set(err, SPMV_ABI_MISMATCH,
                              "%s: module %zu (from 0) of the table, '%.64s', is not usable: %s",
                              where, index, module->name != NULL ? module->name : "?", fault);
    return SPMV_OK;
}

/* ---- the list ------------------------------------------------------------------------------ */

static int compare_entries(const void *a, const void *b)
{
    const spmv_module_entry *left = (const spmv_module_entry *)a;
    const spmv_module_entry *right = (const spmv_module_entry *)b;

    if (left->state != right->state)
        return left->state < right->state ? -1 : 1;
    if (left->module->rank != right->module->rank)
        return left->module->rank > right->module->rank ? -1 : 1;
    return strcmp(left->module->name, right->module->name);
}

static const spmv_module_entry *find_by_name(const spmv_module_entry *entry, size_t count,
                                             const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(entry[i].module->name, name) == 0)
            return &entry[i];
    return NULL;
}

/* Whether the device's name matches the program's target. Naming a target overrides the match. */
static int is_for_device(const spmv_program *program, const spmv_module_filter *filter)
{
    return filter->target != NULL ||
           spmv_text_has(spmv_backend_device_name(filter->backend_state), program->match);
}

/* Returns 1 if the device does not run the module, and appends the reason to `why`. */
static int is_refused(const spmv_module *module, const spmv_module_filter *filter, spmv_text *why)
{
    const spmv_program *program = module->program;

    if (filter->backend == NULL && program == NULL)
        return 0;
    if (filter->backend == NULL && spmv_backend_find(program->language) == NULL)
        spmv_text_add(why, "libspmv runs no %.16s", program->language);
    else if (filter->backend == NULL)
        spmv_text_add(why, "it is for %.16s, and the CPU was opened", program->language);
    else if (program == NULL || strcmp(program->language, filter->backend->language) != 0)
        spmv_text_add(why, "its language is another one");
    else if (!is_for_device(program, filter))
        spmv_text_add(why, "its target is another device");
    else
        return filter->backend->refuses(filter->backend_state, module, why);
    return 1;
}

static spmv_module_entry entry_of(const spmv_module *module, const spmv_module_filter *filter)
{
    const int is_other = filter->target != NULL && strcmp(module->target, filter->target) != 0;
    spmv_module_entry entry = { .module = module };
    spmv_text why = spmv_text_begin(entry.why, sizeof entry.why);

    entry.state = is_refused(module, filter, &why) ? SPMV_MODULE_OTHER_DEVICE
                  : !module->usable()              ? SPMV_MODULE_LACKS_CPU
                                                   : SPMV_MODULE_USABLE;
    if (is_other)
        entry.state = SPMV_MODULE_OTHER_TARGET;
    return entry;
}

/* Appends the table's new modules to `entry`, which has room for them, and updates *count. */
static spmv_status append_table(spmv_module_entry *entry, size_t *count,
                                const spmv_module *const *table,
                                const spmv_module_filter *filter, const char *where,
                                spmv_error *err)
{
    for (size_t i = 0; table[i] != NULL; i++) {
        const spmv_module *module = table[i];
        const spmv_module_entry *known = find_by_name(entry, *count, module->name);

        if (known == NULL) {
            entry[*count] = entry_of(module, filter);
            (*count)++;
        } else if (known->module->source_hash != module->source_hash) {
            return spmv_error_set(err, SPMV_INVALID_ARGUMENT,
                                  "%s: the device has another module named '%.64s', with source "
                                  "hash %016" PRIx64 ", this one's is %016" PRIx64 "; to use this "
                                  "one, open the device with no_builtin_modules",
                                  where, module->name, known->module->source_hash,
                                  module->source_hash);
        }
    }
    return SPMV_OK;
}

spmv_status spmv_module_list_add(spmv_module_list *list, const spmv_module *const *table,
                                 const spmv_module_filter *filter, const char *where,
                                 spmv_error *err)
{
    spmv_module_entry *entry = NULL;
    size_t count = list->count;
    size_t table_count = 0;
    spmv_status status;

    for (; table[table_count] != NULL; table_count++) {
        status = check_module(table[table_count], table_count, where, err);
        if (status != SPMV_OK)
            return status;
    }
    if (table_count == 0)
        return SPMV_OK;

    entry = spmv_memory_alloc((count + table_count) * sizeof *entry);
    if (entry == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "%s: no memory for %zu modules", where,
                              count + table_count);
    if (count > 0)
        memcpy(entry, list->entry, count * sizeof *entry);
    status = append_table(entry, &count, table, filter, where, err);
    if (status != SPMV_OK) {
        spmv_memory_free(entry);
        return status;
    }

    qsort(entry, count, sizeof *entry, compare_entries);
    spmv_memory_free(list->entry);
    list->entry = entry;
    list->count = count;
    list->usable_count = 0;
    while (list->usable_count < count && entry[list->usable_count].state == SPMV_MODULE_USABLE)
        list->usable_count++;
    return SPMV_OK;
}

spmv_status spmv_module_list_find(const spmv_module_list *list, const char *name,
                                  uint64_t source_hash, const spmv_module **module,
                                  spmv_error *err)
{
    static const char *const why[] = {
        [SPMV_MODULE_LACKS_CPU] = "it is for other CPUs",
        [SPMV_MODULE_OTHER_TARGET] = "the device was opened for another target",
        [SPMV_MODULE_OTHER_DEVICE] = "the device does not run it",
    };
    const spmv_module_entry *entry = find_by_name(list->entry, list->count, name);

    if (entry == NULL)
        return spmv_error_set(err, SPMV_STALE, "it is of module '%.128s', which the device has "
                              "not; add it, or choose anew", name);
    if (entry->module->source_hash != source_hash)
        return spmv_error_set(err, SPMV_STALE, "it is of module '%.128s' with source hash %016"
                              PRIx64 "; the device's has %016" PRIx64 ", so it was emitted from "
                              "other sources: choose anew", name, source_hash,
                              entry->module->source_hash);
    if (entry->state != SPMV_MODULE_USABLE)
        return spmv_error_set(err, SPMV_STALE, "it is of module '%.128s', which cannot be used: %s",
                              name, why[entry->state]);
    *module = entry->module;
    return SPMV_OK;
}

void spmv_module_list_clear(spmv_module_list *list)
{
    spmv_memory_free(list->entry);
    *list = (spmv_module_list){NULL, 0, 0};
}
