/* choice.c: candidates, their costs, and why there is none.
 *
 * A module may be chosen if it passes every filter of one table; the same table explains which
 * filter left nothing. Nothing is shared; everything may run at once.
 */
#include "runtime/plan/choice.h"

#include "runtime/base/debug.h"
#include "runtime/base/error.h"
#include "runtime/module/layout.h"
#include "runtime/base/edit_distance.h"
#include "runtime/plan/settings.h"
#include "runtime/base/text.h"
#include "runtime/base/types.h"

#include <inttypes.h>
#include <string.h>

/* ---- filters ------------------------------------------------------------------------------- */

typedef struct filter {
    const char *phrase;          /* continues "no module"; %s is what is wanted */
    /* What the request wants, NULL if it does not mind. */
    const char *(*wanted)(const spmv_device *device, const spmv_request *request);
    const char *(*key)(const spmv_module_entry *entry);   /* what a module has */
} filter;

static const char *wanted_method(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return request->method;
}

static const char *wanted_target(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return request->target;
}

static const char *wanted_device_target(const spmv_device *device, const spmv_request *request)
{
    (void)request;
    return device->target;
}

static const char *wanted_value(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return spmv_value_name(request->csr->value_type);
}

static const char *wanted_offset(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return spmv_offset_name(request->csr->offset_type);
}

static const char *wanted_device(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    (void)request;
    return "this device runs";
}

static const char *wanted_cpu(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    (void)request;
    return "this CPU can";
}

static const char *wanted_bits(const spmv_device *device, const spmv_request *request)
{
    (void)device;
    return request->method == NULL ? "the same bits every time" : NULL;
}

static const char *key_method(const spmv_module_entry *entry)
{
    return entry->module->method;
}

static const char *key_target(const spmv_module_entry *entry)
{
    return entry->module->target;
}

static const char *key_value(const spmv_module_entry *entry)
{
    return spmv_value_name(entry->module->value_type);
}

static const char *key_offset(const spmv_module_entry *entry)
{
    return spmv_offset_name(entry->module->offset_type);
}

static const char *key_device(const spmv_module_entry *entry)
{
    return entry->state == SPMV_MODULE_OTHER_DEVICE ? entry->why : "this device runs";
}

static const char *key_cpu(const spmv_module_entry *entry)
{
    return entry->state == SPMV_MODULE_LACKS_CPU ? "it is for other CPUs" : "this CPU can";
}

static const char *key_bits(const spmv_module_entry *entry)
{
    return entry->module->determinism == SPMV_SAME_BITS ? "the same bits every time"
                                                        : "benchmark only, to be asked for by name";
}

static const filter filters[] = {
    {"of method '%.64s'", wanted_method, key_method},
    {"of the device's only target '%.64s'", wanted_device_target, key_target},
    {"of target '%.64s'", wanted_target, key_target},
    {"for %s values", wanted_value, key_value},
    {"with %s row pointers", wanted_offset, key_offset},
    {"that %s", wanted_device, key_device},
    {"and %s run", wanted_cpu, key_cpu},
    {"that gives %s", wanted_bits, key_bits},
};

enum { FILTER_COUNT = sizeof filters / sizeof filters[0] };

/* Does the module pass the first `count` filters? */
static int passes(const spmv_device *device, const spmv_request *request,
                  const spmv_module_entry *entry, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *wanted = filters[i].wanted(device, request);
        if (wanted != NULL && strcmp(wanted, filters[i].key(entry)) != 0)
            return 0;
    }
    return 1;
}

/* ---- why there is none --------------------------------------------------------------------- */

/* The least key greater than `after` of the modules that pass `count` filters; NULL: no more. */
static const char *next_key(const spmv_device *device, const spmv_request *request, size_t count,
                            const char *after)
{
    const char *least = NULL;

    for (size_t i = 0; i < device->modules.count; i++) {
        const spmv_module_entry *entry = &device->modules.entry[i];
        const char *key = filters[count].key(entry);

        if (passes(device, request, entry, count) && (after == NULL || strcmp(key, after) > 0) &&
            (least == NULL || strcmp(key, least) < 0))
            least = key;
    }
    return least;
}

