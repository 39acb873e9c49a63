/* choice.c: see choice.h. Thread-safe: no shared state. */
#include "runtime/core/choice.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/base/types.h"
#include "runtime/core/layout.h"
#include "runtime/core/selection.h"

#if !SPMV_BUNDLE
#include "runtime/library/create/settings.h"
#include "runtime/library/devices/device_debug.h"
#endif

#include <inttypes.h>
#include <string.h>

/* ---- candidates ---------------------------------------------------------------------------- */

/* The matrix that the module gets: the request's, its transpose, or the whole of a triangle. NULL:
 * one of these is needed, but there is none. */
static const spmv_csr *matrix_for(const spmv_module *module, const spmv_request *request)
{
#if SPMV_BUNDLE
    (void)module;
#else
    if (spmv_needs_conversion(module, request->transposed, request->symmetric))
        return request->transpose != NULL ? &request->transpose->csr : NULL;
#endif
    return request->csr;
}

#if !SPMV_BUNDLE
/* Whether the module gets the values that the caller gave, and widens them itself. */
static int gets_given_values(const spmv_module *module, const spmv_request *request)
{
    return module->ops->widens && request->widened != NULL && request->widened->given != NULL;
}
#endif

/* Gets the module's layout of its matrix. */
static spmv_status size_layout(const spmv_module *module, const spmv_request *request,
                               spmv_layout *layout, spmv_error *err)
{
    spmv_csr csr = *matrix_for(module, request);
    int64_t setting[SPMV_MAX_SETTINGS];
    spmv_status status = SPMV_OK;
    int32_t val_type = 0;

    spmv_initial_settings(module, setting);
#if !SPMV_BUNDLE
    status = spmv_settings_read(module, request->settings, setting, err);
    if (gets_given_values(module, request)) {
        csr.val = request->widened->given;
        val_type = SPMV_F32;
    }
#endif
    return status != SPMV_OK ? status
                             : spmv_layout_size(module, &csr, val_type, setting, layout, err);
}

/* Fills the entry of a module that takes the matrix. Widening, transposing and adding mirrors count
 * as building, and a plan keeps what it needs of their results instead of borrowing. */
static void take_candidate(spmv_candidate_entry *entry, const spmv_module *module,
                           const spmv_layout *layout, const spmv_request *request)
{
    spmv_candidate_take(entry, module, layout, request->runs);
#if !SPMV_BUNDLE
    if (request->widened != NULL) {
        const double cost = layout->val_type == 0 ? request->widened->cost : 0;
        entry->build_cost += cost;
        entry->total += cost;
        entry->borrows &= ~SPMV_BORROWS_VAL;
    }
    if (spmv_needs_conversion(module, request->transposed, request->symmetric)) {
        entry->build_cost += request->transpose->cost;
        entry->total += request->transpose->cost;
        entry->layout_bytes += spmv_transpose_bytes(request->transpose, layout->borrows);
        entry->borrows = 0;
    } else if (request->widened != NULL && (layout->borrows & SPMV_BORROWS_VAL) != 0) {
        entry->layout_bytes += spmv_widened_bytes(request->widened);
    }
#endif
}

/* Whether module `index` is of this method and is selected. */
static int is_eligible(const spmv_device *device, const spmv_request *request, const char *method,
                       size_t index)
{
    const spmv_module_entry *entry = &device->modules.entry[index];

    return strcmp(entry->module->method, method) == 0 &&
           spmv_is_selected(device, request, entry);
}

/* Whether an earlier module of the same method is eligible. Its method was asked there. */
static int was_asked(const spmv_device *device, const spmv_request *request, size_t index)
{
    const char *method = device->modules.entry[index].module->method;

    for (size_t i = 0; i < index; i++)
        if (is_eligible(device, request, method, i))
            return 1;
    return 0;
}

/* Leaves out a method that converts the matrix, if few multiplications are expected. Its costs are
 * not computed: for all converting methods that takes as long as one or two multiplications. */
