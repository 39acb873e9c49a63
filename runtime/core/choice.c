/* choice.c: see choice.h. Thread-safe: no shared state. */
#include "runtime/core/choice.h"

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/core/selection.h"
#include "runtime/core/shell.h"
#include "runtime/core/storage.h"

#include <inttypes.h>
#include <string.h>

/* ---- candidates ---------------------------------------------------------------------------- */

int32_t spmv_module_can(const spmv_module *module)
{
    const spmv_method_ops *ops = module->ops;

    return (ops->transposes ? SPMV_CAN_TRANSPOSE : 0) | (ops->symmetric ? SPMV_CAN_MIRROR : 0) |
           (ops->widens ? SPMV_CAN_WIDEN : 0);
}

const spmv_form *spmv_form_of(const spmv_request *request, const spmv_module *module)
{
    const spmv_form *form = request->form;

    while ((form->needs & ~spmv_module_can(module)) != 0)
        form++;
    return form;
}

spmv_status spmv_choice_size(const spmv_request *request, const spmv_module *module,
                             spmv_layout *layout, spmv_error *err)
{
    const spmv_form *form = spmv_form_of(request, module);
    int64_t setting[SPMV_MAX_SETTINGS];
    const spmv_status status = spmv_settings_read(module, request->settings, setting, err);

    return status != SPMV_OK ? status
                             : spmv_layout_size(module, form->csr, form->val_type, setting, layout,
                                                err);
}

/* Fills the entry of a module that takes the matrix. Making the module's form counts as
 * building. */
static void take_candidate(spmv_candidate_entry *entry, const spmv_module *module,
                           const spmv_layout *layout, const spmv_request *request)
{
    const spmv_form *form = spmv_form_of(request, module);

    spmv_candidate_take(entry, module, layout, request->runs);
    entry->build_cost += form->cost;
    entry->total += form->cost;
    entry->borrows &= ~form->owns;
    entry->layout_bytes += form->fixed_bytes;
    for (int i = 0; i < SPMV_CSR_ARRAYS; i++)
        if ((layout->borrows >> i & 1) != 0)
            entry->layout_bytes += form->bytes[i];
}

/* Whether module `index` is of this method and is selected. */
static int is_eligible(const spmv_request *request, const char *method, size_t index)
{
    const spmv_module_entry *entry = &request->modules->entry[index];

    return strcmp(entry->module->method, method) == 0 && spmv_is_selected(request, entry);
}

/* Whether an earlier module of the same method is eligible. Its method was asked there. */
static int was_asked(const spmv_request *request, size_t index)
{
    const char *method = request->modules->entry[index].module->method;

    for (size_t i = 0; i < index; i++)
        if (is_eligible(request, method, i))
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
        (!module->ops->converts && spmv_form_of(request, module)->csr != NULL))
        return 0;
    spmv_text_add(&detail, "%" PRId32 " expected multiplication%s", request->runs,
                  request->runs == 1 ? "" : "s");
    spmv_why_not_write(fault, SPMV_UNSUPPORTED, SPMV_CONVERSION_NOT_AMORTISED, runs);
    spmv_candidate_leave_out(entry, module, SPMV_CONVERSION_NOT_AMORTISED, fault->text);
    return 1;
}

/* Fills the entry with the module of highest rank, from module `index` on, that takes the matrix,
 * and writes its layout. If none does, `fault` says why the first did not. */