/* Appends what there is instead of what the filter wants, the nearest name first. */
static void add_alternatives(spmv_text *text, const spmv_device *device,
                             const spmv_request *request, size_t index)
{
    const char *wanted = filters[index].wanted(device, request);
    const char *nearest = NULL;
    const char *separator = "; there is ";

    for (const char *key = NULL; (key = next_key(device, request, index, key)) != NULL;)
        if (filters[index].key != key_device && spmv_name_is_near(wanted, key) &&
            (nearest == NULL ||
             spmv_name_distance(wanted, key) < spmv_name_distance(wanted, nearest)))
            nearest = key;
    if (nearest != NULL) {
        spmv_text_add(text, "; did you mean '%s'?", nearest);
        separator = " There is ";
    }
    if (filters[index].key == key_device)
        separator = ": ";
    if (filters[index].key == key_cpu)
        separator = "; ";
    for (const char *key = NULL; (key = next_key(device, request, index, key)) != NULL;) {
        spmv_text_add(text, "%s%.64s", separator, key);
        separator = ", ";
    }
}

static spmv_status explain_none(const spmv_device *device, const spmv_request *request,
                                spmv_error *err)
{
    char words[sizeof err->text];
    spmv_text text = spmv_text_begin(words, sizeof words);

    if (device->modules.count == 0)
        return spmv_error_set(err, SPMV_UNSUPPORTED,
                              "the device has no modules; link emitted ones in, or add them with "
                              "spmv_device_add_modules or spmv_device_load_modules");
    spmv_text_add(&text, "no module");
    for (size_t i = 0; i < FILTER_COUNT; i++) {
        const char *wanted = filters[i].wanted(device, request);
        int left = 0;

        if (wanted == NULL)
            continue;
        spmv_text_add(&text, " ");
        spmv_text_add(&text, filters[i].phrase, wanted);
        for (size_t j = 0; j < device->modules.count && !left; j++)
            left = passes(device, request, &device->modules.entry[j], i + 1);
        if (!left) {
            if (filters[i].wanted == wanted_device_target)
                spmv_text_add(&text, " (by %s)", device->target_origin);
            add_alternatives(&text, device, request, i);
            break;
        }
    }
    return spmv_error_set(err, SPMV_UNSUPPORTED, "%s", words);
}

/* ---- candidates ---------------------------------------------------------------------------- */

/* Asks the module for its layout of the request's matrix. */
static spmv_status size_layout(const spmv_module *module, const spmv_request *request,
                               spmv_layout *layout, spmv_error *err)
{
    int64_t setting[SPMV_MAX_SETTINGS] = {0};
    const spmv_status status = spmv_settings_read(module, request->settings, setting, err);

    return status != SPMV_OK ? status
                             : spmv_layout_size(module, request->csr, setting, layout, err);
}

/* Is the module of `index` one of this method, and does it pass? */
static int is_eligible(const spmv_device *device, const spmv_request *request, const char *method,
                       size_t index)
{
    const spmv_module_entry *entry = &device->modules.entry[index];

    return strcmp(entry->module->method, method) == 0 &&
           passes(device, request, entry, FILTER_COUNT);
}

/* Is an earlier module of the same method eligible? Then it was asked first. */
static int was_asked(const spmv_device *device, const spmv_request *request, size_t index)
{
    const char *method = device->modules.entry[index].module->method;

    for (size_t i = 0; i < index; i++)
        if (is_eligible(device, request, method, i))
            return 1;
    return 0;
}

enum { CONVERSION_RUNS = 8 };    /* fewer do not pay for a conversion, or hardly */

