/* graphs.h: a contender's multiplications as CUDA graphs: one of each replica, and chains of many.
 *
 * Each replica is captured once. Chains contain these captures as child graphs, one after another,
 * since each capture takes one of the few workspaces of a libspmv plan for good (spmv_enqueue).
 *
 *     single[i]    Ai
 *     chain        A0 A0 A0 ...  (L times)                in L2
 *     rotation     A0 A1 .. Ak A0 A1 .. Ak ...            beyond: whole rounds, at least L
 *
 * L is GPU_CHAIN_LENGTH, or less if a chain would take more than GPU_CHAIN_SECONDS, but at least 1.
 *
 * Graphs refer to the contender's replicas and must be destroyed before them.
 */
#ifndef GPU_GRAPHS_H
#define GPU_GRAPHS_H

#include "bench/gpu/problem.h"

enum { GPU_CHAIN_LENGTH = 20 };
#define GPU_CHAIN_SECONDS 20e-3

/* enqueue(context, i) starts the multiplication with replica i, to be captured, on the stream. */
typedef struct gpu_graph_source {
    bool (*enqueue)(const void *context, size_t replica, spmv_error *error);
    const void *context;
    cudaStream_t stream;
    size_t replicas;
    double seconds;              /* of one multiplication */
} gpu_graph_source;

typedef struct gpu_graphs {
    size_t count;                /* number of replicas; 0: there are no graphs */
    cudaGraphExec_t single[GPU_MAX_REPLICAS];
    cudaGraphExec_t chain, rotation;
    size_t chain_length, rotation_length;    /* in multiplications */
} gpu_graphs;

/* Chains are as long as source->seconds allows. False, with a sentence in error and nothing made,
 * if a multiplication cannot be captured. */
bool gpu_graphs_create(const gpu_graph_source *source, gpu_graphs *out, spmv_error *error);
void gpu_graphs_destroy(gpu_graphs *graphs);         /* all zero is fine */

bool gpu_graphs_launch_single(const gpu_graphs *graphs, size_t replica, cudaStream_t stream,
                              spmv_error *error);
bool gpu_graphs_launch_chain(const gpu_graphs *graphs, bool beyond, cudaStream_t stream,
                             spmv_error *error);

#endif
