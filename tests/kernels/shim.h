/* shim.h: runs kernels of other devices on this CPU. Their text is compiled as C (opencl_shim.h) or
 * C++ (cuda_shim.h); each work-item is a fiber.
 *
 * The items of a work-group run one after another, each to its next barrier, in an order that is
 * shuffled again at each barrier. Groups run one after another, in shuffled order. So two accesses
 * between the same two barriers happen in either order, as on a device. It is a divergence, which
 * ends the run, if items wait at different barriers, or if some reach the end and others a barrier.
 *
 * Subgroups run one after another, each to a barrier or to a collective (a shuffle,
 * subgroup_barrier). There its items wait for each other, and continue at once or after other
 * subgroups. Items of a subgroup that wait at different places are a divergence, too. A shuffle
 * from a lane that does not exist gives garbage.
 *
 * Local memory holds garbage when a group begins, and AddressSanitizer knows its bounds. Under
 * ThreadSanitizer (fibers.h) each work-item is a thread, ordered only by barriers of its group or
 * subgroup. So ThreadSanitizer also finds races with right results, and races between groups.
 */
#ifndef TEST_SHIM_H
#define TEST_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel, and a function that calls it; argument[i] points to the value of argument i. */
typedef struct shim_kernel {
    const char *name;            /* in the program's text; NULL ends a list */
    void (*call)(const void *const *argument);
} shim_kernel;

/* The kernels of a module's program; written by modules.py. */
typedef struct shim_program {
    const char *module;          /* NULL ends the list */
    const shim_kernel *kernels;
} shim_program;

/* All linked-in programs; NULL if there are none. */
extern const shim_program *shim_programs;

/* NULL: there is no such kernel. */
const shim_kernel *shim_find(const char *module, const char *kernel);

typedef struct shim_shape {
    int64_t groups;              /* work-groups of the launch */
    int32_t items;               /* work-items of each */
    int32_t subgroup;            /* work-items of each subgroup; 0 or 1: no subgroups */
    int32_t local_bytes;         /* upper bound for all local arrays of a group */
} shim_shape;

/* Returns NULL, or the text of a fault. */
const char *shim_run(const shim_kernel *kernel, const void *const *argument, shim_shape shape,
                     uint64_t seed);

/* ---- for the text -------------------------------------------------------------------------- */

extern int64_t shim_group;
extern int32_t shim_item;
void shim_barrier(int line);

/* A local array of the group. Every work-item calls shim_local for all arrays, in the same
 * order. */
void *shim_local(size_t bytes);

/* Collectives of subgroups, which have shim_subgroup items. An exchange returns the `value` (4 or 8
 * bytes) of the item at `place` in the caller's subgroup. */
extern int32_t shim_subgroup;
void shim_subgroup_barrier(int line);
uint64_t shim_exchange(int line, uint64_t value, int64_t place);

#ifdef __cplusplus
}
#endif

#endif
