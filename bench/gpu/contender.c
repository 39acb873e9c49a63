/* contender.c: see contender.h. */
#include "bench/gpu/contender.h"

#include <stdio.h>
#include <stdlib.h>

const char *gpu_contender_label(const gpu_contender *contender, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s %s%s%s", contender->name, contender->target,
             contender->detail[0] ? " " : "", contender->detail);
    return buffer;
}

void gpu_contender_fail(gpu_contender *contender, const char *where, const gpu_fault *fault)
{
    contender->correct = false;
    if (!contender->failure[0])
        snprintf(contender->failure, sizeof contender->failure, "%s: %s", where, fault->text);
}

/* One multiplication, from `before`, of which the result is fetched. */
static bool multiply(const gpu_contender *c, size_t replica, bool graph, void *result,
                     gpu_fault *fault)
{
    const gpu_setup *s = c->setup;
    const cudaStream_t stream = s->device->stream;

    return gpu_vectors_reset(s->vectors, s->problem, replica, c->y_permutation, stream, fault) &&
           (graph ? gpu_graphs_launch_single(&c->graphs, replica, stream, fault)
                  : c->kind->enqueue(c, replica, fault)) &&
           GPU_TRY(cudaStreamSynchronize(stream), fault) &&
           gpu_vectors_fetch(s->vectors, s->problem, replica, c->y_permutation, stream, result,
                             fault);
}

static void judge(gpu_contender *c, size_t replica, const void *result, gpu_fault *fault)
{
    const gpu_problem *p = c->setup->problem;
    const bench_verdict v = bench_reference_check(p->reference, p->alpha, p->beta, p->before, result,
                                                  false);

    if (replica == 0 || v.worst > c->verdict.worst)
        c->verdict = v;
    if (v.wrong == 0)
        return;
    snprintf(fault->text, sizeof fault->text, "replica %zu: %lld rows are wrong; row %lld: expected "
             "%.17g within %.3g, found %.17g", replica, (long long)v.wrong, (long long)v.row,
             v.expected, v.bound, v.found);
    gpu_contender_fail(c, "wrong result", fault);
}

void gpu_contender_check(gpu_contender *contender, bool graph)
{
    const gpu_problem *p = contender->setup->problem;
    const spmv_csr *csr = &p->matrix->csr;
    void *result = malloc((size_t)csr->rows * bench_value_bytes(csr->value_type) + 1);
    gpu_fault fault = { "out of memory" };

    contender->correct = true;
    if (!result)
        gpu_contender_fail(contender, "check", &fault);
    for (size_t i = 0; i < contender->setup->vectors->count && contender->correct; i++) {
        if (multiply(contender, i, graph, result, &fault))
            judge(contender, i, result, &fault);
        else
            gpu_contender_fail(contender, graph ? "multiplying by a graph" : "multiplying", &fault);
    }
    free(result);
}

static bool time_once(const gpu_contender *c, cudaEvent_t begin, cudaEvent_t end, double *seconds,
                      gpu_fault *fault)
{
    const cudaStream_t stream = c->setup->device->stream;
    float milliseconds = 0;
    const bool good = GPU_TRY(cudaEventRecord(begin, stream), fault) &&
                      c->kind->enqueue(c, 0, fault) &&
                      GPU_TRY(cudaEventRecord(end, stream), fault) &&
                      GPU_TRY(cudaEventSynchronize(end), fault) &&
                      GPU_TRY(cudaEventElapsedTime(&milliseconds, begin, end), fault);

    *seconds = 1e-3 * (double)milliseconds;
    return good;
}

void gpu_contender_time_once(gpu_contender *contender)
{
    cudaEvent_t begin = NULL, end = NULL;
    gpu_fault fault;

    if (!GPU_TRY(cudaEventCreate(&begin), &fault) || !GPU_TRY(cudaEventCreate(&end), &fault) ||
        !time_once(contender, begin, end, &contender->once_seconds, &fault))
        gpu_contender_fail(contender, "timing one multiplication", &fault);
    if (begin)
        cudaEventDestroy(begin);
    if (end)
        cudaEventDestroy(end);
}

static bool enqueue(const void *contender, size_t replica, gpu_fault *fault)
{
    const gpu_contender *c = contender;

    return c->kind->enqueue(c, replica, fault);
}

bool gpu_contender_capture(gpu_contender *contender, gpu_fault *fault)
{
    const gpu_graph_source source = {
        .enqueue = enqueue, .context = contender, .stream = contender->setup->device->stream,
        .replicas = contender->setup->vectors->count, .seconds = contender->once_seconds,
    };

    return gpu_graphs_create(&source, &contender->graphs, fault);
}

void gpu_contender_destroy(gpu_contender *contender)
{
    gpu_graphs_destroy(&contender->graphs);
    if (contender->kind && contender->state)
        contender->kind->destroy(contender);
    *contender = (gpu_contender){ .kind = NULL };
}
