/* cuda/slots.c: see cuda/slots.h. */
#include "runtime/device/cuda/slots.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"

#include <stdatomic.h>

/* ---- graphs that hold a slot ---------------------------------------------------------------- */

static void release(spmv_cuda_claim *claim)
{
    if (claim != NULL && atomic_fetch_sub(&claim->references, 1) == 1)
        spmv_memory_free(claim);
}

/* The driver calls this in a thread of its own, where calls of CUDA are forbidden, once a graph,
 * its copies and their launches have ended. The plan may have ended before. */
static void let_go(void *data)
{
    spmv_cuda_claim *claim = data;

    atomic_store(&claim->is_held, 0);
    release(claim);
}

/* Lets the graph hold the claim. Where the driver is older than CUDA 11.3, or does not tell the
 * graph, the claim stays held. */
static spmv_cuda_result hand_over(const spmv_cuda_api *api, spmv_cuda_claim *claim,
                                  spmv_cuda_graph graph)
{
    spmv_cuda_user_object object = NULL;
    spmv_cuda_result code;

    if (graph == NULL || api->UserObjectCreate == NULL || api->UserObjectRelease == NULL ||
        api->GraphRetainUserObject == NULL)
        return CU_SUCCESS;
    atomic_fetch_add(&claim->references, 1);
    code = api->UserObjectCreate(&object, claim, let_go, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    if (code != CU_SUCCESS) {
        let_go(claim);
        return code;
    }
    code = api->GraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
    if (code != CU_SUCCESS)
        api->UserObjectRelease(object, 1);
    return code;
}

static spmv_status claim_slot(spmv_cuda_run *run, spmv_cuda_captured *c, spmv_cuda_graph graph)
{
    const spmv_cuda_api *api = &spmv_cuda_state_of(&run->base)->api;
    spmv_cuda_claim *claim = spmv_memory_alloc_zeroed(sizeof *claim);
    spmv_cuda_result code;

    if (claim == NULL)
        return spmv_error_set(run->base.err, SPMV_OUT_OF_MEMORY, "no memory for a capture");
    atomic_store(&claim->references, 1);
    atomic_store(&claim->is_held, 1);
    c->claim = claim;
    code = hand_over(api, claim, graph);
    return code == CU_SUCCESS ? SPMV_OK
                              : spmv_cuda_failed(api, code, "let a graph keep its workspace",
                                                 run->base.err);
}

/* ---- slots of captures ---------------------------------------------------------------------- */

static int is_held(const spmv_cuda_captured *c)
{
    return c->claim != NULL && atomic_load(&c->claim->is_held);
}

/* The capture that a stream takes part in. Its number is 0 if the driver is too old to tell. */
typedef struct capture {
    uint64_t number;
    spmv_cuda_stream stream;
    pthread_t thread;            /* tells the streams apart that threads have by default */
    spmv_cuda_graph graph;
} capture;

static capture capture_of(const spmv_cuda_run *run)
{
    const spmv_cuda_api *api = &spmv_cuda_state_of(&run->base)->api;
    capture found = { .stream = run->stream, .thread = pthread_self() };
    int how = CU_CAPTURE_NONE;

    if (api->StreamGetCaptureInfo == NULL ||
        api->StreamGetCaptureInfo(run->stream, &how, &found.number, &found.graph, NULL, NULL) !=
            CU_SUCCESS) {
        found.number = 0;
        found.graph = NULL;
    }
    return found;
}

/* The slot that an earlier enqueue of the same capture in the same stream has, since the graph runs
 * both in order. NULL: none. The list is locked. */
static spmv_cuda_captured *find_of_capture(spmv_cuda_plan *p, const capture *of)
{
    spmv_cuda_captured *c;

    for (c = p->captured; c != NULL && of->number != 0; c = c->next)
        if (c->number == of->number && c->stream == of->stream && !c->is_taken && is_held(c) &&
            (of->stream != CU_STREAM_PER_THREAD || pthread_equal(c->thread, of->thread)))
            return c;
    return NULL;
}

/* A slot whose graph has been destroyed. NULL: none. The list is locked. */
static spmv_cuda_captured *find_unused(spmv_cuda_plan *p)
{
    spmv_cuda_captured *c;

    for (c = p->captured; c != NULL; c = c->next)
        if (!c->is_taken && !is_held(c))
            return c;
    return NULL;
}

static spmv_cuda_captured *make_captured(spmv_cuda_run *run, spmv_status *status)
{
    spmv_cuda_plan *p = (spmv_cuda_plan *)run->base.p;
    spmv_cuda_state *state = spmv_cuda_state_of(&run->base);
    spmv_cuda_captured *c = spmv_memory_alloc_zeroed(sizeof *c);

    *status = c != NULL ? spmv_slot_make(&p->base, &c->slot.base, run->base.err)
                        : spmv_error_set(run->base.err, SPMV_OUT_OF_MEMORY,
                                         "no memory for a capture");
    if (*status != SPMV_OK) {
        if (c != NULL)
            spmv_slot_free(&p->base, &c->slot.base);
        spmv_memory_free(c);
        return NULL;
    }
    pthread_mutex_lock(&state->captures);
    c->is_taken = 1;
    c->next = p->captured;
    p->captured = c;
    pthread_mutex_unlock(&state->captures);
    return c;
}

static spmv_status take_captured(spmv_cuda_run *run)
{
    spmv_cuda_plan *p = (spmv_cuda_plan *)run->base.p;
    spmv_cuda_state *state = spmv_cuda_state_of(&run->base);
    const capture of = capture_of(run);
    spmv_cuda_captured *c;
    spmv_status status = SPMV_OK;

    pthread_mutex_lock(&state->captures);
    c = find_of_capture(p, &of);
    run->is_follower = c != NULL;
    if (c == NULL)
        c = find_unused(p);
    if (c != NULL)
        c->is_taken = 1;
    pthread_mutex_unlock(&state->captures);
    if (c == NULL && (c = make_captured(run, &status)) == NULL)
        return status;
    run->base.slot = &c->slot.base;
    if (run->is_follower)
        return SPMV_OK;
    release(c->claim);
    c->claim = NULL;
    c->number = of.number;
    c->stream = of.stream;
    c->thread = of.thread;
    status = claim_slot(run, c, of.graph);
    if (status != SPMV_OK)
        spmv_cuda_slots_leave(run);
    return status;
}

/* Without a user object, a slot goes back if the first enqueue of its capture failed. */
static void leave_captured(const spmv_cuda_run *run)
{
    spmv_cuda_captured *c = (spmv_cuda_captured *)(void *)run->base.slot;
    spmv_cuda_state *state = spmv_cuda_state_of(&run->base);

    pthread_mutex_lock(&state->captures);
    if (!run->is_follower && spmv_run_is_failed(&run->base) && c->claim != NULL &&
        atomic_load(&c->claim->references) == 1)
        atomic_store(&c->claim->is_held, 0);
    c->is_taken = 0;
    pthread_mutex_unlock(&state->captures);
}

/* ---- slots in order, and pooled ones -------------------------------------------------------- */

/* Each thread has a stream of its own behind CU_STREAM_PER_THREAD. */
static int take_in_order(spmv_cuda_run *run)
{
    spmv_cuda_plan *p = (spmv_cuda_plan *)run->base.p;
    int not_taken = 0;

    return run->stream == spmv_cuda_state_of(&run->base)->stream &&
           run->stream != CU_STREAM_PER_THREAD &&
           atomic_compare_exchange_strong(&p->in_order_is_taken, &not_taken, 1);
}

static spmv_status make_in_order(spmv_cuda_run *run)
{
    spmv_cuda_plan *p = (spmv_cuda_plan *)run->base.p;
    spmv_slot *slot = &p->in_order.base;
    spmv_status status = SPMV_OK;

    if (!slot->is_made) {
        spmv_cuda_relax(spmv_cuda_state_of(&run->base), &run->scope);
        status = spmv_slot_make(&p->base, slot, run->base.err);
    }
    if (status == SPMV_OK) {
        run->base.slot = slot;
        return SPMV_OK;
    }
    spmv_slot_free(&p->base, slot);
    atomic_store(&p->in_order_is_taken, 0);
    return status;
}

spmv_status spmv_cuda_slots_take(spmv_cuda_run *run, int has_host_steps, int is_captured)
{
    run->kind = is_captured                           ? CU_CAPTURED
                : !has_host_steps && take_in_order(run) ? CU_IN_ORDER
                                                        : CU_POOLED;
    if (run->kind == CU_IN_ORDER)
        return make_in_order(run);
    spmv_cuda_relax(spmv_cuda_state_of(&run->base), &run->scope);
    return is_captured ? take_captured(run) : spmv_cuda_run_take_slot(run, SPMV_SLOT_ANY);
}

void spmv_cuda_slots_leave(spmv_cuda_run *run)
{
    switch (run->kind) {
    case CU_POOLED: spmv_slot_give_back(run->base.p, run->base.slot); break;
    case CU_IN_ORDER:
        atomic_store(&((spmv_cuda_plan *)run->base.p)->in_order_is_taken, 0);
        break;
    case CU_CAPTURED: leave_captured(run); break;
    }
    run->base.slot = NULL;
}

void spmv_cuda_slot_forget(spmv_cuda_slot *slot)
{
    spmv_slot_forget(&slot->base);
    slot->done = NULL;
    slot->is_pending = 0;
}

void spmv_cuda_slots_forget(spmv_cuda_plan *p)
{
    spmv_cuda_slot_forget(&p->in_order);
    for (spmv_cuda_captured *c = p->captured; c != NULL; c = c->next)
        spmv_cuda_slot_forget(&c->slot);
}

void spmv_cuda_slots_clear(spmv_cuda_plan *p)
{
    spmv_slot_free(&p->base, &p->in_order.base);
    while (p->captured != NULL) {
        spmv_cuda_captured *c = p->captured;
        p->captured = c->next;
        spmv_slot_free(&p->base, &c->slot.base);
        release(c->claim);
        spmv_memory_free(c);
    }
}
