/* host.h: words of host code, which builds layouts and is always emitted as C. */
#ifndef SPMV_PRELUDE_HOST_H
#define SPMV_PRELUDE_HOST_H

#include "base.h"
#include "spmv_module.h"

#define HOST static inline      /* a small function of host code */
#define HOST_STEP static        /* a step that launches lists, which the CPU runs between kernels */

/* ---- the caller's CSR ------------------------------------------------------------------------ */

/* Where rows begin: an array of offsets, of 32 or of 64 bits. Host code reads row pointers through
 * row_begin, which knows the width when it runs, so that the code is the same for both widths. Only
 * kernels read them by their type. */
typedef struct row_offsets {
    const i32 *narrow;           /* one of these two is NULL */
    const i64 *wide;
    i64 base;                    /* what the offset of the first row is */
} row_offsets;

/* An array that is as wide as the caller's row pointers. */
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

/* The first entry of a row, counted from 0; of `rows`, the end of all. */
HOST i64 row_begin(const row_offsets *at, i64 row)
{
    return (at->narrow ? at->narrow[row] : at->wide[row]) - at->base;
}

/* The number of a row's entries. */
HOST i64 row_length(const row_offsets *at, i64 row)
{
    return at->narrow ? (i64)at->narrow[row + 1] - at->narrow[row]
                      : at->wide[row + 1] - at->wide[row];
}

/* row_begin and row_length of `count` rows. The width is tested once for all rows: in a loop
 * compilers load both widths for each row. */
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

/* Row pointers from a row on, which becomes row 0 and begins with entry 0. */
HOST row_offsets row_offsets_from(const row_offsets *at, i64 row)
{
    row_offsets rest;
    rest.narrow = at->narrow ? at->narrow + row : NULL;
    rest.wide = at->narrow ? NULL : at->wide + row;
    rest.base = at->base + row_begin(at, row);
    return rest;
}

/* Writes the offset of a row into an array that is as wide as the caller's row pointers. */
HOST void set_row_offset(const spmv_csr *csr, void *data, i64 row, i64 value)
{
    if (csr->offset_type == SPMV_I32)
        ((i32 *)data)[row] = (i32)value;
    else
        ((i64 *)data)[row] = value;
}

HOST const offset *csr_row_ptr(const spmv_layout *layout)
{
    return (const offset *)layout->csr.row_ptr;
}

/* Bytes of a row pointer. */
HOST u32 offset_bytes(const spmv_csr *csr)
{
    return (u32)csr->offset_type / 8;
}

/* Bytes of a value. */
HOST u32 value_bytes(const spmv_csr *csr)
{
    return (u32)csr->value_type / 8;
}

/* Bytes of a value with its column. */
HOST u32 entry_bytes(const spmv_csr *csr)
{
    return value_bytes(csr) + 4;
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

/* Appends a figure to a list of `count` layout_stats and returns the new count. */
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
