/* shim.h: kernels of other devices on this CPU: their text, compiled as C (opencl_shim.h) or C++
 * (cuda_shim.h), with a fiber for each work-item.
 *
 * A work-group's items run in turn, each to its next barrier, in an order that a seed shuffles anew at
 * each barrier; groups run one after another, in shuffled order too. So whatever two items do between
 * two barriers may happen either way round, as on a device. Items that wait at different barriers, or
 * at one that others have left out, are a divergence, which ends the run.
 *
 * Where a program has subgroups, they run in turn, each some way on: to a barrier, or to a collective
 * (a shuffle, subgroup_barrier), where its items wait for each other and then go on, at once or after
 * other subgroups. Items of a subgroup that wait at different places are a divergence too, and a
 * shuffle from a place that is none gives garbage.
 *
 * Local memory is garbage when a group begins, and AddressSanitizer knows where it ends. Under
 * ThreadSanitizer (fibers.h) each work-item is a thread of its own, which barriers alone order, those of
 * the group or of the subgroup: a race is found even where its result is right, and between groups too.
 */
#ifndef TEST_SHIM_H
#define TEST_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kernel and a function that calls it: argument[i] points to the value of argument i. */
typedef struct shim_kernel {
    const char *name;            /* as the text has it; NULL ends a list */
    void (*call)(const void *const *argument);
} shim_kernel;

/* The kernels of a module's program; written by modules.py. */
typedef struct shim_program {
    const char *module;          /* NULL ends the list */
    const shim_kernel *kernels;
} shim_program;

/* All programs that were linked in; NULL where there are none. */
extern const shim_program *shim_programs;

/* NULL: there is no such kernel. */
const shim_kernel *shim_find(const char *module, const char *kernel);

typedef struct shim_shape {
    int64_t groups;              /* work-groups of the launch */
    int32_t items;               /* work-items of each */
    int32_t subgroup;            /* of which so many make a subgroup; 0 or 1: there are none */
    int32_t local_bytes;         /* the most that local arrays take */
} shim_shape;

/* Returns NULL, or what was wrong. */
const char *shim_run(const shim_kernel *kernel, const void *const *argument, shim_shape shape,
                     uint64_t seed);

/* ---- for the text -------------------------------------------------------------------------- */

extern int64_t shim_group;
extern int32_t shim_item;
void shim_barrier(int line);

/* A local array of the group: every work-item asks for all of them, in the same order. */
void *shim_local(size_t bytes);

/* Collectives of subgroups of shim_subgroup items. An exchange gives every item what the one at `place`
 * of its subgroup has brought: 4 or 8 bytes of `value`. */
extern int32_t shim_subgroup;
void shim_subgroup_barrier(int line);
uint64_t shim_exchange(int line, uint64_t value, int64_t place);

#ifdef __cplusplus
}
#endif

#endif
