/* step_cost.c: what a CPU's cycles are worth beside bytes, in the costs that methods are chosen by.
 * A core reads about so many bytes while it computes for a cycle, where cores share the memory.
 * Cycles were fitted to a Zen 5 and a Sapphire Rapids. */

enum { BYTES_A_CYCLE = 5 };

static f64 step_cost(f64 cycles)
{
    return (f64)BYTES_A_CYCLE * cycles;
}