static void ask_method(const spmv_request *request, size_t index,
                       spmv_candidate_entry *entry, spmv_layout *layout, spmv_error *fault)
{
    const spmv_module *first = request->modules->entry[index].module;
    spmv_why_not why_not = SPMV_NOT_LEFT_OUT;

    fault->status = SPMV_OK;
    fault->text[0] = '\0';
    if (conversion_not_amortised(request, first, entry, fault))
        return;
    if (spmv_form_of(request, first)->csr == NULL) {
        spmv_why_not_write(fault, SPMV_OUT_OF_MEMORY, SPMV_NO_MEMORY,
                           spmv_form_of(request, first)->fault);
        spmv_candidate_leave_out(entry, first, SPMV_NO_MEMORY, fault->text);
        return;
    }
    for (size_t i = index; i < request->modules->usable_count; i++) {
        const spmv_module *module = request->modules->entry[i].module;
        const int is_first_fault = why_not == SPMV_NOT_LEFT_OUT;
        spmv_error *first_fault = is_first_fault ? fault : NULL;
        spmv_why_not reason = SPMV_MATRIX_REFUSED;

        if (!is_eligible(request, first->method, i))
            continue;
        if (spmv_choice_size(request, module, layout, first_fault) == SPMV_OK) {
            char what[96];
            spmv_text detail = spmv_text_begin(what, sizeof what);

            if (request->method != NULL || (!layout->permutes_y && !layout->permutes_x)) {
                take_candidate(entry, module, layout, request);
                return;
            }
            reason = SPMV_OWN_ORDER;
            spmv_text_add(&detail, "%.64s has %s", module->name, layout->permutes_y ? "y" : "x");
            spmv_why_not_write(first_fault, SPMV_UNSUPPORTED, reason, what);
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

static void write_reason(const spmv_request *request, spmv_choice *choice)
{
    const spmv_module *module = choice->module;
    spmv_text text = spmv_text_begin(choice->reason, sizeof choice->reason);

    if (request->method != NULL)
        spmv_text_add(&text, "method '%.64s' was asked for", request->method);
    else if (choice->candidates.count == 1)
        spmv_text_add(&text, "the only method for this matrix's types");
    else
        add_costs(&text, &choice->candidates, request->runs);
    if (request->target_by != NULL)
        spmv_text_add(&text, "; target '%.64s' was set by %s", request->target,
                      request->target_by);
    else if (request->target != NULL)
        spmv_text_add(&text, "; target '%.64s' was asked for", request->target);
    else
        spmv_text_add(&text, "; target '%.64s' has the highest rank (%d) of those that this %s "
                      "can run and that take the matrix", module->target, (int)module->rank,
                      module->program != NULL ? "device" : "CPU");
}

/* Whether this is the first selected module of its method. */
static int begins_method(const spmv_request *request, size_t index)
{
    return spmv_is_selected(request, &request->modules->entry[index]) &&
           !was_asked(request, index);
}

spmv_status spmv_choice_make(const spmv_request *request, spmv_choice *choice, spmv_error *err)
{
    spmv_error first_fault = {SPMV_OK, ""};
    spmv_candidate_entry *entry;
    size_t count = 0;
    double least = 0;

    choice->module = NULL;
    choice->candidates.entry = NULL;
    choice->candidates.count = 0;
    for (size_t i = 0; i < request->modules->usable_count; i++)
        count += (size_t)begins_method(request, i);
    if (count == 0)
        return spmv_selection_is_empty(request, err);
    if (!spmv_candidates_create(&choice->candidates, count))
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for %zu candidates", count);
    entry = choice->candidates.entry;
    for (size_t i = 0; i < request->modules->usable_count; i++) {
        spmv_layout layout;
        spmv_error fault;

        if (!begins_method(request, i))
            continue;
        ask_method(request, i, entry, &layout, &fault);
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
    write_reason(request, choice);
    return SPMV_OK;
}

spmv_status spmv_choice_named(const spmv_request *request, const spmv_module *module,
                              spmv_choice *choice, spmv_error *err)
{
    spmv_text text = spmv_text_begin(choice->reason, sizeof choice->reason);
    spmv_status status;

    choice->module = module;
    spmv_text_add(&text, "options.choice names it");
    if (!spmv_candidates_create(&choice->candidates, 1))
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for a candidate");
    status = spmv_choice_size(request, module, &choice->layout, err);
    if (status == SPMV_OK)
        take_candidate(choice->candidates.entry, module, &choice->layout, request);
    return status;
}