/* Is the method out of the question, since it converts the matrix? Then it is not asked: to ask all of those takes
 * as long as a multiplication, or two. */
static int is_too_dear(const spmv_request *request, const spmv_module *module,
                       spmv_candidate_entry *entry, spmv_error *fault)
{
    if (request->method != NULL || !module->ops->converts || request->runs >= CONVERSION_RUNS)
        return 0;
    *fault = (spmv_error){SPMV_OK, ""};
    spmv_error_set(fault, SPMV_UNSUPPORTED, "it converts the matrix, which %" PRId32 " expected "
                   "multiplication%s would not pay for", request->runs, request->runs == 1 ? "" : "s");
    spmv_candidate_leave_out(entry, module, fault->text);
    return 1;
}

/* Fills the entry with the method's module of the highest rank that takes the matrix, from the one at
 * `index` on, and writes its layout. Where none does, `fault` says why the first did not. */
static void ask_method(const spmv_device *device, const spmv_request *request, size_t index,
                       spmv_candidate_entry *entry, spmv_layout *layout, spmv_error *fault)
{
    const spmv_module *first = device->modules.entry[index].module;

    if (is_too_dear(request, first, entry, fault))
        return;
    *fault = (spmv_error){SPMV_OK, ""};
    for (size_t i = index; i < device->modules.usable_count; i++) {
        const spmv_module *module = device->modules.entry[i].module;
        spmv_error *first_fault = fault->status == SPMV_OK ? fault : NULL;

        if (!is_eligible(device, request, first->method, i))
            continue;
        if (size_layout(module, request, layout, first_fault) != SPMV_OK) {
            spmv_debug_print(device, "  %s: does not take this matrix", module->name);
        } else if (request->method == NULL && (layout->permutes_y || layout->permutes_x)) {
            const char *vector = layout->permutes_y ? "y" : "x";
            spmv_error_set(first_fault, SPMV_UNSUPPORTED, "%.64s has %s in an order of its own: "
                           "options.method must name it", module->name, vector);
            spmv_debug_print(device, "  %s: has %s in an order of its own", module->name, vector);
        } else {
            spmv_debug_print(device, "  %s: cost %.4g, and %.4g to build", module->name,
                             layout->cost, layout->build_cost);
            spmv_candidate_take(entry, module, layout, request->runs);
            return;
        }
    }
    spmv_candidate_leave_out(entry, first, fault->text);
}

/* Adds bytes, or what is worth as many, in the unit that suits. */
static void add_bytes(spmv_text *text, double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;

    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        bytes /= 1000;
    spmv_text_add(text, "%.3g %s", bytes, units[unit]);
}

/* What the first of the sorted candidates is thought to cost, and the second. */
static void add_costs(spmv_text *text, const spmv_candidates *candidates, int32_t runs)
{
    const spmv_candidate_entry *first = &candidates->entry[0], *next = first + 1;
    const char *plural = runs == 1 ? "" : "s";
    size_t count = 0;

    while (count < candidates->count && !candidates->entry[count].is_left_out)
        count++;
    if (count == 1) {
        spmv_text_add(text, "the only one of %zu methods that may be chosen for %" PRId32 " multiplication%s",
                      candidates->count, runs, plural);
        return;
    }
    spmv_text_add(text, "the cheapest of %zu methods for %" PRId32 " multiplication%s, at what moving ", count,
                  runs, plural);
    add_bytes(text, first->cost);
    spmv_text_add(text, " for each and ");
    add_bytes(text, first->build_cost);
    spmv_text_add(text, " to prepare would take");
    if (first->total > 0)
        spmv_text_add(text, "; %.64s, the next, is at %.3g times as much in all", next->module->method,
                      next->total / first->total);
}

