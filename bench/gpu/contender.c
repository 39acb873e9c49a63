/* contender.c: see contender.h. */
#include "bench/gpu/contender.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/fail.h"

const char *gpu_contender_label(const gpu_contender *contender, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s %s%s%s", contender->name, contender->target,
             contender->detail[0] ? " " : "", contender->detail);
    return buffer;
}

void gpu_contender_fail(gpu_contender *contender, const char *where, const spmv_error *error)
{
    contender->correct = false;
    if (!contender->failure[0])
        snprintf(contender->failure, sizeof contender->failure, "%s: %.640s", where, error->text);
}

/* Sets y to `before`, multiplies once and fetches y. */
static bool multiply(const gpu_contender *c, size_t replica, bool graph, void *result,
                     spmv_error *error)
{
    const gpu_setup *s = c->setup;
    const cudaStream_t stream = s->device->stream;

    return gpu_vectors_reset(s->vectors, s->problem, replica, c->y_permutation, stream, error) &&
           (graph ? gpu_graphs_launch_single(&c->graphs, replica, stream, error)
                  : c->kind->enqueue(c, replica, error)) &&
           GPU_TRY(cudaStreamSynchronize(stream), error) &&
           gpu_vectors_fetch(s->vectors, s->problem, replica, c->y_permutation, stream, result,
                             error);
}

static void check_result(gpu_contender *c, size_t replica, const void *result, spmv_error *error)
{
    const gpu_problem *p = c->setup->problem;
    const bench_verdict v =
        bench_reference_check(p->reference, p->alpha, p->beta, p->before, result, false);

    if (replica == 0 || v.worst > c->verdict.worst)
        c->verdict = v;
    if (v.wrong == 0)
        return;
    sg_fail(error, "replica %zu: %lld rows are wrong; row %lld: expected %.17g within %.3g, found "
            "%.17g", replica, (long long)v.wrong, (long long)v.row, v.expected, v.bound, v.found);
    gpu_contender_fail(c, "wrong result", error);
}

void gpu_contender_check(gpu_contender *contender, bool graph)
{
    const gpu_problem *p = contender->setup->problem;
    const spmv_csr *csr = &p->matrix->csr;
    void *result = malloc((size_t)csr->rows * bench_value_bytes(csr->value_type) + 1);
    spmv_error error = { SPMV_OUT_OF_MEMORY, "out of memory" };

    contender->correct = true;
    if (!result)
        gpu_contender_fail(contender, "check", &error);
    for (size_t i = 0; i < contender->setup->vectors->count && contender->correct; i++) {
        if (multiply(contender, i, graph, result, &error))
            check_result(contender, i, result, &error);
        else
            gpu_contender_fail(contender, graph ? "multiplying by a graph" : "multiplying", &error);
    }
    free(result);
}

static bool time_once(const gpu_contender *c, cudaEvent_t begin, cudaEvent_t end, double *seconds,
                      spmv_error *error)
{
    const cudaStream_t stream = c->setup->device->stream;
    float milliseconds = 0;
    const bool good = GPU_TRY(cudaEventRecord(begin, stream), error) &&
                      c->kind->enqueue(c, 0, error) &&
                      GPU_TRY(cudaEventRecord(end, stream), error) &&
                      GPU_TRY(cudaEventSynchronize(end), error) &&
                      GPU_TRY(cudaEventElapsedTime(&milliseconds, begin, end), error);

    *seconds = 1e-3 * (double)milliseconds;
    return good;
}

void gpu_contender_time_once(gpu_contender *contender)
{
    cudaEvent_t begin = NULL, end = NULL;
    spmv_error error;

    if (!GPU_TRY(cudaEventCreate(&begin), &error) || !GPU_TRY(cudaEventCreate(&end), &error) ||
        !time_once(contender, begin, end, &contender->once_seconds, &error))
        gpu_contender_fail(contender, "timing one multiplication", &error);
    if (begin)
        cudaEventDestroy(begin);
    if (end)
        cudaEventDestroy(end);
}

static bool enqueue(const void *contender, size_t replica, spmv_error *error)
{
    const gpu_contender *c = contender;

    return c->kind->enqueue(c, replica, error);
}

bool gpu_contender_capture(gpu_contender *contender, spmv_error *error)
{
    const gpu_graph_source source = {
        .enqueue = enqueue, .context = contender, .stream = contender->setup->device->stream,
        .replicas = contender->setup->vectors->count, .seconds = contender->once_seconds,
    };

    return gpu_graphs_create(&source, &contender->graphs, error);
}

void gpu_contender_destroy(gpu_contender *contender)
{
    gpu_graphs_destroy(&contender->graphs);
    if (contender->kind && contender->state)
        contender->kind->destroy(contender);
    *contender = (gpu_contender){ .kind = NULL };
}