static int conversion_not_amortised(const spmv_request *request, const spmv_module *module,
                                    spmv_candidate_entry *entry, spmv_error *fault)
{
    char runs[64];
    spmv_text detail = spmv_text_begin(runs, sizeof runs);

    if (request->method != NULL || request->runs >= SPMV_CONVERSION_RUNS ||
        (!module->ops->converts && matrix_for(module, request) != NULL))
        return 0;
    spmv_text_add(&detail, "%" PRId32 " expected multiplication%s", request->runs,
                  request->runs == 1 ? "" : "s");
    spmv_why_not_write(fault, SPMV_UNSUPPORTED, SPMV_CONVERSION_NOT_AMORTISED, runs);
    spmv_candidate_leave_out(entry, module, SPMV_CONVERSION_NOT_AMORTISED, fault->text);
    return 1;
}

/* Fills the entry with the module of highest rank, from module `index` on, that takes the matrix,
 * and writes its layout. If none does, `fault` says why the first did not. */
static void ask_method(const spmv_device *device, const spmv_request *request, size_t index,
                       spmv_candidate_entry *entry, spmv_layout *layout, spmv_error *fault)
{
    const spmv_module *first = device->modules.entry[index].module;
    spmv_why_not why_not = SPMV_NOT_LEFT_OUT;

    fault->status = SPMV_OK;
    fault->text[0] = '\0';
    if (conversion_not_amortised(request, first, entry, fault))
        return;
#if !SPMV_BUNDLE
    if (matrix_for(first, request) == NULL) {
        spmv_why_not_write(fault, SPMV_OUT_OF_MEMORY, SPMV_NO_MEMORY, request->no_transpose);
        spmv_candidate_leave_out(entry, first, SPMV_NO_MEMORY, fault->text);
        return;
    }
#endif
    for (size_t i = index; i < device->modules.usable_count; i++) {
        const spmv_module *module = device->modules.entry[i].module;
        const int is_first_fault = why_not == SPMV_NOT_LEFT_OUT;
        spmv_error *first_fault = is_first_fault ? fault : NULL;
        spmv_why_not reason;

        if (!is_eligible(device, request, first->method, i))
            continue;
        if (size_layout(module, request, layout, first_fault) != SPMV_OK) {
            reason = SPMV_MATRIX_REFUSED;
#if !SPMV_BUNDLE
            spmv_debug_print(device, "  %s: does not take this matrix", module->name);
#endif
        } else if (request->method == NULL && (layout->permutes_y || layout->permutes_x)) {
            char what[96];
            const char *vector = layout->permutes_y ? "y" : "x";
            spmv_text detail = spmv_text_begin(what, sizeof what);
            reason = SPMV_OWN_ORDER;
            spmv_text_add(&detail, "%.64s has %s", module->name, vector);
            spmv_why_not_write(first_fault, SPMV_UNSUPPORTED, reason, what);
#if !SPMV_BUNDLE
            spmv_debug_print(device, "  %s: has %s in an order of its own", module->name, vector);
#endif
        } else {
#if !SPMV_BUNDLE
            spmv_debug_print(device, "  %s: cost %.4g, and %.4g to build", module->name,
                             layout->cost, layout->build_cost);
#endif
            take_candidate(entry, module, layout, request);
            return;
        }
        if (is_first_fault)
            why_not = reason;
    }
    spmv_candidate_leave_out(entry, first, why_not, fault->text);
}

/* Adds a number of bytes in a suitable unit. */
static void add_bytes(spmv_text *text, double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;

    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        bytes /= 1000;
    spmv_text_add(text, "%.3g %s", bytes, units[unit]);
}

/* Adds the estimated costs of the first and the second of the sorted candidates. */
static void add_costs(spmv_text *text, const spmv_candidates *candidates, int32_t runs)
{
    const spmv_candidate_entry *first = &candidates->entry[0], *next = first + 1;
    const char *plural = runs == 1 ? "" : "s";
    size_t count = 0;

    while (count < candidates->count && candidates->entry[count].why_not == SPMV_NOT_LEFT_OUT)
        count++;
    if (count == 1) {
        spmv_text_add(
            text, "the only one of %zu methods that may be chosen for %" PRId32 " multiplication%s",
            candidates->count, runs, plural);
        return;
    }
    spmv_text_add(text,
                  "the cheapest of %zu methods for %" PRId32 " multiplication%s, at what moving ",
                  count, runs, plural);
    add_bytes(text, first->cost);
    spmv_text_add(text, " for each and ");
    add_bytes(text, first->build_cost);
    spmv_text_add(text, " to prepare would take");
    if (first->total > 0)
        spmv_text_add(text, "; %.64s, the next, is at %.3g times as much in all",
                      next->module->method, next->total / first->total);
}