static void word_reason(const spmv_device *device, const spmv_request *request, spmv_choice *choice)
{
    spmv_text text = spmv_text_begin(choice->reason, sizeof choice->reason);

    if (request->method != NULL)
        spmv_text_add(&text, "method '%.64s' was asked for", request->method);
    else if (choice->candidates.count == 1)
        spmv_text_add(&text, "the only method for this matrix's types");
    else
        add_costs(&text, &choice->candidates, request->runs);
    if (request->target != NULL)
        spmv_text_add(&text, "; target '%.64s' was asked for", request->target);
    else if (device->target != NULL)
        spmv_text_add(&text, "; target '%.64s' was set by %s", device->target,
                      device->target_origin);
    else
        spmv_text_add(&text, "; target '%.64s' has the highest rank (%d) of those that this %s "
                      "can run and that take the matrix", choice->module->target,
                      (int)choice->module->rank,
                      device->filter.backend != NULL ? "device" : "CPU");
}

/* The one module that a replayed choice names. */
static spmv_status take_replayed(const spmv_request *request, spmv_choice *choice, spmv_error *err)
{
    const spmv_module *module = request->module;
    const spmv_csr *csr = request->csr;
    spmv_text text = spmv_text_begin(choice->reason, sizeof choice->reason);
    spmv_status status;

    if (module->value_type != csr->value_type || module->offset_type != csr->offset_type)
        return spmv_error_set(err, SPMV_STALE,
                              "options.choice is of %.64s, for %s values and %s row pointers; the "
                              "matrix has %s and %s", module->name,
                              spmv_value_name(module->value_type),
                              spmv_offset_name(module->offset_type),
                              spmv_value_name(csr->value_type), spmv_offset_name(csr->offset_type));
    choice->module = module;
    spmv_text_add(&text, "options.choice names it");
    status = size_layout(module, request, &choice->layout, err);
    if (status == SPMV_OK)
        spmv_candidate_take(choice->candidates.entry, module, &choice->layout, request->runs);
    return status;
}

/* Does a candidate method begin with this module? */
static int begins_method(const spmv_device *device, const spmv_request *request, size_t index)
{
    return passes(device, request, &device->modules.entry[index], FILTER_COUNT) &&
           !was_asked(device, request, index);
}

/* Asks all methods; the cheapest is chosen. */
static spmv_status take_cheapest(const spmv_device *device, const spmv_request *request,
                                 spmv_choice *choice, spmv_error *err)
{
    spmv_candidate_entry *entry = choice->candidates.entry;
    spmv_error first_fault = {SPMV_OK, ""};
    double least = 0;

    for (size_t i = 0; i < device->modules.usable_count; i++) {
        spmv_layout layout;
        spmv_error fault;

        if (!begins_method(device, request, i))
            continue;
        ask_method(device, request, i, entry, &layout, &fault);
        if (entry->is_left_out) {
            if (first_fault.status == SPMV_OK)
                first_fault = fault;
        } else if (choice->module == NULL || entry->total < least) {
            choice->module = entry->module;
            least = entry->total;
            choice->layout = layout;
        }
        entry++;
    }
    if (choice->module == NULL)
        return spmv_error_set(err, first_fault.status, "%s", first_fault.text);
    spmv_candidates_sort(&choice->candidates);
    word_reason(device, request, choice);
    return SPMV_OK;
}

spmv_status spmv_choose(const spmv_device *device, const spmv_request *request, spmv_choice *choice,
                        spmv_error *err)
{
    size_t count = request->module != NULL;
    spmv_status status;

    choice->module = NULL;
    for (size_t i = 0; i < device->modules.usable_count && request->module == NULL; i++)
        count += (size_t)begins_method(device, request, i);
    if (count == 0)
        return explain_none(device, request, err);
    if (!spmv_candidates_create(&choice->candidates, count))
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for %zu candidates", count);
    status = request->module != NULL ? take_replayed(request, choice, err)
                                     : take_cheapest(device, request, choice, err);
    if (status != SPMV_OK)
        spmv_candidates_destroy(&choice->candidates);
    return status;
}
