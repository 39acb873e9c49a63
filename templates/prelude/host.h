/* host.h: the words of host code, which builds layouts and is always emitted as C. */
#ifndef SPMV_PRELUDE_HOST_H
#define SPMV_PRELUDE_HOST_H

#include "base.h"
#include "spmv_module.h"

#define HOST static inline      /* a small function of host code */
#define HOST_STEP static        /* a step of a launch list that the CPU runs between kernels */
#define KERNEL_NAME             /* before a parameter: calls pass the name of a kernel as a
                                   literal */

/* ---- the caller's CSR ------------------------------------------------------------------------ */

/* An array of row pointers of 32 or 64 bits. Host code reads it through row_begin and row_length,
 * which test the width at run time, so that the same code serves both widths. Only kernels use the
 * type `offset`. */
typedef struct row_offsets {
    const i32 *narrow;           /* one of these two is NULL */
    const i64 *wide;
    i64 base;                    /* the offset of the first row */
} row_offsets;

/* Row pointers in an array of the same width as the caller's. */
HOST row_offsets row_offsets_at(const spmv_csr *csr, const void *data, i64 base)
{
    row_offsets at;
    at.narrow = csr->offset_type == SPMV_I32 ? (const i32 *)data : NULL;
    at.wide = csr->offset_type == SPMV_I32 ? NULL : (const i64 *)data;
    at.base = base;
    return at;
}

/* The caller's row pointers. */
HOST row_offsets row_offsets_of(const spmv_csr *csr)
{
    return row_offsets_at(csr, csr->row_ptr, csr->base);
}

/* Index of the first entry of a row, from 0; for row == rows, the number of entries. */
HOST i64 row_begin(const row_offsets *at, i64 row)
{
    return (at->narrow ? at->narrow[row] : at->wide[row]) - at->base;
}

/* Number of entries of a row. */
HOST i64 row_length(const row_offsets *at, i64 row)
{
    return at->narrow ? (i64)at->narrow[row + 1] - at->narrow[row]
                      : at->wide[row + 1] - at->wide[row];
}

/* row_begin and row_length of `count` rows. Tests the width once, since compilers would load both
 * widths for each row of a loop. */
HOST void row_bounds(const row_offsets *at, const i32 *row, i32 count, i64 *begin, i64 *length)
{
    if (at->narrow) {
        for (i32 i = 0; i < count; i++) {
            begin[i] = at->narrow[row[i]] - at->base;
            length[i] = (i64)at->narrow[row[i] + 1] - at->narrow[row[i]];
        }
    } else {
        for (i32 i = 0; i < count; i++) {
            begin[i] = at->wide[row[i]] - at->base;
            length[i] = at->wide[row[i] + 1] - at->wide[row[i]];
        }
    }
}

/* The row pointers from `row` on: that row becomes row 0 and begins at entry 0. */
HOST row_offsets row_offsets_from(const row_offsets *at, i64 row)
{
    row_offsets rest;
    rest.narrow = at->narrow ? at->narrow + row : NULL;
    rest.wide = at->narrow ? NULL : at->wide + row;
    rest.base = at->base + row_begin(at, row);
    return rest;
}

/* Sets the offset of a row in an array of the same width as the caller's row pointers. */
HOST void set_row_offset(const spmv_csr *csr, void *data, i64 row, i64 value)
{
    if (csr->offset_type == SPMV_I32)
        ((i32 *)data)[row] = (i32)value;
    else
        ((i64 *)data)[row] = value;
}

/* The caller's row pointers with their type, for kernels. */
HOST const offset *csr_row_ptr(const spmv_layout *layout)
{
    return (const offset *)layout->csr.row_ptr;
}

/* Size of a row pointer in bytes. */
HOST u32 offset_bytes(const spmv_csr *csr)
{
    return (u32)csr->offset_type / 8;
}

/* Size of a value in bytes. */
HOST u32 value_bytes(const spmv_csr *csr)
{
    return (u32)csr->value_type / 8;
}

/* Size of a value and its column index in bytes. */
HOST u32 entry_bytes(const spmv_csr *csr)
{
    return value_bytes(csr) + 4;
}

/* The caller's values. */
HOST const real *csr_val(const spmv_layout *layout)
{
    return (const real *)layout->csr.val;
}

/* ---- sizes, steps and figures of a layout ---------------------------------------------------- */

/* *bytes = count * each. Returns SPMV_OVERFLOW if size_t cannot hold that, so that a 32-bit machine
 * reports an error instead of allocating too little. */
HOST spmv_status set_bytes(usize *bytes, i64 count, usize each)
{
    if ((u64)count > (u64)((usize)-1 / each))
        return SPMV_OVERFLOW;
    *bytes = (usize)count * each;
    return SPMV_OK;
}

/* Sets name and size of array `index` of the layout: count elements of `each` bytes. */
HOST spmv_status set_array(spmv_layout *layout, i32 index, const c8 *name, i64 count, usize each)
{
    layout->array[index].name = name;
    return set_bytes(&layout->array[index].bytes, count, each);
}

/* Sets the size of a multiplication's workspace: count elements of `each` bytes. */
HOST spmv_status set_workspace(spmv_layout *layout, i64 count, usize each)
{
    return set_bytes(&layout->workspace_bytes, count, each);
}

/* Appends a part of `count` elements of `each` bytes to the workspace of kernels. host:
 * SPMV_HOST_... bits that say how host steps use the part. */
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

/* Sets the size of the build's scratch memory: count elements of `each` bytes. */
HOST spmv_status set_build_scratch(spmv_layout *layout, i64 count, usize each)
{
    return set_bytes(&layout->build_bytes, count, each);
}

/* `bytes`, rounded up to SPMV_ALIGNMENT. */
HOST usize aligned_bytes(usize bytes)
{
    return (bytes + (SPMV_ALIGNMENT - 1)) / SPMV_ALIGNMENT * SPMV_ALIGNMENT;
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

/* Appends a launch of the named kernel with `groups` work-groups to a list of `count` steps and
 * returns the new count. */
HOST i32 add_kernel(spmv_step *step, i32 count, KERNEL_NAME const c8 *name, i64 groups)
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

/* First index of share `index` of [0, total), which is cut into `shares` (> 0) nearly equal shares.
 * The product index * total, which could overflow, is never formed. */
HOST i64 share_begin(i64 index, i64 total, i64 shares)
{
    return index * (total / shares) + index * (total % shares) / shares;
}

#endif
