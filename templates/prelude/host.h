/* host.h: words of host code, which builds layouts and is always emitted as C. */
#ifndef SPMV_PRELUDE_HOST_H
#define SPMV_PRELUDE_HOST_H

#include "base.h"
#include "spmv_module.h"

#define HOST static inline      /* a small function of host code */
#define HOST_STEP static        /* a step that launches lists, which the CPU runs between kernels */

/* ---- the caller's CSR ------------------------------------------------------------------------ */

HOST const offset *csr_row_ptr(const spmv_layout *layout)
{
    return (const offset *)layout->csr.row_ptr;
}

HOST const real *csr_val(const spmv_layout *layout)
{
    return (const real *)layout->csr.val;
}

/* ---- what a method answers ------------------------------------------------------------------- */

/* *bytes = count * each. Refuses what size_t cannot hold, so that a 32-bit machine gets an error
 * instead of a short array. */
HOST spmv_status set_bytes(usize *bytes, i64 count, usize each)
{
    if ((u64)count > (u64)((usize)-1 / each))
        return SPMV_OVERFLOW;
    *bytes = (usize)count * each;
    return SPMV_OK;
}

/* States array `index` of the layout: count elements of `each` bytes. */
HOST spmv_status set_array(spmv_layout *layout, i32 index, const c8 *name, i64 count, usize each)
{
    layout->array[index].name = name;
    return set_bytes(&layout->array[index].bytes, count, each);
}

/* States the workspace of a multiplication. */
HOST spmv_status set_workspace(spmv_layout *layout, i64 count, usize each)
{
    return set_bytes(&layout->workspace_bytes, count, each);
}

/* Appends a part of `count` elements of `each` bytes to the workspace of kernels. host:
 * SPMV_HOST_... bits, how host steps use it. */
HOST spmv_status add_part(spmv_layout *layout, const c8 *name, i64 count, usize each, i32 host)
{
    spmv_part *part = &layout->part[layout->part_count];
    const spmv_status status = set_bytes(&part->bytes, count, each);
    const usize end = layout->workspace_bytes + part->bytes;
    const usize rest = end % SPMV_PART_ALIGNMENT;

    if (status || end < part->bytes || end > (usize)-1 - SPMV_PART_ALIGNMENT)
        return SPMV_OVERFLOW;
    part->name = name;
    part->offset = layout->workspace_bytes;
    part->host = host;
    layout->part_count++;
    layout->workspace_bytes = rest ? end + (SPMV_PART_ALIGNMENT - rest) : end;
    return SPMV_OK;
}

/* States the scratch of the build. */
HOST spmv_status set_build_scratch(spmv_layout *layout, i64 count, usize each)
{
    return set_bytes(&layout->build_bytes, count, each);
}

/* Appends a step to a list of `count` steps and returns the new count. */
HOST i32 add_step(spmv_step *step, i32 count, const c8 *name,
                  void (*run)(const spmv_job *job, i64 first, i64 last), i64 grid)
{
    step[count].name = name;
    step[count].run = run;
    step[count].grid = grid;
    return count + 1;
}

/* Appends the kernel of that name, for so many work-groups, to a list of `count` steps and returns
 * the new count. */
HOST i32 add_kernel(spmv_step *step, i32 count, const c8 *name, i64 groups)
{
    return add_step(step, count, name, NULL, groups);
}

/* Appends a figure to a list of `count` figures and returns the new count. */
HOST i32 add_figure(spmv_figure *figure, i32 count, const c8 *name, const c8 *unit, f64 value)
{
    figure[count].name = name;
    figure[count].unit = unit;
    figure[count].value = value;
    return count + 1;
}

/* Where share `index` of `total` things begins when they are cut into `shares` equal shares;
 * shares > 0. The product index * total, which could overflow, is never formed. */
HOST i64 share_begin(i64 index, i64 total, i64 shares)
{
    return index * (total / shares) + index * (total % shares) / shares;
}

#endif
