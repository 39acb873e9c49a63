/* entrant.c: see entrant.h. */
#include "bench/gpu/entrant.h"

#include <stdio.h>
#include <stdlib.h>

const char *gpu_entrant_label(const gpu_entrant *entrant, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s %s%s%s", entrant->name, entrant->target,
             entrant->detail[0] ? " " : "", entrant->detail);
    return buffer;
}

void gpu_entrant_fail(gpu_entrant *entrant, const char *where, const gpu_fault *fault)
{
    entrant->correct = false;
    if (!entrant->failure[0])
        snprintf(entrant->failure, sizeof entrant->failure, "%s: %s", where, fault->text);
}

/* One multiplication, from `before`, of which the result is fetched. */
static bool multiply(const gpu_entrant *e, size_t replica, bool graph, void *result,
                     gpu_fault *fault)
{
    const gpu_setup *s = e->setup;
    const cudaStream_t stream = s->device->stream;

    return gpu_vectors_reset(s->vectors, s->problem, replica, e->y_permutation, stream, fault) &&
           (graph ? gpu_graphs_launch_single(&e->graphs, replica, stream, fault)
                  : e->kind->enqueue(e, replica, fault)) &&
           GPU_TRY(cudaStreamSynchronize(stream), fault) &&
           gpu_vectors_fetch(s->vectors, s->problem, replica, e->y_permutation, stream, result,
                             fault);
}

static void judge(gpu_entrant *e, size_t replica, const void *result, gpu_fault *fault)
{
    const gpu_problem *p = e->setup->problem;
    const bench_verdict v = bench_reference_check(p->reference, p->alpha, p->beta, p->before, result,
                                                  false);

    if (replica == 0 || v.worst > e->verdict.worst)
        e->verdict = v;
    if (v.wrong == 0)
        return;
    snprintf(fault->text, sizeof fault->text, "replica %zu: %lld rows are wrong; row %lld: expected "
             "%.17g within %.3g, found %.17g", replica, (long long)v.wrong, (long long)v.row,
             v.expected, v.bound, v.found);
    gpu_entrant_fail(e, "wrong result", fault);
}

void gpu_entrant_check(gpu_entrant *entrant, bool graph)
{
    const gpu_problem *p = entrant->setup->problem;
    const spmv_csr *csr = &p->matrix->csr;
    void *result = malloc((size_t)csr->rows * bench_value_bytes(csr->value_type) + 1);
    gpu_fault fault = { "out of memory" };

    entrant->correct = true;
    if (!result)
        gpu_entrant_fail(entrant, "check", &fault);
    for (size_t i = 0; i < entrant->setup->vectors->count && entrant->correct; i++) {
        if (multiply(entrant, i, graph, result, &fault))
            judge(entrant, i, result, &fault);
        else
            gpu_entrant_fail(entrant, graph ? "multiplying by a graph" : "multiplying", &fault);
    }
    free(result);
}

static bool time_once(const gpu_entrant *e, cudaEvent_t begin, cudaEvent_t end, double *seconds,
                      gpu_fault *fault)
{
    const cudaStream_t stream = e->setup->device->stream;
    float milliseconds = 0;
    const bool good = GPU_TRY(cudaEventRecord(begin, stream), fault) &&
                      e->kind->enqueue(e, 0, fault) &&
                      GPU_TRY(cudaEventRecord(end, stream), fault) &&
                      GPU_TRY(cudaEventSynchronize(end), fault) &&
                      GPU_TRY(cudaEventElapsedTime(&milliseconds, begin, end), fault);

    *seconds = 1e-3 * (double)milliseconds;
    return good;
}

void gpu_entrant_time_once(gpu_entrant *entrant)
{
    cudaEvent_t begin = NULL, end = NULL;
    gpu_fault fault;

    if (!GPU_TRY(cudaEventCreate(&begin), &fault) || !GPU_TRY(cudaEventCreate(&end), &fault) ||
        !time_once(entrant, begin, end, &entrant->once_seconds, &fault))
        gpu_entrant_fail(entrant, "timing one multiplication", &fault);
    if (begin)
        cudaEventDestroy(begin);
    if (end)
        cudaEventDestroy(end);
}

static bool enqueue(const void *entrant, size_t replica, gpu_fault *fault)
{
    const gpu_entrant *e = entrant;

    return e->kind->enqueue(e, replica, fault);
}

bool gpu_entrant_capture(gpu_entrant *entrant, gpu_fault *fault)
{
    const gpu_graph_source source = {
        .enqueue = enqueue, .context = entrant, .stream = entrant->setup->device->stream,
        .replicas = entrant->setup->vectors->count, .seconds = entrant->once_seconds,
    };

    return gpu_graphs_create(&source, &entrant->graphs, fault);
}

void gpu_entrant_destroy(gpu_entrant *entrant)
{
    gpu_graphs_destroy(&entrant->graphs);
    if (entrant->kind && entrant->state)
        entrant->kind->destroy(entrant);
    *entrant = (gpu_entrant){ .kind = NULL };
}
