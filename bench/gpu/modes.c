/* modes.c: see modes.h. */
#include "bench/gpu/modes.h"

#include "bench/race/timing.h"

const gpu_mode gpu_modes[GPU_MODES] = {
    { "chain_beyond", GPU_CHAIN, true },
    { "launches_beyond", GPU_LAUNCHES, true },
    { "graph_beyond", GPU_GRAPH, true },
    { "chain_in_l2", GPU_CHAIN, false },
    { "launches_in_l2", GPU_LAUNCHES, false },
    { "graph_in_l2", GPU_GRAPH, false },
};

gpu_times gpu_times_of(double *sample, size_t samples, size_t multiplications)
{
    gpu_times times = { .samples = samples, .multiplications = multiplications };

    if (samples == 0)
        return times;
    times.median = bench_median(sample, samples);    /* sorts them */
    times.least = sample[0];
    times.lower = sample[(samples - 1) / 4];
    times.upper = sample[samples - 1 - (samples - 1) / 4];
    return times;
}
