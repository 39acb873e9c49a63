/* simt.h: words of kernels that state the work of one work-item.
 *
 * WORK_GROUP_SIZE work-items form a work-group and share local memory. Work-groups share nothing
 * and run in any order. A template assumes no lock step: a work-item may read data of another
 * work-item only after a barrier, and all work-items of a group must reach the same barriers. If a
 * language has no barrier of a subgroup, its table of words states what orders a subgroup instead.
 *
 * On a target with subgroups, SUBGROUP_SIZE work-items form one and can exchange values without
 * local memory. SUBGROUP_SIZE is a parameter of every method. It is 1 on a target without
 * subgroups, and a template then uses local memory and group_barrier() instead: a condition such as
 * `if (T <= SUBGROUP_SIZE)` leaves one of the two ways in the emitted text. Both must add in the
 * same order, so that subgroups do not change any bit of the result.
 *
 * Each language defines the words that have no body here.
 */
#ifndef SPMV_PRELUDE_SIMT_H
#define SPMV_PRELUDE_SIMT_H

#include "base.h"

#define LOCAL_MEMORY static     /* before an array in a kernel's outermost block: the work-group
                                   shares the array */
#define LOCAL                   /* before a pointer's type: it points to local memory */

/* The number of this work-group in its launch, from 0. */
i64 group_index(void);

/* The number of this work-item in its group, 0 to WORK_GROUP_SIZE - 1. */
i32 item_index(void);

/* Waits for all work-items of the group. Their writes to local memory can then be read. */
void group_barrier(void);

/* ---- arithmetic ---------------------------------------------------------------------------- */

/* a * b, rounded: no compiler may fuse the product with a later addition. */
DEVICE real r_mul(real a, real b)
{
    return a * b;
}

/* ---- loads --------------------------------------------------------------------------------- */

/* from[i] of an array that a multiplication reads once. If the language has streaming loads, this
 * is one, so that x stays in the caches. Meant for work-items that together read whole cache
 * lines. */
DEVICE real r_stream(GLOBAL const real *from, i64 i)
{
    return from[i];
}

/* r_stream of columns. */
DEVICE i32 i32_stream(GLOBAL const i32 *from, i64 i)
{
    return from[i];
}

/* r_stream of 16-bit columns. */
DEVICE i32 u16_stream(GLOBAL const u16 *from, i64 i)
{
    return from[i];
}

/* x[column]. No kernel writes x, so a read-only cache may hold it. */
DEVICE real x_read(GLOBAL const real *x, i32 column)
{
    return x[column];
}

/* x[column], not through a read-only cache: through the caches of other loads. */
DEVICE real x_load(GLOBAL const real *x, i32 column)
{
    return x[column];
}

/* The compiler issues all loads of A (r_stream and the like) that stand before it before it waits
 * for one of them. It changes no result. All work-items of a subgroup call it together. */
DEVICE void loads_first(void)
{
}

/* ---- several values of A at once ----------------------------------------------------------- */

/* to[0], to[1] = from[0], from[1], by one load if the language has a load of that width. The
 * address must be a multiple of the size of all values loaded: the arrays of a plan are aligned so,
 * the caller's CSR need not be. */
DEVICE void r_load2(real *to, GLOBAL const real *from)
{
    for (i32 i = 0; i < 2; i++)
        to[i] = from[i];
}

/* Four values, as r_load2. */
DEVICE void r_load4(real *to, GLOBAL const real *from)
{
    for (i32 i = 0; i < 4; i++)
        to[i] = from[i];
}

/* Two columns, as r_load2. */
DEVICE void i32_load2(i32 *to, GLOBAL const i32 *from)
{
    for (i32 i = 0; i < 2; i++)
        to[i] = from[i];
}

/* Four columns, as r_load2. */
DEVICE void i32_load4(i32 *to, GLOBAL const i32 *from)
{
    for (i32 i = 0; i < 4; i++)
        to[i] = from[i];
}

/* Two columns of 16 bits, as r_load2. */
DEVICE void u16_load2(i32 *to, GLOBAL const u16 *from)
{
    for (i32 i = 0; i < 2; i++)
        to[i] = from[i];
}

/* Four columns of 16 bits, as r_load2. */
DEVICE void u16_load4(i32 *to, GLOBAL const u16 *from)
{
    for (i32 i = 0; i < 4; i++)
        to[i] = from[i];
}

/* ---- between work-groups ------------------------------------------------------------------- */

/* Adds to a counter that several work-groups share, which the next kernel or host step reads. No
 * address and no value of a result may depend on the order of these additions. */
void i32_atomic_add(GLOBAL i32 *counter, i32 value);

/* ---- within a subgroup --------------------------------------------------------------------- */

/* Work-item i of the group has place i % SUBGROUP_SIZE in subgroup i / SUBGROUP_SIZE. All
 * work-items of a subgroup must call such a function together and with the same distance, so a call
 * may not stand in a branch that only some of them take. Other subgroups need not call the
 * function. */

/* The value of the work-item `distance` places further on; undefined if there is none. */
real r_shuffle_down(real value, i32 distance);

/* The value of the work-item `distance` places further back; undefined if there is none. */
real r_shuffle_up(real value, i32 distance);

/* r_shuffle_up of integers. */
i32 i32_shuffle_up(i32 value, i32 distance);

/* The value of the work-item at `place`, 0 to SUBGROUP_SIZE - 1. */
real r_shuffle(real value, i32 place);

/* r_shuffle of integers. */
i32 i32_shuffle(i32 value, i32 place);

/* group_barrier() for the work-items of one subgroup. */
void subgroup_barrier(void);

#endif
