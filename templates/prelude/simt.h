/* simt.h: words of kernels that are written for one of many work-items.
 *
 * WORK_GROUP_SIZE work-items make a work-group, and share local memory; work-groups share nothing
 * and run in any order. Nothing is said about which work-items run in lock step: what one writes
 * another may read behind a barrier alone, and all work-items of a group must come to the same
 * barriers.
 *
 * Where a target has subgroups, SUBGROUP_SIZE of the work-items make one, and can exchange values
 * without local memory. That is a parameter of every method; 1 stands for a target without them,
 * and a template then takes local memory and group_barrier() instead: `if (T <= SUBGROUP_SIZE)`
 * leaves one of the two ways in the emitted text. Both must add in the same order: a target's
 * subgroups change no bit.
 *
 * Words without a body here have one in each language.
 */
#ifndef SPMV_PRELUDE_SIMT_H
#define SPMV_PRELUDE_SIMT_H

#include "base.h"

#define LOCAL_MEMORY static     /* before an array in a kernel's outermost block: the group shares
                                   it */
#define LOCAL                   /* before a pointer's type: it points to local memory */

/* Which of the launch's work-groups this is, from 0. */
i64 group_index(void);

/* Which of the group's work-items this is: 0 to WORK_GROUP_SIZE - 1. */
i32 item_index(void);

/* Waits for all work-items of the group; what they wrote to local memory can then be read. */
void group_barrier(void);

/* ---- arithmetic ---------------------------------------------------------------------------- */

/* a * b, for a product that is added to something later: never made part of a multiply-add,
 * whatever a compiler is allowed. */
DEVICE real r_mul(real a, real b)
{
    return a * b;
}

/* ---- loads --------------------------------------------------------------------------------- */

/* from[i] of A, which one multiplication reads once: where a language can say so, it leaves caches
 * to x. For work-items that read whole lines together. */
DEVICE real r_stream(GLOBAL const real *from, i64 i)
{
    return from[i];
}

DEVICE i32 i32_stream(GLOBAL const i32 *from, i64 i)
{
    return from[i];
}

DEVICE i32 u16_stream(GLOBAL const u16 *from, i64 i)
{
    return from[i];
}

/* x[column]. No kernel writes x, and caches may know that. */
DEVICE real x_read(GLOBAL const real *x, i32 column)
{
    return x[column];
}

/* ---- several values of A at once ----------------------------------------------------------- */

/* to[0], to[1], ... = from[0], from[1], ..., by one load where the language has one that wide.
 * `from` must lie at a multiple of so many values: a layout that a plan owns sees to it, the
 * caller's CSR does not. */
DEVICE void r_load2(real *to, GLOBAL const real *from)
{
    for (i32 i = 0; i < 2; i++)
        to[i] = from[i];
}

DEVICE void r_load4(real *to, GLOBAL const real *from)
{
    for (i32 i = 0; i < 4; i++)
        to[i] = from[i];
}

DEVICE void i32_load2(i32 *to, GLOBAL const i32 *from)
{
    for (i32 i = 0; i < 2; i++)
        to[i] = from[i];
}

DEVICE void i32_load4(i32 *to, GLOBAL const i32 *from)
{
    for (i32 i = 0; i < 4; i++)
        to[i] = from[i];
}

DEVICE void u16_load2(i32 *to, GLOBAL const u16 *from)
{
    for (i32 i = 0; i < 2; i++)
        to[i] = from[i];
}

DEVICE void u16_load4(i32 *to, GLOBAL const u16 *from)
{
    for (i32 i = 0; i < 4; i++)
        to[i] = from[i];
}

/* ---- within a subgroup --------------------------------------------------------------------- */

/* Work-item i of the group has place i % SUBGROUP_SIZE in subgroup i / SUBGROUP_SIZE. All
 * work-items of a subgroup must come to each of these words together, and name the same distance:
 * never in a branch that only some of them take. Work-items of other subgroups need not come at
 * all. */

/* The value that the work-item `distance` places further on gives, or further back; where there is
 * no such place, anything. */
real r_shuffle_down(real value, i32 distance);
real r_shuffle_up(real value, i32 distance);
i32 i32_shuffle_up(i32 value, i32 distance);

/* The value that the work-item at `place` gives, 0 to SUBGROUP_SIZE - 1. */
real r_shuffle(real value, i32 place);
i32 i32_shuffle(i32 value, i32 place);

/* group_barrier() for the work-items of the subgroup alone. */
void subgroup_barrier(void);

#endif
