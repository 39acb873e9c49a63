/* trial.c: see trial.h. Thread-safe: no shared state. */
#include "runtime/core/trial.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"

spmv_status spmv_trial_build(const spmv_device *device, const spmv_request *request,
                             const spmv_module *module, const spmv_options *known,
                             const spmv_threads *threads, spmv_plan **out, spmv_error *err)
{
    spmv_request exactly = *request;

    exactly.module = module;
    *out = (spmv_plan *)spmv_memory_alloc_zeroed(sizeof **out);
    if (*out == NULL)
        return spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for another " SPMV_PLAN_WORD);
#if !SPMV_BUNDLE || SPMV_BUNDLE_DEVICE
    (*out)->device = device;
#endif
    (*out)->threads = *threads;
    return spmv_plan_build(device, &exactly, known, *out, err);
}

#if !SPMV_BUNDLE
void spmv_trial_take(spmv_plan **plan, spmv_plan *other)
{
    spmv_candidates_destroy(&other->candidates);
    other->candidates = (*plan)->candidates;
    other->started = (*plan)->started;
    (*plan)->candidates.entry = NULL;
    (*plan)->candidates.count = 0;
    spmv_plan_destroy(*plan);
    *plan = other;
}
#endif

/* Leaves out a candidate that did not fit into memory, and adds its method to the list. */
static void leave_out(spmv_candidate_entry *entry, const spmv_error *fault, spmv_text *list)
{
    const spmv_module *module = entry->module;

    spmv_text_add(list, "%s%.64s", list->length > 0 ? ", " : "", module->method);
    spmv_candidate_leave_out(entry, module, SPMV_NO_MEMORY, fault->text);
}

/* *plan did not fit into memory, as *fault says. Destroys it and builds the cheapest candidate that
 * does fit. On error *plan is NULL. */
static spmv_status fall_back(const spmv_device *device, const spmv_request *request,
                             const spmv_options *known, spmv_plan **plan, spmv_error *fault)
{
    spmv_candidates candidates = (*plan)->candidates;
#if !SPMV_BUNDLE
    const double started = (*plan)->started;
#endif
    const spmv_threads threads = (*plan)->threads;
    spmv_status status = SPMV_OUT_OF_MEMORY;
    char words[sizeof (*plan)->reason / 2];
    spmv_text list = spmv_text_begin(words, sizeof words);
    spmv_text reason;

    (*plan)->candidates.entry = NULL;
    (*plan)->candidates.count = 0;
    for (size_t i = 0; status == SPMV_OUT_OF_MEMORY && i + 1 < candidates.count &&
                       candidates.entry[i + 1].why_not == SPMV_NOT_LEFT_OUT; i++) {
        /* Frees the failed plan's memory before the next is built. */
        spmv_plan_destroy(*plan);
        leave_out(&candidates.entry[i], fault, &list);
        status = spmv_trial_build(device, request, candidates.entry[i + 1].module, known, &threads,
                                  plan, fault);
    }
    if (status != SPMV_OK) {
        spmv_plan_destroy(*plan);
        *plan = NULL;
        spmv_candidates_destroy(&candidates);
        return status;
    }
    spmv_candidates_sort(&candidates);
    spmv_candidates_destroy(&(*plan)->candidates);
    (*plan)->candidates = candidates;
#if !SPMV_BUNDLE
    (*plan)->started = started;
#endif
    reason = spmv_text_begin((*plan)->reason, sizeof (*plan)->reason);
    spmv_text_add(&reason, "the cheapest method that there is memory for; there was none for %s",
                  words);
    return SPMV_OK;
}

spmv_status spmv_trial_build_fitting(const spmv_device *device, const spmv_request *request,
                                     const spmv_options *known, spmv_plan **plan,
                                     spmv_error *fault)
{
    const spmv_status status = spmv_plan_build(device, request, known, *plan, fault);

    if (status != SPMV_OUT_OF_MEMORY || request->method != NULL || request->module != NULL)
        return status;
    return fall_back(device, request, known, plan, fault);
}