static const char *device_kind(const spmv_device *device)
{
#if SPMV_BUNDLE && !SPMV_BUNDLE_DEVICE
    (void)device;
    return "CPU";
#else
    return device->filter.backend != NULL ? "device" : "CPU";
#endif
}

static void write_reason(const spmv_device *device, const spmv_request *request,
                         spmv_choice *choice)
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
#if !SPMV_BUNDLE
    else if (device->target != NULL)
        spmv_text_add(&text, "; target '%.64s' was set by %s", device->target,
                      device->target_origin);
#endif
    else
        spmv_text_add(&text, "; target '%.64s' has the highest rank (%d) of those that this %s "
                      "can run and that take the matrix", choice->module->target,
                      (int)choice->module->rank, device_kind(device));
}

/* Takes the module that options.choice names. */
static spmv_status take_named(const spmv_request *request, spmv_choice *choice, spmv_error *err)
{
    const spmv_module *module = request->module;
    spmv_text text = spmv_text_begin(choice->reason, sizeof choice->reason);
    spmv_status status;

#if !SPMV_BUNDLE
    const spmv_csr *csr = request->csr;

    if (module->value_type != csr->value_type || module->offset_type != csr->offset_type)
        return spmv_error_set(err, SPMV_STALE,
                              "options.choice is of %.64s, for %s values and %s row pointers; the "
                              "matrix has %s and %s", module->name,
                              spmv_value_name(module->value_type),
                              spmv_offset_name(module->offset_type),
                              spmv_value_name(csr->value_type), spmv_offset_name(csr->offset_type));
#endif
    choice->module = module;
    spmv_text_add(&text, "options.choice names it");
    status = size_layout(module, request, &choice->layout, err);
    if (status == SPMV_OK)
        take_candidate(choice->candidates.entry, module, &choice->layout, request);
    return status;
}

/* Whether this is the first selected module of its method. */
static int begins_method(const spmv_device *device, const spmv_request *request, size_t index)
{
    return spmv_is_selected(device, request, &device->modules.entry[index]) &&
           !was_asked(device, request, index);
}

#if !SPMV_BUNDLE
int spmv_choice_has(const spmv_device *device, const spmv_request *request, int converted)
{
    if (request->module != NULL)
        return spmv_needs_conversion(request->module, request->transposed, request->symmetric) ==
               converted;
    for (size_t i = 0; i < device->modules.usable_count; i++) {
        const spmv_module_entry *entry = &device->modules.entry[i];

        if (spmv_needs_conversion(entry->module, request->transposed, request->symmetric) ==
                converted &&
            spmv_is_selected(device, request, entry))
            return 1;
    }
    return 0;
}
#endif

/* Computes the costs of all methods and chooses the cheapest. */
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
        if (entry->why_not != SPMV_NOT_LEFT_OUT) {
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
    write_reason(device, request, choice);
    return SPMV_OK;
}

spmv_status spmv_choice_make(const spmv_device *device, const spmv_request *request,
                             spmv_choice *choice, spmv_error *err)
{
    size_t count = request->module != NULL;
    spmv_status status;

    choice->module = NULL;
    for (size_t i = 0; i < device->modules.usable_count && request->module == NULL; i++)
        count += (size_t)begins_method(device, request, i);
    if (count == 0)
        return spmv_selection_is_empty(device, request, err);
    if (!spmv_candidates_create(&choice->candidates, count))
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for %zu candidates", count);
    status = request->module != NULL ? take_named(request, choice, err)
                                     : take_cheapest(device, request, choice, err);
    if (status != SPMV_OK)
        spmv_candidates_destroy(&choice->candidates);
    return status;
}
