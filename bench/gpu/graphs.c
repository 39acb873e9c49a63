/* graphs.c: see graphs.h. */
#include "bench/gpu/graphs.h"

/* Captures one multiplication with a replica. A capture must be ended even if it failed. */
static bool capture(const gpu_graph_source *source, size_t replica, cudaGraph_t *out,
                    spmv_error *error)
{
    spmv_error ending;

    *out = NULL;
    if (!GPU_TRY(cudaStreamBeginCapture(source->stream, cudaStreamCaptureModeThreadLocal),
                 error))
        return false;
    const bool enqueued = source->enqueue(source->context, replica, error);
    const bool ended = GPU_TRY(cudaStreamEndCapture(source->stream, out),
                               enqueued ? error : &ending);
    if (enqueued && ended)
        return true;
    if (*out)
        cudaGraphDestroy(*out);
    *out = NULL;
    return false;
}

/* Makes a graph of `length` multiplications, which takes the `count` replicas in turn. */
static bool make_chain(const cudaGraph_t *captured, size_t count, size_t length,
                       cudaGraphExec_t *out, spmv_error *error)
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t before = NULL, node = NULL;
    bool good = GPU_TRY(cudaGraphCreate(&graph, 0), error);

    for (size_t i = 0; i < length && good; i++) {
        good = GPU_TRY(cudaGraphAddChildGraphNode(&node, graph, i > 0 ? &before : NULL, i > 0,
                                                  captured[i % count]), error);
        before = node;
    }
    good = good && GPU_TRY(cudaGraphInstantiateWithFlags(out, graph, 0), error);
    if (graph)
        cudaGraphDestroy(graph);
    return good;
}

static size_t chain_length(double once_seconds)
{
    if (once_seconds * (double)GPU_CHAIN_LENGTH <= GPU_CHAIN_SECONDS)
        return GPU_CHAIN_LENGTH;
    return once_seconds < GPU_CHAIN_SECONDS ? (size_t)(GPU_CHAIN_SECONDS / once_seconds) : 1;
}

bool gpu_graphs_create(const gpu_graph_source *source, gpu_graphs *out, spmv_error *error)
{
    const size_t count = source->replicas;
    cudaGraph_t captured[GPU_MAX_REPLICAS] = { NULL };
    bool good = true;

    *out = (gpu_graphs){ .count = count, .chain_length = chain_length(source->seconds) };
    while (out->rotation_length < out->chain_length)
        out->rotation_length += count;
    for (size_t i = 0; i < count && good; i++)
        good = capture(source, i, &captured[i], error) &&
               GPU_TRY(cudaGraphInstantiateWithFlags(&out->single[i], captured[i], 0), error);
    good = good && make_chain(captured, 1, out->chain_length, &out->chain, error) &&
           make_chain(captured, count, out->rotation_length, &out->rotation, error);
    for (size_t i = 0; i < count; i++)
        if (captured[i])
            cudaGraphDestroy(captured[i]);
    if (!good)
        gpu_graphs_destroy(out);
    return good;
}

void gpu_graphs_destroy(gpu_graphs *graphs)
{
    for (size_t i = 0; i < graphs->count; i++)
        if (graphs->single[i])
            cudaGraphExecDestroy(graphs->single[i]);
    if (graphs->chain)
        cudaGraphExecDestroy(graphs->chain);
    if (graphs->rotation)
        cudaGraphExecDestroy(graphs->rotation);
    *graphs = (gpu_graphs){ .count = 0 };
}

bool gpu_graphs_launch_single(const gpu_graphs *graphs, size_t replica, cudaStream_t stream,
                              spmv_error *error)
{
    return GPU_TRY(cudaGraphLaunch(graphs->single[replica], stream), error);
}

bool gpu_graphs_launch_chain(const gpu_graphs *graphs, bool beyond, cudaStream_t stream,
                             spmv_error *error)
{
    return GPU_TRY(cudaGraphLaunch(beyond ? graphs->rotation : graphs->chain, stream), error);
}
