/* measure.c: see measure.h. At most two plans exist at a time, and a pair of vectors. */
#include "runtime/library/create/measure.h"

#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/base/text.h"
#include "runtime/base/types.h"
#include "runtime/core/build.h"

#include <inttypes.h>
#include <string.h>

enum {
    CANDIDATES = 3,              /* to measure, at most */
    RUNS = 10                    /* multiplications of each; the fastest counts. Caches settle
                                    after about eight */
};

/* A candidate whose estimate exceeds this multiple of the lowest estimate is not built. */
static const double cost_limit = 4;

typedef struct vectors {
    void *x, *y;
} vectors;

static int create_vectors(const spmv_plan *plan, vectors *v)
{
    const spmv_layout *layout = &plan->core.layout;
    const spmv_method_ops *ops = plan->core.module->ops;
    const size_t value_bytes = spmv_value_bytes(layout->csr.value_type);

    v->x = spmv_memory_alloc_zeroed((size_t)spmv_layout_x_count(layout, ops) * value_bytes);
    v->y = spmv_memory_alloc_zeroed((size_t)spmv_layout_y_count(layout, ops) * value_bytes);
    return v->x != NULL && v->y != NULL;
}

static void destroy_vectors(vectors *v)
{
    spmv_memory_free(v->x);
    spmv_memory_free(v->y);
}

/* Writes the time of the fastest of RUNS multiplications. Zeros in x take as long as other
 * numbers. */
static spmv_status time_plan(const spmv_plan *plan, const vectors *v, double *seconds,
                             spmv_error *err)
{
    for (int i = 0; i < RUNS; i++) {
        const double start = spmv_seconds_now();
        const spmv_status status = spmv_execute(plan, 1, v->x, 0, v->y, NULL);
        const double taken = spmv_seconds_now() - start;

        if (status != SPMV_OK)
            return spmv_error_set(err, status,
                                  "%.64s was built to be measured, but does not run: %s",
                                  plan->core.module->name, spmv_status_text(status));
        if (i == 0 || taken < *seconds)
            *seconds = taken;
    }
    return SPMV_OK;
}

/* Builds another plan for the request, of this module. On error spmv_plan_destroy frees *out, which
 * may be NULL. */
static spmv_status build_other(const spmv_request *request, const spmv_plan *plan,
                               const spmv_module *module, spmv_plan **out)
{
    spmv_choice choice;
    spmv_status status;

    *out = (spmv_plan *)spmv_memory_alloc_zeroed(sizeof **out);
    if (*out == NULL)
        return SPMV_OUT_OF_MEMORY;
    (*out)->core.threads = plan->core.threads;
    (*out)->device = plan->device;
    (*out)->making = plan->making;
    (*out)->symmetric = plan->symmetric;
    (*out)->savable = plan->savable;
    (*out)->started = plan->started;
    status = spmv_plan_build_named(request, module, &(*out)->core, &choice, NULL);
    spmv_candidates_destroy(&choice.candidates);
    return status;
}

/* Replaces *plan by `other`, which takes over the candidates of *plan. */
static void take_other(spmv_plan **plan, spmv_plan *other)
{
    other->candidates = (*plan)->candidates;
    (*plan)->candidates.entry = NULL;
    (*plan)->candidates.count = 0;
    spmv_plan_destroy(*plan);
    *plan = other;
}

static void write_reason(spmv_plan *plan, size_t measured, int32_t runs)
{
    const spmv_candidate_entry *taken = &plan->candidates.entry[0];
    spmv_text text = spmv_text_begin(plan->reason, sizeof plan->reason);

    spmv_text_add(&text,
                  "the quickest of %zu that were measured: %.3g s to build, and %" PRId32
                  " multiplication%s of %.3g s",
                  measured, taken->build_seconds, runs, runs == 1 ? "" : "s", taken->seconds);
}

/* Moves the chosen candidate to the front; the others keep their order. */
static void move_to_front(spmv_candidates *candidates, size_t index)
{
    const spmv_candidate_entry taken = candidates->entry[index];

    memmove(candidates->entry + 1, candidates->entry, index * sizeof *candidates->entry);
    candidates->entry[0] = taken;
}

spmv_status spmv_plan_measure(const spmv_request *request, spmv_plan **plan, spmv_error *err)
{
    const int32_t runs = request->runs;
    double best = 0;
    size_t measured = 0, taken = 0;
    vectors v = {NULL, NULL};
    spmv_status status = SPMV_OK;

    if ((*plan)->candidates.count < 2)
        return SPMV_OK;
    if (!create_vectors(*plan, &v))
        status = spmv_error_set(err, SPMV_OUT_OF_MEMORY, "no memory for vectors to measure with");
    for (size_t i = 0; i < (*plan)->candidates.count && i < CANDIDATES && status == SPMV_OK; i++) {
        spmv_candidate_entry *entry = &(*plan)->candidates.entry[i];
        spmv_plan *trial = *plan;
        double total;

        if (entry->why_not != SPMV_NOT_LEFT_OUT ||
            entry->total > cost_limit * (*plan)->candidates.entry[0].total)
            break;
        /* A candidate that cannot be built, for lack of memory say, is skipped: *plan remains. */
        if (i > 0 && build_other(request, *plan, entry->module, &trial) != SPMV_OK) {
            spmv_plan_destroy(trial);
            continue;
        }
        status = time_plan(trial, &v, &entry->seconds, err);
        if (status != SPMV_OK) {
            if (trial != *plan)
                spmv_plan_destroy(trial);
            break;
        }
        entry->build_seconds = trial->layout_seconds;
        total = entry->build_seconds + runs * entry->seconds;
        measured++;
        if (i == 0 || total < best) {
            best = total;
            taken = i;
            if (i > 0)
                take_other(plan, trial);
        } else {
            spmv_plan_destroy(trial);
        }
    }
    destroy_vectors(&v);
    if (status != SPMV_OK)
        return status;
    move_to_front(&(*plan)->candidates, taken);
    write_reason(*plan, measured, runs);
    return SPMV_OK;
}
